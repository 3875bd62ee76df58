#include <algorithm>
#include <array>

#include "kernels/base/text.h"
#include "kernels/source/host/program/parser.h"

namespace lanescope::source::host {
namespace {

constexpr std::array<std::string_view, 24> qualifier_words = {
    "const",      "volatile",        "static",     "constexpr",    "inline",       "register",
    "extern",     "thread_local",    "mutable",    "typename",     "struct",       "class",
    "enum",       "union",           "__device__", "__constant__", "__host__",     "__managed__",
    "__shared__", "__forceinline__", "__inline__", "__restrict__", "__noinline__", "explicit"};
/// Between the type of a method's result and its name.
constexpr std::array<std::string_view, 9> words_after_result = {"__host__",   "__device__",   "__forceinline__",
                                                                "__inline__", "__noinline__", "inline",
                                                                "constexpr",  "static",       "virtual"};
constexpr std::array<std::string_view, 7> words_of_integers = {"unsigned", "signed", "short", "long",
                                                               "int",      "char",   "double"};
constexpr std::int64_t most_alignment = 4096;
/// After which nothing can be a template's argument.
constexpr std::array<std::string_view, 6> ends_templates = {";", "{", "}", "&&", "||", "<<<"};

}  // namespace

std::size_t Parser::after_brackets(std::size_t open) const {
  int depth = 0;
  for (std::size_t i = open; i < t_.size(); ++i) {
    if (t_[i].kind != TokenKind::punctuator || t_[i].text.size() != 1) continue;
    const char c = t_[i].text.front();
    if (c == '(' || c == '[' || c == '{') ++depth;
    if ((c == ')' || c == ']' || c == '}') && --depth == 0) return i + 1;
  }
  return t_.size();
}

/// `open` itself when it opens none.
std::size_t Parser::after_template_arguments(std::size_t open) const {
  int depth = 0;
  for (std::size_t i = open; i < t_.size() && i < open + 300; ++i) {
    const std::string_view s = t_[i].text;
    if (t_[i].kind != TokenKind::punctuator) continue;
    if (s == "(" || s == "[") {
      i = after_brackets(i) - 1;
      continue;
    }
    if (s == "<") ++depth;
    if (s == ">" && --depth == 0) return i + 1;
    if (one_of(s, ends_templates)) return open;
  }
  return open;
}

const Type* Parser::integer_words() {
  bool any = false, is_unsigned = false, is_double = false;
  bool has_char = false, has_short = false, is_signed = false;
  int longs = 0;
  for (; one_of(text(), words_of_integers) || (any && is("const")); ++at_) {
    const std::string_view w = text();
    any = true;
    is_unsigned |= w == "unsigned", is_double |= w == "double", has_char |= w == "char", has_short |= w == "short";
    is_signed |= w == "signed", longs += w == "long";
  }
  if (!any) return nullptr;
  if (is_double) return p_.types.double_;
  if (has_char)
    return is_unsigned ? p_.types.named("unsigned char") : is_signed ? p_.types.named("signed char") : p_.types.char_;
  if (has_short) return p_.types.named(is_unsigned ? "unsigned short" : "short");
  if (longs > 0) return is_unsigned ? p_.types.u64 : p_.types.i64;
  return is_unsigned ? p_.types.u32 : p_.types.int_;
}

std::string Parser::qualifier_before(std::size_t token, std::size_t first) const {
  std::string out;
  for (std::size_t i = token; i >= first + 2 && is(i - 1, "::") && is_word(i - 2); i -= 2)
    out = joined_path(t_[i - 2].text, out);
  return out;
}

void Parser::enter_type(std::string_view name, const Type* type, std::string words) {
  if (!path_.empty()) inner_.push_back({.name = name, .type = type, .spelled = words.empty() ? type->name : words});
  if (class_ >= 0 && p_.bindings_of(class_) != nullptr) return p_.bind(class_, {inner_.back()});
  if (const Type* of_cuda = p_.types.named(name); of_cuda != nullptr && !path_.empty() && !p_.own_type(name))
    p_.scopes.enter(name, "", {.type = of_cuda});  // what it means outside of this scope
  p_.type_names[name] = type;
  p_.scopes.enter(name, path_, {.type = type});
}

const Type* Parser::found_type(std::string_view name) const {
  for (auto b = inner_.rbegin(); b != inner_.rend(); ++b)
    if (b->name == name && b->type != nullptr) return b->type;
  for (const Bound& b : bindings_)
    if (b.name == name) return b.type;
  if (p_.scopes.several(name)) {
    const std::size_t own = at_ < t_.size() && t_[at_].text == name ? at_ : at_ - 1;
    const Meaning* m = p_.scopes.meant(name, qualifier_before(own), path_);
    return m == nullptr ? p_.types.unknown(name) : m->type;
  }
  const auto own = p_.type_names.find(name);
  return own != p_.type_names.end() ? own->second : p_.types.named(name);
}

/// std::vector<T> and its kin; at the name, whose `<` follows.
const Type* Parser::template_type(std::string_view name) {
  const bool device = name == "device_vector";
  const bool vector =
      device || name == "vector" || name == "host_vector" || name == "universal_vector" || name == "valarray";
  const bool pointer = name == "unique_ptr" || name == "shared_ptr" || name == "device_ptr";
  const std::size_t after = after_template_arguments(at_ + 1);
  if (after == at_ + 1) return nullptr;
  if (name == "function") return at_ = after, p_.types.code;
  const std::size_t start = at_;
  if (name.ends_with("_distribution")) {
    at_ += 2;
    const auto of = is(">") ? std::nullopt : type(true);
    const std::string of_words = of ? of->type->name : name.starts_with("uniform_int") ? "int" : "double";
    const Type* t = p_.types.named(fmt::format("{}<{}>", name, of_words));
    at_ = t != nullptr ? after : start;
    return t;
  }
  if (name == "tuple") {
    std::vector<const Type*> elements;
    for (at_ += 2; at_ + 1 < after;) {
      const auto of = type(true);
      if (!of || of->reference || (!take(",") && at_ + 1 < after)) return at_ = start, nullptr;
      elements.push_back(of->type);
    }
    const Type* t = p_.types.tuple_of(elements);
    at_ = t != nullptr ? after : start;
    return t;
  }
  if (!vector && !pointer && name != "array" && name != "pair") return nullptr;
  at_ += 2;
  const auto of = type(true);
  const Type* out = nullptr;
  if (of && name == "pair" && take(","))
    if (const auto second = type(true)) out = p_.types.pair_of(of->type, second->type);
  if (of && vector) out = p_.types.vector_of(of->type, device);
  if (of && pointer) {
    if (is("[")) at_ = after_brackets(at_);
    out = p_.types.pointer_to(of->type);
  }
  if (of && name == "array" && take(",")) {
    const Expr* count = template_value();
    const auto n = count != nullptr && p_.evaluate ? p_.evaluate(count) : std::nullopt;
    if (n && *n >= 0) out = p_.types.array_of(of->type, static_cast<std::uint64_t>(*n));
  }
  at_ = out != nullptr ? after : start;
  return out;
}

const Type* Parser::base_type(bool allow_unknown) {
  if (const Type* t = integer_words()) return t;
  if (take("auto")) return p_.types.automatic;
  if (is("decltype") && is(at_ + 1, "(")) return at_ = after_brackets(at_ + 1), p_.types.automatic;
  const std::size_t start = at_;
  if (is("::")) ++at_;
  if (!is_word(at_) || (at_ == start && local(text()))) return at_ = start, nullptr;
  const Type* scope = nullptr;  // an instance or a local structure, of which the next word names a type
  while (is_word(at_)) {
    const std::string_view name = text();
    const bool last = !is(at_ + 1, "::");
    const Bindings* inner = scope != nullptr && scope->kind == Kind::record ? p_.bindings_of(scope->record) : nullptr;
    if (inner != nullptr)
      for (const Bound& b : *inner)
        if (b.name == name && b.type != nullptr && last) return ++at_, b.type;
    scope = nullptr;
    if (is(at_ + 1, "<")) {
      const Type* t = template_type(name);
      if (t == nullptr && last) t = class_template(name);
      if (t != nullptr) {
        if (!is("::")) return t;
        scope = t;
      } else if (const Type* own = found_type(name); own != nullptr && last) {
        const std::size_t after = after_template_arguments(at_ + 1);
        if (after == at_ + 1) break;
        at_ = after;
        return own->kind == Kind::record ? p_.types.unknown(name) : own;
      } else {
        const std::size_t after = after_template_arguments(at_ + 1);
        if (after == at_ + 1) break;
        at_ = after;
        if (!is("::")) return allow_unknown ? p_.types.unknown(name) : (at_ = start, nullptr);
      }
      if (!take("::")) break;
      continue;
    }
    if (!last) {
      scope = found_type(name);
      at_ += 2;
      continue;
    }
    ++at_;
    if (const Type* t = found_type(name)) return t;
    if (allow_unknown) return p_.types.unknown(name);
    break;
  }
  at_ = start;
  return nullptr;
}

void Parser::suffixes(TypeRead& out) {
  for (;; ++at_) {
    if (is("*"))
      out.type = out.type == p_.types.function ? p_.types.code : p_.types.pointer_to(out.type);
    else if (is("&") || is("&&"))
      out.reference = true;
    else if (!is("const") && !is("volatile") && !is("__restrict__") && !is("__restrict") && !is("restrict"))
      return;
  }
}

std::optional<TypeRead> Parser::type(bool allow_unknown) {
  const std::size_t start = at_;
  if (++depth_ > 100) return --depth_, std::nullopt;
  TypeRead out;
  for (;;) {
    if (aligns(at_)) {
      at_ = after_brackets(at_ + 1);
    } else if (one_of(text(), qualifier_words)) {
      const std::string_view w = text();
      out.constant |= w == "const" || w == "constexpr";
      out.is_constexpr |= w == "constexpr";
      out.managed |= w == "__managed__";
      out.device |= w == "__device__" || w == "__constant__" || w == "__managed__";
      out.is_static |= w == "static";
      ++at_;
    } else {
      break;
    }
  }
  out.type = base_type(allow_unknown);
  --depth_;
  if (out.type == nullptr) return at_ = start, std::nullopt;
  out.base = out.type;
  if (is("const")) out.constant = true;
  suffixes(out);
  return out;
}

std::optional<TypeRead> Parser::whole_type() {
  const auto out = type(false);
  return out && done() ? out : std::nullopt;
}

/// Whether tokens [first, last) name a type or constant that the code around does not know.
bool Parser::names_inner(std::size_t first, std::size_t last) const {
  for (std::size_t i = first; i < last; ++i)
    if (is_word(i) && std::ranges::find(inner_, t_[i].text, &Bound::name) != inner_.end()) return true;
  return false;
}

/// The type of tokens [first, last) as code outside of the function spells it.
std::string Parser::name_outside(std::size_t first, std::size_t last, const Type* type) const {
  if (type->kind == Kind::unknown || type->kind == Kind::automatic) return spelled(first, last);
  const auto known = std::ranges::find(inner_.rbegin(), inner_.rend(), t_[first].text, &Bound::name);
  return last == first + 1 && known != inner_.rend() ? known->spelled : type->name;
}

/// At `<` after a name: fills its template arguments. False when these are none.
bool Parser::template_argument(Expr& name) {
  const std::size_t after = after_template_arguments(at_);
  if (after == at_) return false;
  ++at_;
  while (at_ + 1 < after) {
    const std::size_t first = at_;
    const auto t = type(false);
    const bool is_type = t && (is(",") || at_ + 1 == after);
    Expr* value = nullptr;
    if (!is_type) {
      at_ = first;
      value = template_value();
      if (at_ <= first) ++at_;
      if (!is(",") && at_ + 1 != after) value = nullptr;
    }
    while (at_ + 1 < after && !is(",")) at_ = is("(") || is("[") || is("{") ? after_brackets(at_) : at_ + 1;
    const std::size_t last = std::min(at_, after - 1);
    name.words.push_back(is_type && names_inner(first, last) ? kept(name_outside(first, last, t->type))
                                                             : kept(spelled(first, last)));
    name.types.push_back(is_type ? t->type : nullptr);
    name.qualified.push_back(is_type && may_be_qualified(first, last));
    name.more.push_back(value);
    if (!take(",")) break;
  }
  at_ = after;
  return true;
}

// --- structures ------------------------------------------------------------------------------------------------------

/// Of `alignas(16)`, `__align__(sizeof(T))`, `__attribute__((aligned(8)))` between `struct` and its name, in bytes; 1: there
/// are none. nullopt: they are not understood, or pack the members.
std::optional<std::uint64_t> Parser::alignment_of_words() {
  std::uint64_t out = 1;
  bool known = true;
  while (aligns(at_)) {
    const std::size_t after = after_brackets(at_ + 1);
    if (is("__attribute__")) {
      for (; at_ < after && !is("aligned"); ++at_) known = known && !is("packed") && !is("__packed__");
      if (at_ >= after) continue;
    }
    at_ += 2;
    const std::size_t first = at_;
    const auto t = type(false);
    if (t && is(")")) {
      out = std::max(out, alignment(p_.types, t->type));
    } else {
      at_ = first;
      const Expr* e = assignment();
      const auto n = is(")") && p_.evaluate ? p_.evaluate(e) : std::nullopt;
      known = known && n && *n > 0 && *n <= most_alignment && (*n & (*n - 1)) == 0;
      if (n && known) out = std::max(out, static_cast<std::uint64_t>(*n));
    }
    at_ = after;
  }
  return known ? std::optional(out) : std::nullopt;
}

/// At `struct`, `class` or `typedef struct`, with a body: the number of the structure.
int Parser::record(bool in_function) {
  const bool is_typedef = take("typedef");
  const bool is_union = is("union");
  ++at_;
  const std::optional<std::uint64_t> align = alignment_of_words();
  std::string_view name = is_word(at_) ? text() : std::string_view();
  if (!name.empty()) ++at_;
  const int r = p_.types.add_record(std::string(name));
  p_.types.record(r).of_file = true;
  p_.types.record(r).align = align.value_or(1);
  if (!align) p_.types.record(r).has_unknown = true;
  if (!name.empty()) enter_type(name, p_.types.record_type(r));
  if (in_function || (class_ >= 0 && p_.bindings_of(class_) != nullptr)) {
    p_.types.record(r).path = joined_path(path_, name);
    p_.bind(r, {inner_.rbegin(), inner_.rend()});
    p_.bind(r, bindings_);
  }
  record_after_name(r);
  if (is_union) p_.types.record(r).has_unknown = true;
  if (is_typedef && is_word(at_)) {
    name = text();
    enter_type(name, p_.types.record_type(r));
    if (p_.types.record(r).name.empty()) p_.types.record(r).name = std::string(name);
  }
  p_.types.complete(r);
  return r;
}

/// Bases, members and methods.
void Parser::record_after_name(int r) {
  if (is(":"))
    while (!done() && !is("{")) {
      if (is_word(at_))
        if (const Type* base = found_type(text()); base != nullptr && base->kind == Kind::record) {
          const std::vector<Member> inherited = p_.types.record(base->record).members;
          std::vector<int>& starts = p_.types.record(r).empty_at_start;
          const std::vector<int> of_base = p_.types.record(base->record).empty_at_start;
          if (p_.types.record(r).members.empty()) starts.insert(starts.end(), of_base.begin(), of_base.end());
          if (inherited.empty()) starts.push_back(base->record);
          // Members that follow may begin in the padding at the end of the base, whose own alignment is not inherited here.
          const Record& of = p_.types.record(base->record);
          std::uint64_t used = 1, align = 1;
          for (const Member& m : inherited)
            used = m.offset + m.type->bytes, align = std::max(align, alignment(p_.types, m.type));
          if (of.bytes != used || of.align > align) p_.types.record(r).has_unknown = true;
          for (const Member& m : inherited) {
            p_.types.add_member(r, m.name, m.type, m.initial);
            p_.types.record(r).members.back().reference = m.reference;
          }
          const std::vector<int> methods = p_.types.record(base->record).methods;
          std::vector<int>& own = p_.types.record(r).methods;
          own.insert(own.end(), methods.begin(), methods.end());
          const std::vector<std::string_view> virtuals = p_.types.record(base->record).virtuals;
          p_.types.record(r).virtuals.insert(p_.types.record(r).virtuals.end(), virtuals.begin(), virtuals.end());
          if (p_.types.record(base->record).has_unknown) p_.types.record(r).has_unknown = true;
          const auto constants = p_.types.record(base->record).constants;
          p_.types.record(r).constants.insert(constants.begin(), constants.end());
        }
      ++at_;
    }
  const std::size_t end = after_brackets(at_);
  const auto defined = is("{") ? p_.methods.find(t_[at_].token) : p_.methods.end();
  if (is("{") && p_.bindings_of(r) == nullptr) p_.read_classes.insert(t_[at_].token);
  take("{");
  const std::string_view plain = p_.types.record(r).of_template.empty() ? std::string_view(p_.types.record(r).name)
                                                                        : p_.types.record(r).of_template;
  const std::string around = std::exchange(path_, joined_path(path_, plain));
  const int outer = std::exchange(class_, r);
  const std::size_t known = inner_.size();
  members(r, end - 1);
  inner_.resize(known);
  path_ = around;
  class_ = outer;
  at_ = end;
  // `#pragma pack`, and an alignment after the braces
  if (aligns(at_) || std::ranges::any_of(p_.lexed.directives, [&](const Directive& d) {
        const std::string_view text = std::string_view(p_.lexed.text).substr(d.offset, d.length);
        return text.find("pragma") != std::string_view::npos && text.find("pack") != std::string_view::npos;
      }))
    p_.types.record(r).has_unknown = true;
  if (defined == p_.methods.end()) return;
  std::vector<int>& own = p_.types.record(r).methods;
  own.insert(own.end(), defined->second.begin(), defined->second.end());
}

/// At `template`, at file scope: a class is kept as tokens, anything else is passed over.
void Parser::template_declaration() {
  std::size_t i = is(at_ + 1, "<") ? after_template_arguments(at_ + 1) : at_ + 1;
  if (i > at_ + 1 && (is(i, "struct") || is(i, "class"))) {
    ++i;
    while (aligns(i)) i = after_brackets(i + 1);
    const bool specialisation = is(i + 1, "<");
    const std::size_t after = specialisation ? after_template_arguments(i + 1) : i + 1;
    const bool body = is(after, "{") || is(after, ":");
    if (is_word(i) && (body || (is(after, ";") && !specialisation)))
      p_.enter_class_template(t_[i].text, outline_first_, outline_last_,
                              specialisation ? ClassText::specialisation
                              : body         ? ClassText::definition
                                             : ClassText::declaration);
  }
  skip_statement();
}

/// To the name of a class template that begins with `template`.
std::optional<std::uint64_t> Parser::to_class_name() {
  at_ = after_template_arguments(1) + 1;
  return alignment_of_words();
}

std::optional<Expr> Parser::specialised_for() {
  to_class_name();
  ++at_;
  Expr arguments;
  if (!is("<") || !template_argument(arguments)) return std::nullopt;
  return arguments;
}

void Parser::instance(int r) {
  const std::optional<std::uint64_t> align = to_class_name();
  p_.types.record(r).align = align.value_or(1);
  if (!align) p_.types.record(r).has_unknown = true;
  ++at_;
  if (is("<")) at_ = after_template_arguments(at_);  // a specialisation
  record_after_name(r);
}

/// At the name of a class template of the file, whose `<` follows.
const Type* Parser::class_template(std::string_view name) {
  if (!p_.class_templates.contains(name)) return nullptr;
  const std::size_t start = at_;
  ++at_;
  Expr arguments;
  const Type* t = template_argument(arguments) ? p_.class_instance(name, arguments) : nullptr;
  if (t == nullptr) at_ = start;
  return t;
}

void Parser::members(int r, std::size_t end) {
  const auto skip = [&] {
    while (at_ < end && !is(";")) {
      const bool body = is("{");
      at_ = body || is("(") || is("[") ? after_brackets(at_) : at_ + 1;
      if (body && !is(";") && !is(",")) return;
    }
    take(";");
  };
  while (at_ < end) {
    const std::size_t before = at_;
    if (is(at_ + 1, ":") && is_word(at_)) {  // public:
      at_ += 2;
      continue;
    }
    if (is("enum")) {
      enumeration();
      take(";");
      continue;
    }
    if (is("using") || is("typedef")) {
      alias();
      continue;
    }
    const bool overlaps = is("union") && defines_record();
    if (overlaps || is("template") || is("friend")) {
      if (overlaps) p_.types.record(r).has_unknown = true;
      skip();
      continue;
    }
    for (std::size_t i = at_; i < end && !is(i, ";") && !is(i, "{"); ++i)  // alignments of a member
      if (one_of(t_[i].text, {"alignas", "__align__", "aligned", "__aligned__", "packed", "__packed__"}) &&
          !defines_record())
        p_.types.record(r).has_unknown = true;
    const bool is_virtual = take("virtual");
    if (is_virtual) p_.types.record(r).has_unknown = true;  // a pointer to its table goes before the members
    std::size_t first = at_;                                // `explicit operator int() const`: no member
    while (first < end && (one_of(t_[first].text, words_after_result) || t_[first].text == "explicit")) ++first;
    if (is(first, "operator") || is(first, "friend")) {
      skip();
      continue;
    }
    std::optional<TypeRead> t;
    if (defines_record()) {
      const bool named = is_word(at_ + 1);
      const Type* inner = p_.types.record_type(record());
      if (take(";")) {
        if (!named) p_.types.record(r).has_unknown = true;  // its members are those of `r`
        continue;
      }
      t = TypeRead{.type = inner, .base = inner};
    } else {
      t = type(true);
    }
    const bool shared =
        std::any_of(t_.begin() + static_cast<std::ptrdiff_t>(before), t_.begin() + static_cast<std::ptrdiff_t>(at_),
                    [](const HostToken& token) { return token.text == "shared_ptr"; });
    while (t && one_of(text(), words_after_result)) ++at_;           // `bool __host__ ready()`
    if (auto pointer = t ? pointer_declarator(*t) : std::nullopt) {  // float (*f)(int);
      p_.types.record(r).has_unknown |= pointer->type->kind == Kind::automatic || !pointer->extents.empty();
      p_.types.add_member(r, pointer->name, pointer->type, take("=") ? assignment() : nullptr);
      skip();
      continue;
    }
    if (!t || !is_word(at_)) {
      at_ = std::max(before, at_);
      skip();
      continue;
    }
    TypeRead next = *t;  // of `int *a, *b;` each has a star of its own
    next.type = t->base, next.reference = false;
    for (TypeRead each = *t;; each = next, suffixes(each)) {
      if (each.type->kind == Kind::automatic) each.type = p_.types.unknown("auto");
      if (!is_word(at_)) break;
      const std::string_view name = text();
      ++at_;
      if (is("(") || name == "operator") {  // a method
        if (is_virtual) p_.types.record(r).virtuals.push_back(name);
        break;
      }
      std::vector<std::int64_t> extents;
      while (is("[")) {
        const std::size_t after = after_brackets(at_);
        ++at_;
        const Expr* count = assignment();
        const auto n = count != nullptr && p_.evaluate ? p_.evaluate(count) : std::nullopt;
        if (!n || *n < 0) p_.types.record(r).has_unknown = true;
        extents.push_back(n.value_or(0));
        at_ = after;
      }
      for (auto n = extents.rbegin(); n != extents.rend(); ++n)
        each.type = p_.types.array_of(each.type, static_cast<std::uint64_t>(std::max<std::int64_t>(*n, 0)));
      if (is(":")) {  // bit fields
        p_.types.record(r).has_unknown = true;
        each.type = p_.types.unknown("of a bit field");
        while (at_ < end && !is(";") && !is(",")) ++at_;
      }
      Expr* initial = nullptr;
      if (take("="))
        initial = is("{") ? list() : assignment();
      else if (is("{"))
        initial = list();
      if (each.is_static) {
        const auto v = initial != nullptr && p_.evaluate ? p_.evaluate(initial) : std::nullopt;
        if (v) p_.types.record(r).constants[std::string(name)] = *v;
        if (v && p_.types.record(r).of_template.empty()) {  // of an instance it is another one for each
          p_.constants[name] = *v;
          p_.scopes.enter(name, path_, {.constant = *v});
        }
      } else {
        p_.types.add_member(r, name, each.reference ? p_.types.pointer_to(each.type) : each.type, initial);
        if (each.reference && !p_.types.record(r).members.empty()) p_.types.record(r).members.back().reference = true;
        if (shared && each.type->kind == Kind::pointer)  // two pointers, of which the second leads to the counter
          p_.types.add_member(r, "", p_.types.pointer_to(p_.types.void_));
        else if (shared)
          p_.types.record(r).has_unknown = true;
      }
      if (!take(",")) break;
    }
    if (!take(";")) skip();
    if (at_ == before) ++at_;
  }
}

void Parser::enumeration() {
  ++at_;
  const bool scoped = is("class") || is("struct");
  if (scoped) ++at_;
  std::string_view enumeration;
  if (is_word(at_)) {
    enumeration = text();
    enter_type(enumeration, p_.types.int_);
    p_.has_enumerations = true;
    ++at_;
  }
  while (!done() && !is("{") && !is(";")) ++at_;
  if (!is("{")) return;
  const std::size_t end = after_brackets(at_);
  ++at_;
  for (std::int64_t next = 0; at_ + 1 < end && is_word(at_); ++next) {
    const std::string_view name = text();
    ++at_;
    if (take("=")) {
      const Expr* e = assignment();
      const auto v = e != nullptr && p_.evaluate ? p_.evaluate(e) : std::nullopt;
      if (!v) break;
      next = *v;
    }
    p_.constants[name] = next;
    if (class_ >= 0 && !scoped) p_.types.record(class_).constants[std::string(name)] = next;
    if (!enumeration.empty()) p_.scopes.enter(name, joined_path(path_, enumeration), {.constant = next});
    if (!scoped) p_.scopes.enter(name, path_, {.constant = next});
    if (!take(",")) break;
  }
  at_ = end;
}

/// After a type, at `(*name[2])(int)`, `(*name)[4]` or `(*)(int)`; nullopt, and nothing read: at anything else.
std::optional<Parser::PointerDeclarator> Parser::pointer_declarator(const TypeRead& of) {
  const std::size_t after = is("(") && is(at_ + 1, "*") ? after_brackets(at_) : at_;
  if (after == at_ || (!is(after, "(") && !is(after, "["))) return std::nullopt;
  PointerDeclarator out{.type = p_.types.code};
  for (at_ += 2; is("const") || is("__restrict__") || is("*"); ++at_)
    if (is("*")) out.type = p_.types.pointer_to(out.type);
  if (is_word(at_)) out.name = text(), ++at_;
  const auto extents = [&] {
    std::vector<Expr*> all;
    for (std::size_t next = at_; is("["); at_ = next) {
      next = after_brackets(at_);
      ++at_;
      all.push_back(is("]") ? nullptr : expression());
    }
    return all;
  };
  out.extents = extents();
  at_ = after;
  if (is("(")) return at_ = after_brackets(at_), out;
  const Type* row = out.type == p_.types.code ? of.type : nullptr;
  const std::vector<Expr*> all = extents();
  for (auto count = all.rbegin(); count != all.rend() && row != nullptr; ++count) {
    const auto n = *count != nullptr && p_.evaluate ? p_.evaluate(*count) : std::nullopt;
    row = n && *n >= 0 ? p_.types.array_of(row, static_cast<std::uint64_t>(*n)) : nullptr;
  }
  out.type = row != nullptr ? p_.types.pointer_to(row) : p_.types.automatic;
  return out;
}

/// Tokens [first, last) of a number's type: "size_t" and "unsigned long long" are one type here. Empty: they do not mean it
/// outside of the function.
std::string Parser::words_of_number(const TypeRead& t, std::size_t first, std::size_t last) const {
  if (!t.type->is_number()) return {};
  if (names_inner(first, last)) return name_outside(first, last, t.type);
  for (std::size_t i = first; i < last; ++i)
    if (std::ranges::find(bindings_, t_[i].text, &Bound::name) != bindings_.end()) return {};
  return spelled(first, last);
}

/// `using A = B;`, `typedef B A;`
void Parser::alias() {
  if (take("using")) {
    const std::string_view name = text();
    if (is_word(at_) && is(at_ + 1, "=")) {
      at_ += 2;
      const std::size_t first = at_;
      if (const auto t = type(true)) {
        const std::string words = words_of_number(*t, first, at_);
        if (may_be_qualified(first, at_)) p_.qualified_names.insert(name);
        const auto pointer = pointer_declarator(*t);  // using F = void (*)(int);
        enter_type(name,
                   pointer   ? pointer->type
                   : is("(") ? p_.types.function
                   : is("[") ? p_.types.unknown(name)
                             : t->type,
                   words);
      }
    }
  } else if (take("typedef")) {
    const std::size_t first = at_;
    const auto t = type(true);
    const std::string words = t ? words_of_number(*t, first, at_) : std::string();
    if (const auto pointer = t ? pointer_declarator(*t) : std::nullopt) {
      if (pointer->extents.empty()) enter_type(pointer->name, pointer->type);
    } else if (t && is_word(at_)) {
      const Type* named = t->type;
      const std::string_view name = text();
      if (may_be_qualified(first, at_)) p_.qualified_names.insert(name);
      ++at_;
      if (is("[")) named = p_.types.unknown(name);
      enter_type(name, is("(") ? p_.types.function : named, words);
    }
  }
  while (!done() && !is(";")) at_ = is("(") || is("{") || is("[") ? after_brackets(at_) : at_ + 1;
  take(";");
}

}  // namespace lanescope::source::host
