// What the parameters of a function template stand for, from its arguments.

#include <algorithm>

#include <fmt/format.h>

#include "kernels/base/text.h"
#include "kernels/source/cxx/declaration.h"
#include "kernels/source/host/machine.h"

namespace lanescope::source::host {
namespace {

/// How C++ writes a type, as far as a kernel's template argument needs it.
std::string spelled(const Type* t) { return t->name; }

}  // namespace

/// What a parameter of a template stands for, where tokens [first, last) of a function's parameter are to be of type `t`.
void Machine::bind_from(const Lexed& l, int first, int last, const Type* t, const TemplateParameter& p, Bound& out) {
  static constexpr std::string_view before[] = {"const", "volatile", "typename", "struct", "class", "::"};
  static constexpr std::string_view behind[] = {"const",        "volatile",   "&",       "&&",
                                                "__restrict__", "__restrict", "restrict"};
  const auto element = [](const Type* of) {
    return of->kind == Kind::pointer || of->kind == Kind::array ? of->of : nullptr;
  };
  while (first < last && t != nullptr) {
    const std::string_view word = l.of(last - 1);
    if (word == "*") {
      t = element(t);
    } else if (word == "]") {
      while (last - 1 > first && !l.is(last - 1, "[")) --last;
      t = element(t);
    } else if (!one_of(word, behind)) {
      break;
    }
    --last;
  }
  while (first < last && (one_of(l.of(first), before) || l.is(first + 1, "::"))) ++first;
  if (first >= last || t == nullptr || t->kind == Kind::unknown) return;
  const std::string_view head = l.of(first);
  if (last - first == 1) {
    if (head == p.name && p.is_type) out.type = t->kind == Kind::array ? p_.types.pointer_to(t->of) : t;
    return;
  }
  if (!l.is(first + 1, "<") || !l.is(last - 1, ">")) return;
  std::vector<std::pair<int, int>> arguments;
  int depth = 0, begun = first + 2;
  for (int i = begun; i < last; ++i) {
    if (l.is(i, "<") || l.is(i, "(")) ++depth;
    const bool ends = i == last - 1 || (l.is(i, ",") && depth == 0);
    if (!ends && (l.is(i, ">") || l.is(i, ")"))) --depth;
    if (!ends) continue;
    arguments.emplace_back(begun, i);
    begun = i + 1;
  }
  const auto is_parameter = [&](std::size_t i) {
    return i < arguments.size() && arguments[i].second - arguments[i].first == 1 && l.of(arguments[i].first) == p.name;
  };
  const auto inner = [&](std::size_t i, const Type* of) {
    if (i < arguments.size()) bind_from(l, arguments[i].first, arguments[i].second, of, p, out);
  };
  if (t->kind == Kind::vector) return inner(0, t->of);
  if (t->kind == Kind::array && head == "array") {
    if (!p.is_type && is_parameter(1)) out.value = static_cast<std::int64_t>(t->count);
    return inner(0, t->of);
  }
  if (t->kind == Kind::pointer) return head.ends_with("_ptr") ? inner(0, t->of) : void();
  const Bindings* own = t->kind == Kind::record ? p_.bindings_of(t->record) : nullptr;
  if (own == nullptr || p_.types.record(t->record).of_template != head) return;
  for (std::size_t i = 0; i + 1 < own->size(); ++i) {  // the last one is its own name
    if ((*own)[i].type != nullptr) {
      inner(i, (*own)[i].type);
    } else if (!p.is_type && is_parameter(i)) {
      out.value = (*own)[i].value;
    }
  }
}

/// Binds the parameters of a function's template: as written, else from the types of its arguments, else by default.
bool Machine::deduce(int function, const Expr& name, const std::vector<const Type*>& given, Bindings& out) {
  const std::vector<TemplateParameter>& parameters = p_.template_parameters(function);
  const FunctionRange& f = p_.outline.functions[static_cast<std::size_t>(function)];
  if (name.words.size() > parameters.size() && (parameters.empty() || !parameters.back().is_pack)) return false;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const TemplateParameter& p = parameters[i];
    Bound b{.name = p.name};
    if (i < name.words.size()) {
      b.type = i < name.types.size() ? name.types[i] : nullptr;
      b.spelled = b.type != nullptr ? spelled(b.type) : std::string(name.words[i]);
      if (b.type == nullptr && i < name.more.size() && name.more[i] != nullptr) {
        const Value given_value = eval(*name.more[i]);
        const Value v = convert(given_value, p_.types.i64);
        const bool word = name.words[i] == "true" || name.words[i] == "false";
        if (const std::string named = function_named(given_value); !named.empty())
          b.spelled = named;
        else if (v.unknown == 0)
          b.value = v.i, b.spelled = word ? b.spelled : std::to_string(v.i);
        else if (frame_ != nullptr && frame_->bindings != nullptr)  // an enumerator of a header, handed on
          for (const Bound& outer : *frame_->bindings)
            if (outer.name == name.words[i] && !outer.spelled.empty()) b.spelled = outer.spelled;
      }
    } else {
      for (std::size_t a = 0; a < f.info.parameters.size() && a < given.size() && b.type == nullptr && !b.value; ++a) {
        const Lexed& words = p_.type_of_parameter(function, a);
        bind_from(words, 0, words.count(), given[a], p, b);
      }
      if (b.type != nullptr) b.spelled = spelled(b.type);
      if (b.value) b.spelled = std::to_string(*b.value);
    }
    if (b.type == nullptr && !b.value && b.spelled.empty() && p.has_default) {
      b.spelled = joined(p_.lexed, p.first, p.last - 1);
      if (p.is_type) {
        b.type = p_.types.named(b.spelled);
        if (const auto own = p_.type_names.find(b.spelled); own != p_.type_names.end()) b.type = own->second;
      } else {
        const Lexed text = lex(b.spelled);
        if (text.count() == 1 && text.token(0).kind == TokenKind::number)
          b.value = std::strtoll(b.spelled.c_str(), nullptr, 0);
        if (b.spelled == "true" || b.spelled == "false") b.value = b.spelled == "true";
        if (const auto c = p_.constants.find(b.spelled); c != p_.constants.end()) b.value = c->second;
      }
    }
    if (b.spelled.empty() && !p.is_pack) return false;
    if (!b.spelled.empty()) out.push_back(std::move(b));
  }
  return true;
}

}  // namespace lanescope::source::host
