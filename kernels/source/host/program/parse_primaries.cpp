// The smallest parts of expressions: numbers, names, lists, lambdas, new.

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <utility>

#include "kernels/base/text.h"
#include "kernels/source/host/program/parser.h"

namespace lanescope::source::host {

char character_of(std::string_view text, std::size_t& at) {
  const char c = text[at++];
  if (c != '\\' || at >= text.size()) return c;
  const char kind = text[at];
  const bool hex = kind == 'x';
  if (hex || (kind >= '0' && kind <= '7')) {
    const std::size_t first = at + (hex ? 1 : 0), most = hex ? text.size() : std::min(first + 3, text.size());
    unsigned value = 0;
    const char* const end = std::from_chars(text.data() + first, text.data() + most, value, hex ? 16 : 8).ptr;
    at = static_cast<std::size_t>(end - text.data());
    return static_cast<char>(value);
  }
  ++at;
  static constexpr std::pair<char, char> named[] = {{'n', '\n'}, {'t', '\t'}, {'r', '\r'}, {'a', '\a'},
                                                    {'b', '\b'}, {'f', '\f'}, {'v', '\v'}};
  for (const auto& [letter, meaning] : named)
    if (letter == kind) return meaning;
  return kind;
}

std::string characters_of_literal(std::string_view text) {
  std::string out;
  const std::size_t open = std::min(text.find('"'), text.size());
  if (text.substr(0, open).ends_with('R')) {  // R"delimiter(characters)delimiter"
    const std::size_t first = text.find('(', open), last = text.rfind(')');
    return first < last && last != std::string_view::npos ? std::string(text.substr(first + 1, last - first - 1)) : out;
  }
  const std::string_view whole = text.substr(0, std::max(text.size(), open + 1) - 1);
  for (std::size_t at = open + 1; at < whole.size();) out += character_of(whole, at);
  return out;
}

Expr* Parser::number() {
  Expr* e = make(Op::number);
  std::string digits(text());
  ++at_;
  std::erase(digits, '\'');
  const bool hex = digits.starts_with("0x") || digits.starts_with("0X");
  const bool binary_digits = digits.starts_with("0b") || digits.starts_with("0B");
  const bool real =
      !binary_digits && (hex ? digits.find_first_of(".pP") : digits.find_first_of(".eE")) != std::string::npos;
  if (real || (!hex && !binary_digits && (digits.back() == 'f' || digits.back() == 'F'))) {
    e->type = digits.back() == 'f' || digits.back() == 'F' ? p_.types.float_ : p_.types.double_;
    e->real = std::strtod(digits.c_str(), nullptr);
    if (e->type == p_.types.float_) e->real = static_cast<float>(e->real);
    return e;
  }
  bool is_unsigned = false, is_long = false;
  while (!digits.empty() && std::string_view("uUlLzZ").find(digits.back()) != std::string_view::npos) {
    is_unsigned |= digits.back() == 'u' || digits.back() == 'U';
    is_long |= digits.back() != 'u' && digits.back() != 'U';
    digits.pop_back();
  }
  int base = 10;
  std::string_view rest = digits;
  if (hex) rest.remove_prefix(2), base = 16;
  if (binary_digits) rest.remove_prefix(2), base = 2;
  if (base == 10 && rest.size() > 1 && rest.front() == '0') base = 8;
  std::uint64_t value = 0;
  const auto [end, problem] = std::from_chars(rest.data(), rest.data() + rest.size(), value, base);
  if (problem != std::errc() || end != rest.data() + rest.size()) e->op = Op::unknown;
  e->whole = static_cast<std::int64_t>(value);
  const bool fits_int = value <= 0x7fffffff, fits_u32 = value <= 0xffffffff, fits_i64 = value <= 0x7fffffffffffffff;
  if (is_unsigned)
    e->type = fits_u32 && !is_long ? p_.types.u32 : p_.types.u64;
  else if (fits_int && !is_long)
    e->type = p_.types.int_;
  else if (base != 10 && fits_u32 && !is_long)
    e->type = p_.types.u32;
  else
    e->type = fits_i64 ? p_.types.i64 : p_.types.u64;
  return e;
}

/// `{a, b}`, `{.x = a}`: the members' names in `words`.
Expr* Parser::constant_of(std::int64_t value) {
  Expr* e = make(Op::number);
  e->type = value == static_cast<std::int32_t>(value) ? p_.types.int_ : p_.types.i64;
  e->whole = value;
  return e;
}

/// `Class::name` or `Template<int>::name`, where it is a constant or a called method of the class.
Expr* Parser::static_member() {
  const std::size_t start = at_;
  while (is_word(at_) && is(at_ + 1, "::") && is_word(at_ + 2) && (is(at_ + 3, "::") || is(at_ + 3, "<"))) at_ += 2;
  const Type* t = nullptr;
  if (is_word(at_) && is(at_ + 1, "::"))
    t = found_type(text()), ++at_;
  else if (is_word(at_) && is(at_ + 1, "<"))
    t = class_template(text());
  if (t != nullptr && t->kind == Kind::record && is("::") && is_word(at_ + 1)) {
    const Record& r = p_.types.record(t->record);
    if (is(at_ + 1, "template") && is_word(at_ + 2)) ++at_;
    const std::string_view name = t_[at_ + 1].text;
    const bool of_template = is(at_ + 2, "<") && is(after_template_arguments(at_ + 2), "(");
    if (is(at_ + 2, "(") || of_template) {
      if (std::ranges::any_of(r.methods, [&](int f) { return p_.function(f).info.name == name; })) {
        Expr* e = make(Op::name);
        e->text = name;
        e->type = t;
        at_ += 2;
        if (of_template) template_argument(*e);
        return e;
      }
    } else if (const auto c = r.constants.find(name); c != r.constants.end()) {
      return at_ += 2, constant_of(c->second);
    }
  }
  at_ = start;
  return nullptr;
}

/// Whether several types of C++ are this one: `long` and `long long`, `int` and an enumeration.
bool Parser::is_ambiguous(const Type* t) const {
  while (t->kind == Kind::pointer || t->kind == Kind::array) t = t->of;
  return (t->kind == Kind::integer && t->bytes == 8) || (t == p_.types.int_ && p_.has_enumerations) ||
         t->kind == Kind::unknown || t->kind == Kind::automatic || t->kind == Kind::code;
}

/// Whether tokens [first, last) may name a type with `const`, `volatile` or `&`, which types here do not have.
bool Parser::may_be_qualified(std::size_t first, std::size_t last) const {
  for (std::size_t i = first; i < std::min(last, t_.size()); ++i)
    if (one_of(t_[i].text, {"const", "volatile", "&", "&&"}) || p_.qualified_names.contains(t_[i].text) ||
        std::ranges::any_of(bindings_, [&](const Bound& b) { return b.qualified && b.name == t_[i].text; }))
      return true;
  return false;
}

/// `std::is_same_v<A, B>`, `std::is_integral<A>::value`; nullptr, and nothing read: anything else, or it is not certain.
Expr* Parser::type_trait() {
  const std::size_t start = at_;
  if (is("std") && is(at_ + 1, "::")) at_ += 2;
  std::string_view trait = text();
  const bool is_value = trait.ends_with("_v");
  if (is_value) trait.remove_suffix(2);
  const std::size_t count = trait == "is_same" ? 2 : one_of(trait, {"is_floating_point", "is_integral"}) ? 1 : 0;
  const std::size_t after = count > 0 ? after_template_arguments(at_ + 1) : at_ + 1;
  std::vector<const Type*> types;
  bool certain = after > at_ + 1 && (is_value || (is(after, "::") && is(after + 1, "value")));
  const bool qualified = may_be_qualified(at_ + 1, after);
  for (at_ += 2; certain && types.size() < count && (types.empty() || take(","));) {
    const auto t = type(false);
    certain = t && !t->reference;
    if (certain) types.push_back(t->type);
  }
  if (certain && types.size() == count && at_ + 1 == after) {
    const Type *a = types.front(), *b = types.back();
    const bool same = a == b;
    const bool truth = count == 2                     ? same
                       : trait == "is_floating_point" ? a == p_.types.float_ || a == p_.types.double_
                                                      : a->is_whole();
    const bool unclear = count == 1 ? is_ambiguous(a) && a->kind != Kind::integer
                         : same     ? is_ambiguous(a)
                                    : a->kind == Kind::unknown || b->kind == Kind::unknown;
    at_ = is_value ? after : after + 2;
    if (!unclear && !(truth && qualified)) {
      Expr* e = make(Op::number);
      e->type = p_.types.bool_, e->whole = truth ? 1 : 0;
      return e;
    }
  }
  at_ = start;
  return nullptr;
}

Expr* Parser::list() {
  Expr* e = make(Op::list);
  const bool before = closes_;
  closes_ = false;
  take("{");
  while (!done() && !is("}")) {
    std::string_view member;
    if (is(".") && is_word(at_ + 1) && (is(at_ + 2, "=") || is(at_ + 2, "{"))) {
      member = t_[at_ + 1].text;
      at_ += 2;
      take("=");
    }
    const std::size_t first = at_;
    if (++depth_ > deepest_expression) {
      --depth_;
      break;
    }
    e->parts.push_back(is("{") ? list() : assignment());
    --depth_;
    e->words.push_back(member);
    if (at_ == first) break;
    if (!take(",")) break;
  }
  while (!done() && !is("}") && !is(";")) at_ = is("(") || is("[") || is("{") ? after_brackets(at_) : at_ + 1;
  take("}");
  closes_ = before;
  return e;
}

Expr* Parser::size_of() {
  Expr* e = make(Op::size_of);
  ++at_;
  if (is("...")) return make(Op::unknown);
  if (is("(")) {
    const std::size_t after = after_brackets(at_);
    ++at_;
    const std::size_t first = at_;
    if (const auto t = type(false); t && (is(")") || is("["))) {
      e->type = t->type;
      if (take("[")) {
        Expr* count = assignment();
        const auto n = p_.evaluate ? p_.evaluate(count) : std::nullopt;
        e->type = n ? p_.types.array_of(t->type, static_cast<std::uint64_t>(std::max<std::int64_t>(*n, 0)))
                    : p_.types.unknown("array");
      }
    } else {
      at_ = first;
      const bool before = closes_;
      closes_ = false;
      e->parts = {expression()};
      closes_ = before;
    }
    at_ = after;
  } else {
    e->parts = {unary()};
  }
  return e;
}

Expr* Parser::new_expression() {
  Expr* e = make(Op::new_);
  ++at_;
  if (is("(")) at_ = after_brackets(at_);
  const auto t = type(true);
  if (!t) return make(Op::unknown);
  e->type = t->type;
  if (is("[")) {
    const std::size_t after = after_brackets(at_);
    ++at_;
    e->parts = {expression()};
    e->text = "[]";
    at_ = after;
  }
  if (take("(")) {
    e->more = arguments(")", false);
    e->source = "()";
  } else if (is("{")) {
    e->more = {list()};
    e->source = "{}";
  }
  return e;
}

Expr* Parser::lambda() {
  Expr* e = make(Op::lambda);
  const std::size_t after = after_brackets(at_);
  bool by_value = false;
  std::set<int> named;
  for (std::size_t i = at_ + 1; i + 1 < after; ++i) {
    by_value |= is(i, "=") && (is(i - 1, "[") || is(i - 1, ","));
    if (!is_word(i)) continue;
    const bool plain = is(i + 1, ",") || is(i + 1, "]");
    if (const auto slot = local(t_[i].text); slot && plain && (is(i - 1, "[") || is(i - 1, ",")))
      e->captured.push_back(*slot);
    if (const auto slot = local(t_[i].text)) named.insert(*slot);
  }
  at_ = after;
  const int first_own = slots_;
  const std::set<int> used_before = std::exchange(used_, {});
  scopes_.emplace_back();
  if (is("(")) {
    ++at_;
    for (const ParameterOf& p : parameters()) {
      e->slots.push_back(p.slot);
      e->types.push_back(p.type);
      e->words.push_back(p.in_pack ? (p.reference ? "&..." : "...") : p.reference ? "&" : "");
    }
    take(")");
  }
  while (!done() && !is("{") && !is(";")) ++at_;
  if (is("{") && depth_ < deepest_expression) {
    ++depth_;
    const bool before = closes_;
    closes_ = false;
    e->body = block();
    closes_ = before;
    --depth_;
  }
  scopes_.pop_back();
  for (const int slot : used_)
    if (by_value && slot < first_own && !named.contains(slot)) e->captured.push_back(slot);
  used_.insert(used_before.begin(), used_before.end());
  return e;
}

/// `({ int x = f(); x + 1; })`, after its parenthesis.
Expr* Parser::statements() {
  if (depth_ >= deepest_expression) return make(Op::unknown);
  Expr* e = make(Op::statements);
  ++depth_;
  e->body = block();
  --depth_;
  return e;
}

Expr* Parser::primary() {
  if (done()) return make(Op::unknown);
  const HostToken& t = t_[at_];
  switch (t.kind) {
    case TokenKind::number:
      return number();
    case TokenKind::string: {
      Expr* e = make(Op::string);
      e->text = t.text;
      ++at_;
      while (!done() && t_[at_].kind == TokenKind::string) {
        const std::string_view more = t_[at_].text;
        if (e->text.ends_with('"') && more.starts_with('"'))
          e->text = kept(std::string(e->text.substr(0, e->text.size() - 1)) + std::string(more.substr(1)));
        ++at_;
      }
      return e;
    }
    case TokenKind::character: {
      Expr* e = make(Op::number);
      e->type = p_.types.char_;
      if (t.text.size() > 2) {
        std::size_t at = 1;
        e->whole = character_of(t.text, at);
      }
      ++at_;
      return e;
    }
    case TokenKind::identifier:
      return name();
    case TokenKind::punctuator:
      break;
  }
  if (is("(")) {
    const std::size_t after = after_brackets(at_);
    ++at_;
    const bool before = closes_;
    closes_ = false;
    Expr* e = is("{") ? statements() : expression();
    closes_ = before;
    if (at_ + 1 != after) e = make(Op::unknown);
    at_ = after;
    return e;
  }
  if (is("[")) return lambda();
  if (is("::") && is_word(at_ + 1)) return name();
  if (is("{")) return list();
  return make(Op::unknown);
}

Expr* Parser::name() {
  const std::string_view word = text();
  static constexpr std::string_view casts[] = {"static_cast", "reinterpret_cast", "const_cast", "dynamic_cast"};
  if (one_of(word, casts) && is(at_ + 1, "<")) {
    at_ += 2;
    const auto t = type(true);
    while (!done() && !is(">") && !is(";")) ++at_;
    take(">");
    if (!t || !take("(")) return make(Op::unknown);
    Expr* e = cast_of(t->type, nullptr);
    const auto of = arguments(")", false);
    if (of.size() != 1) return make(Op::unknown);
    e->parts = of;
    return e;
  }
  if (word == "true" || word == "false") {
    Expr* e = make(Op::number);
    e->type = p_.types.bool_;
    e->whole = word == "true";
    return ++at_, e;
  }
  if (word == "nullptr" || word == "NULL") {
    Expr* e = make(Op::number);
    e->type = p_.types.pointer_to(p_.types.void_);
    return ++at_, e;
  }
  if (word == "this") return ++at_, make(Op::this_);
  if (const auto slot = local(word); slot && !is(at_ + 1, "::")) {
    Expr* e = make(Op::local);
    e->slot = *slot;
    e->text = word;
    for (const Bound& b : inner_)
      if (b.name == word && b.value) e->type = p_.types.i64, e->whole = *b.value;
    if (const auto pack = packs_.find(word);
        pack_element_ >= 0 && pack != packs_.end() && pack->second.front() == *slot)
      e->slot = pack_slot_ = pack->second[static_cast<std::size_t>(pack_element_)];
    used_.insert(e->slot);
    return ++at_, e;
  }
  for (const Bound& b : bindings_)
    if (b.name == word && b.value) {
      Expr* e = make(Op::number);
      e->type = p_.types.int_;
      e->whole = *b.value;
      if (*b.value != static_cast<std::int32_t>(*b.value)) e->type = p_.types.i64;
      if (b.spelled == "true" || b.spelled == "false") e->type = p_.types.bool_;
      return ++at_, e;
    }
  for (const Bound& b : bindings_)  // a function that the template is given
    if (b.name == word && !b.value && b.type == nullptr) {
      if (b.function != nullptr) {
        Expr* e = make(Op::name);
        const int line = e->line;
        *e = *b.function;
        e->line = line;
        return ++at_, e;
      }
      const std::size_t scope = b.spelled.rfind("::");
      const std::string last = scope == std::string::npos ? b.spelled : b.spelled.substr(scope + 2);
      if (!p_.functions.contains(last)) continue;
      Expr* e = make(Op::name);
      e->text = kept(last);
      e->source = kept(b.spelled);
      return ++at_, e;
    }
  const std::size_t start = at_;
  if (Expr* trait = type_trait()) return trait;
  if (Expr* constant = static_member()) return constant;
  if (const auto t = type(false); t && !t->reference) {
    Expr* e = make(Op::construct);
    e->type = t->type;
    if (is("(")) {
      ++at_;
      e->more = arguments(")", false);
      e->text = "()";
      return e;
    }
    if (is("{")) {
      e->more = {list()};
      e->text = "{}";
      return e;
    }
    if (!is("::")) at_ = start;
  }
  at_ = start;
  // a qualified name: what counts is its last word
  Expr* e = make(Op::name);
  const bool global = take("::");
  const std::size_t first = at_;
  while (is_word(at_)) {
    e->text = text();
    ++at_;
    if (is("<")) {
      const std::size_t after = after_template_arguments(at_);
      const bool ends = is(after, ")") || is(after, "}") || is(after, ",") || is(after, ";") ||
                        (closes_ && is(after, ">"));  // the argument of another template
      const bool template_name = after != at_ && (ends || is(after, "(") || is(after, "<<<") || is(after, "::"));
      const bool known = p_.functions.contains(e->text) || is(after, "(") || is(after, "<<<") || is(after, "::");
      if (template_name && known) {
        e->source = kept(spelled(first, at_));
        if (!template_argument(*e)) break;
      }
    }
    if (!is("::") || !is_word(at_ + 1)) break;
    ++at_;
  }
  if (e->source.empty()) e->source = kept(spelled(first, at_));
  if (global && is("(") && p_.functions.contains(e->text)) e->source = kept("::" + std::string(e->source));
  const bool scoped = e->source.find("::") != std::string_view::npos;
  if (record_ >= 0 && !scoped)
    if (p_.types.record(record_).find(e->text) != nullptr) {
      Expr* member = make(Op::arrow);
      member->text = e->text;
      member->parts = {make(Op::this_)};
      return member;
    }
  if (const int r = record_ >= 0 ? record_ : class_; r >= 0 && !scoped)
    if (const auto c = p_.types.record(r).constants.find(e->text); c != p_.types.record(r).constants.end())
      return constant_of(c->second);
  if (const auto own = p_.functions.find(e->text); own != p_.functions.end() && own->second.size() > 1)
    e->scope = kept(path_);
  if (e->words.empty() && p_.scopes.several(e->text)) {
    const Meaning* m = p_.scopes.meant(e->text, qualifier_before(at_ - 1, first), global ? "" : path_);
    if (m != nullptr && m->constant) return constant_of(*m->constant);
    if (m != nullptr && m->slot >= 0) {
      e->op = Op::global;
      e->slot = m->slot;
    }
    return e;
  }
  if (const auto c = p_.constants.find(e->text); c != p_.constants.end() && e->words.empty())
    return constant_of(c->second);
  if (const auto g = p_.globals.find(e->text); g != p_.globals.end() && e->words.empty()) {
    e->op = Op::global;
    e->slot = g->second;
  }
  return e;
}

}  // namespace lanescope::source::host
