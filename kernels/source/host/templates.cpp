// The parameters of a function template, deduced from its arguments.

#include <algorithm>

#include <fmt/format.h>

#include "kernels/base/text.h"
#include "kernels/source/cxx/declaration.h"
#include "kernels/source/host/evaluator.h"

namespace lanescope::source::host {

bool has_word(std::string_view text, std::string_view word) {
  const Lexed lexed = lex(text);
  for (int i = 0; i < lexed.count(); ++i)
    if (lexed.of(i) == word) return true;
  return false;
}

/// The value of a parameter of a template, where tokens [first, last) of a function's parameter are to be of type `t`. An
/// array is deduced as an array if the parameter is a reference to it, else as a pointer.
void Evaluator::bind_from(const Lexed& l, int first, int last, const Type* t, const TemplateParameter& parameter,
                          Bound& out) {
  static constexpr std::string_view before[] = {"const", "volatile", "typename", "struct", "class", "::"};
  static constexpr std::string_view after[] = {"const",        "volatile",   "&",       "&&",
                                               "__restrict__", "__restrict", "restrict"};
  const auto element = [](const Type* of) {
    return of->kind == Kind::pointer || of->kind == Kind::array ? of->of : nullptr;
  };
  bool reference = false;
  const int before_words = first, all = last;
  while (first < last && t != nullptr) {
    const std::string_view word = l.of(last - 1);
    reference = reference || word.front() == '&';
    if (word == "*") {
      t = t->kind == Kind::code ? p.types.function : element(t);
    } else if (word == "]") {
      int at = last;  // of the first extent, which is the outermost one
      while (at > first && l.is(at - 1, "]"))
        for (--at; at > first && !l.is(at, "[");) --at;
      const int extents = at;
      for (; at < last && t != nullptr; t = element(t)) {
        if (!parameter.is_type && l.is(at + 2, "]") && l.of(at + 1) == parameter.name && t->kind == Kind::array)
          out.value = static_cast<std::int64_t>(t->count);
        while (!l.is(at++, "]")) {}
      }
      last = extents + 1;
    } else if (word == ")" && last - 3 > first && l.is(last - 3, "(") && l.is(last - 2, "&")) {  // T (&a)[N]
      reference = true, last -= 2;
    } else if (!one_of(word, after)) {
      break;
    }
    --last;
  }
  while (first < last && (one_of(l.of(first), before) || l.is(first + 1, "::"))) ++first;
  if (first >= last || t == nullptr || t->kind == Kind::unknown) return;
  const std::string_view head = l.of(first);
  if (last - first == 1) {
    const bool decays = t->kind == Kind::array && !reference;
    if (head != parameter.name || !parameter.is_type) return;
    out.type = decays ? p.types.pointer_to(t->of) : t;
    // `T&`, `T*`: const is deduced with T; so it is in what a pointer leads to
    out.qualified = (first == before_words && last < all) || out.type->kind == Kind::pointer;
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
    return i < arguments.size() && arguments[i].second - arguments[i].first == 1 &&
           l.of(arguments[i].first) == parameter.name;
  };
  const auto inner = [&](std::size_t i, const Type* of) {
    if (i < arguments.size()) bind_from(l, arguments[i].first, arguments[i].second, of, parameter, out);
  };
  if (t->kind == Kind::vector) return inner(0, t->of);
  if (t->kind == Kind::array && head == "array") {
    if (!parameter.is_type && is_parameter(1)) out.value = static_cast<std::int64_t>(t->count);
    return inner(0, t->of);
  }
  if (t->kind == Kind::pointer) return head.ends_with("_ptr") ? inner(0, t->of) : void();
  const Bindings* own = t->kind == Kind::record ? p.bindings_of(t->record) : nullptr;
  if (own == nullptr || p.types.record(t->record).of_template != head) return;
  for (std::size_t i = 0; i + 1 < own->size(); ++i) {  // the last one is its own name
    if ((*own)[i].type != nullptr)
      inner(i, (*own)[i].type);
    else if (!parameter.is_type && is_parameter(i))
      out.value = (*own)[i].value;
  }
}

bool Evaluator::deduce(int function, const Expr& name, const std::vector<const Type*>& given, Bindings& out) {
  const std::vector<TemplateParameter>& parameters = p.template_parameters(function);
  if (name.words.size() > parameters.size() && (parameters.empty() || !parameters.back().is_pack)) return false;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const TemplateParameter& parameter = parameters[i];
    Bound b{.name = parameter.name};
    if (i < name.words.size()) {
      b.type = i < name.types.size() ? name.types[i] : nullptr;
      b.qualified = i < name.qualified.size() && name.qualified[i];
      b.spelled = b.type != nullptr ? b.type->name : std::string(name.words[i]);
      if (b.type == nullptr && i < name.more.size() && name.more[i] != nullptr) bind_value(name, i, b);
    } else if (!parameter.is_pack) {  // each element has a type of its own
      const std::size_t most = std::min(p.function(function).info.parameters.size(), given.size());
      for (std::size_t a = 0; a < most && b.type == nullptr && !b.value; ++a) {
        const Lexed& words = p.type_of_parameter(function, a);
        bind_from(words, 0, words.count(), given[a], parameter, b);
      }
      if (b.type != nullptr) b.spelled = b.type->name;
      if (b.value) b.spelled = std::to_string(*b.value);
    }
    if (b.type == nullptr && !b.value && b.spelled.empty() && parameter.has_default) {
      b.spelled = joined(p.lexed, parameter.first, parameter.last - 1);
      if (parameter.is_type)
        b.type = p.type_named(b.spelled);
      else
        b.value = p.constant(b.spelled);
    }
    if (b.spelled.empty() && !parameter.is_pack) return false;
    if (!b.spelled.empty()) out.push_back(std::move(b));
  }
  return true;
}

/// A template argument that is no type: a number, a function, or the name of an enumerator.
void Evaluator::bind_value(const Expr& name, std::size_t i, Bound& b) {
  const Value given = eval(*name.more[i]);
  const Value v = m.convert(given, p.types.i64);
  const bool flag = name.words[i] == "true" || name.words[i] == "false";
  if (const Expr* function = function_of(given); function != nullptr)
    b.spelled = written(*function), b.function = function;
  else if (v.unknown == 0)
    b.value = v.i, b.spelled = flag ? b.spelled : std::to_string(v.i);
  else if (at_.frame != nullptr && at_.frame->bindings != nullptr)  // an enumerator of a header, handed on
    for (const Bound& outer : *at_.frame->bindings)
      if (outer.name == name.words[i] && !outer.spelled.empty()) b.spelled = outer.spelled;
}

/// The template arguments of a name as they are outside of the template that names it: numbers computed, types by their
/// own names.
std::vector<std::string> Evaluator::template_words(const Expr& name, int kernel) {
  static const std::vector<TemplateParameter> none;
  std::vector<std::string> words;
  const std::vector<TemplateParameter>& of_kernel = kernel >= 0 ? p.template_parameters(kernel) : none;
  const Bindings* bound = at_.frame != nullptr ? at_.frame->bindings : nullptr;
  for (std::size_t i = 0; i < name.words.size(); ++i) {
    std::string& word = words.emplace_back(name.words[i]);
    const TemplateParameter* parameter = i < of_kernel.size() ? &of_kernel[i] : nullptr;
    if (i < name.types.size() && name.types[i] != nullptr) {
      const auto names = [&](const Bound& b) { return has_word(word, b.name); };
      if (bound != nullptr && std::ranges::any_of(*bound, names)) word = name.types[i]->name;
      continue;
    }
    // An enumerator, of a parameter that is an enumeration: a number is not converted to it.
    if (p.constants.contains(word) && parameter != nullptr && !parameter->is_whole && !parameter->is_flag) continue;
    const bool literal = word == "true" || word == "false" || word.front() == '\'';
    if (literal || i >= name.more.size() || name.more[i] == nullptr) continue;
    const Value v = eval(*name.more[i]);
    const bool whole = v.known() && v.type->is_whole();
    const Bound* given = nullptr;
    for (std::size_t b = 0; bound != nullptr && b < bound->size() && given == nullptr; ++b)
      if ((*bound)[b].name == word) given = &(*bound)[b];
    if (given != nullptr) {
      const Expr* function = function_of(v);
      if (function != nullptr)
        word = written(*function);
      else if (!whole && !given->spelled.empty())
        word = given->spelled;  // an enumerator of a header that is not read
    }
    if (!whole) continue;
    const bool flag = v.type->kind == Kind::boolean;
    word = flag ? (v.i != 0 ? "true" : "false") : std::to_string(v.i);
    const bool enumeration = parameter != nullptr && !flag && !parameter->is_whole && !parameter->is_flag &&
                             !parameter->is_type && !parameter->is_pack && !parameter->is_template &&
                             !parameter->of.empty() && parameter->of != "auto";
    if (enumeration) word = fmt::format("({}){}", parameter->of, word);
  }
  return words;
}

}  // namespace lanescope::source::host
