#include <algorithm>
#include <charconv>
#include <cstdlib>

#include "kernels/base/text.h"
#include "kernels/source/host/parser.h"

namespace lanescope::source::host {
namespace {

constexpr int deepest_expression = 150;
constexpr int of_shift = 10, of_relation = 9;

struct BinaryWord {
  std::string_view text;
  Op op;
  int precedence;
};
constexpr BinaryWord binary_words[] = {{"||", Op::either, 3},
                                       {"&&", Op::both, 4},
                                       {"|", Op::or_, 5},
                                       {"^", Op::xor_, 6},
                                       {"&", Op::and_, 7},
                                       {"==", Op::equal, 8},
                                       {"!=", Op::not_equal, 8},
                                       {"<", Op::less, of_relation},
                                       {"<=", Op::less_equal, of_relation},
                                       {">=", Op::greater_equal, of_relation},
                                       {"<<", Op::left, of_shift},
                                       {"+", Op::add, 11},
                                       {"-", Op::subtract, 11},
                                       {"*", Op::multiply, 12},
                                       {"/", Op::divide, 12},
                                       {"%", Op::remainder, 12}};
struct AssignWord {
  std::string_view text;
  Op with;
};
constexpr AssignWord assign_words[] = {{"=", Op::assign},    {"+=", Op::add},    {"-=", Op::subtract},
                                       {"*=", Op::multiply}, {"/=", Op::divide}, {"%=", Op::remainder},
                                       {"<<=", Op::left},    {">>=", Op::right}, {"&=", Op::and_},
                                       {"|=", Op::or_},      {"^=", Op::xor_}};

}  // namespace

Expr* Parser::make(Op op) {
  Expr& e = p_.tree.exprs.emplace_back();
  e.op = op;
  e.line = line();
  return &e;
}

Expr* Parser::whole_expression() { return expression(); }

Expr* Parser::template_value() {
  const bool before = closes_;
  closes_ = true;
  Expr* e = binary(3);
  closes_ = before;
  return e;
}

Expr* Parser::expression() {
  Expr* e = assignment();
  while (is(",")) {
    Expr* both = make(Op::comma);
    ++at_;
    both->parts = {e, assignment()};
    e = both;
  }
  return e;
}

Expr* Parser::assignment() {
  if (depth_ > deepest_expression) return make(Op::unknown);
  ++depth_;
  Expr* e = binary(3);
  if (is("?")) {
    Expr* c = make(Op::conditional);
    ++at_;
    const bool before = closes_;
    closes_ = false;
    Expr* yes = assignment();
    closes_ = before;
    take(":");
    c->parts = {e, yes, assignment()};
    e = c;
  } else {
    for (const AssignWord& w : assign_words) {
      if (!is(w.text) || t_[at_].kind != TokenKind::punctuator) continue;
      Expr* a = make(Op::assign);
      a->with = w.with;
      ++at_;
      a->parts = {e, is("{") ? list() : assignment()};
      e = a;
      break;
    }
  }
  --depth_;
  return e;
}

/// The end of a launch, `>> >` as well: no expression has three of them.
bool Parser::three_closers(std::size_t i) const { return is(i, ">") && is(i + 1, ">") && is(i + 2, ">"); }

int Parser::binary_precedence(Op& op, std::size_t& length) const {
  if (done() || t_[at_].kind != TokenKind::punctuator) return -1;
  length = 1;
  if (is(">")) {
    if (closes_ || three_closers(at_)) return -1;
    if (is(at_ + 1, ">") && t_[at_ + 1].glued) return op = Op::right, length = 2, of_shift;
    return op = Op::greater, of_relation;
  }
  for (const BinaryWord& w : binary_words)
    if (t_[at_].text == w.text) return op = w.op, w.precedence;
  return -1;
}

Expr* Parser::binary(int least) {
  if (++depth_ > deepest_expression) return --depth_, make(Op::unknown);
  Expr* left = unary();
  for (;;) {
    Op op = Op::unknown;
    std::size_t length = 1;
    const int precedence = binary_precedence(op, length);
    if (precedence < least) break;
    Expr* e = make(op);
    at_ += length;
    e->parts = {left, binary(precedence + 1)};
    left = e;
  }
  --depth_;
  return left;
}

Expr* Parser::cast_of(const Type* t, Expr* of) {
  Expr* e = make(Op::cast);
  e->type = t;
  e->parts = {of};
  return e;
}

Expr* Parser::unary() {
  if (depth_ > deepest_expression) return make(Op::unknown);
  static constexpr AssignWord words[] = {
      {"-", Op::negate},  {"+", Op::plus},        {"!", Op::not_},        {"~", Op::complement},
      {"&", Op::address}, {"*", Op::dereference}, {"++", Op::before_add}, {"--", Op::before_subtract}};
  if (!done() && t_[at_].kind == TokenKind::punctuator)
    for (const AssignWord& w : words) {
      if (!is(w.text)) continue;
      Expr* e = make(w.with);
      ++at_;
      ++depth_;
      e->parts = {unary()};
      --depth_;
      return e;
    }
  if (is("sizeof")) {
    ++depth_;
    Expr* e = size_of();
    --depth_;
    return e;
  }
  if (is("new")) return new_expression();
  if (is("delete")) {
    Expr* e = make(Op::delete_);
    ++at_;
    if (take("[")) take("]");
    ++depth_;
    e->parts = {unary()};
    --depth_;
    return e;
  }
  if (is("(")) {  // a cast, where a type stands in the parentheses and an operand behind them
    const std::size_t start = at_;
    ++at_;
    const std::size_t first = at_;
    auto t = type(false);
    if (!t && is_word(at_) && !local(text())) {
      t = type(true);
      if (t && t->type->kind != Kind::pointer) t = std::nullopt;
      if (!t) at_ = first;
    }
    const bool operand = is(at_ + 1, "(") || is_word(at_ + 1) || is(at_ + 1, "&") || is(at_ + 1, "*") ||
                         is(at_ + 1, "-") || is(at_ + 1, "~") || is(at_ + 1, "!") || is(at_ + 1, "{") ||
                         (at_ + 1 < t_.size() && t_[at_ + 1].kind != TokenKind::punctuator);
    if (t && is(")") && operand && t->type->kind != Kind::automatic) {
      ++at_;
      ++depth_;
      Expr* of = is("{") ? list() : unary();
      --depth_;
      return cast_of(t->type, of);
    }
    at_ = start;
  }
  return postfix(primary());
}

std::vector<Expr*> Parser::arguments(std::string_view close, bool keep_text) {
  std::vector<Expr*> out;
  const bool before = closes_;
  closes_ = false;
  while (!done() && !is(close)) {
    const std::size_t first = at_;
    Expr* e = is("{") ? list() : assignment();
    if (keep_text) e->source = kept(spelled(first, at_));
    out.push_back(e);
    while (!done() && !is(",") && !is(close)) {  // what was not read
      if (is(";") || is("}")) return closes_ = before, out;
      out.back() = make(Op::unknown);
      at_ = is("(") || is("[") || is("{") ? behind_brackets(at_) : at_ + 1;
    }
    if (!take(",")) break;
  }
  take(close);
  closes_ = before;
  return out;
}

Expr* Parser::launch(Expr* kernel) {
  Expr* e = make(Op::launch);
  ++at_;
  const bool before = closes_;
  closes_ = false;
  e->parts = {kernel};
  while (!done() && !three_closers(at_) && !is(";")) {
    e->parts.push_back(is("{") ? list() : assignment());
    if (!take(",")) break;
  }
  closes_ = before;
  while (!done() && !three_closers(at_) && !is(";")) ++at_;
  if (!three_closers(at_)) return make(Op::unknown);
  at_ += 3;
  if (take("(")) e->more = arguments(")", true);
  return e;
}

Expr* Parser::postfix(Expr* e) {
  for (int chain = 0; chain < 400; ++chain) {
    if (is("(")) {
      Expr* call = make(Op::call);
      ++at_;
      call->parts = {e};
      for (Expr* a : arguments(")", true)) call->parts.push_back(a);
      e = call;
    } else if (is("[")) {
      Expr* index = make(Op::index);
      ++at_;
      const bool before = closes_;
      closes_ = false;
      index->parts = {e, expression()};
      closes_ = before;
      while (!done() && !is("]") && !is(";")) ++at_;
      take("]");
      e = index;
    } else if ((is(".") || is("->")) && is_word(at_ + 1)) {
      Expr* member = make(is(".") ? Op::member : Op::arrow);
      if (is(at_ + 1, "template") && is_word(at_ + 2)) ++at_;
      member->text = t_[at_ + 1].text;
      at_ += 2;
      member->parts = {e};
      if (is("<") && is(behind_template_arguments(at_), "(")) template_argument(*member);
      e = member;
    } else if (is("++") || is("--")) {
      Expr* change = make(is("++") ? Op::after_add : Op::after_subtract);
      ++at_;
      change->parts = {e};
      e = change;
    } else if (is("<<<")) {
      e = launch(e);
    } else if (is("{") && e->op == Op::cast && e->parts.empty()) {
      e->op = Op::construct;
      e->parts = {list()};
    } else {
      return e;
    }
  }
  return e;
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
  if (is_unsigned) {
    e->type = fits_u32 && !is_long ? p_.types.u32 : p_.types.u64;
  } else if (fits_int && !is_long) {
    e->type = p_.types.int_;
  } else if (base != 10 && fits_u32 && !is_long) {
    e->type = p_.types.u32;
  } else {
    e->type = fits_i64 ? p_.types.i64 : p_.types.u64;
  }
  return e;
}

/// `{a, b}`, `{.x = a}`: the members' names in `words`.
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
  while (!done() && !is("}") && !is(";")) at_ = is("(") || is("[") || is("{") ? behind_brackets(at_) : at_ + 1;
  take("}");
  closes_ = before;
  return e;
}

Expr* Parser::size_of() {
  Expr* e = make(Op::size_of);
  ++at_;
  if (is("...")) return make(Op::unknown);
  if (is("(")) {
    const std::size_t behind = behind_brackets(at_);
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
    at_ = behind;
  } else {
    e->parts = {unary()};
  }
  return e;
}

Expr* Parser::new_expression() {
  Expr* e = make(Op::new_);
  ++at_;
  if (is("(")) at_ = behind_brackets(at_);
  const auto t = type(true);
  if (!t) return make(Op::unknown);
  e->type = t->type;
  if (is("[")) {
    const std::size_t behind = behind_brackets(at_);
    ++at_;
    e->parts = {expression()};
    e->text = "[]";
    at_ = behind;
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
  at_ = behind_brackets(at_);
  scopes_.emplace_back();
  if (is("(")) {
    ++at_;
    for (const ParameterOf& p : parameters()) {
      e->slots.push_back(p.slot);
      e->types.push_back(p.type);
      e->words.push_back(p.reference ? "&" : "");
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
  return e;
}

/// `({ int x = f(); x + 1; })`, behind its parenthesis.
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
      const bool escaped = t.text.size() > 3 && t.text[1] == '\\';
      const char c = t.text.size() > 2 ? t.text[escaped ? 2 : 1] : '\0';
      e->whole = !escaped ? c : c == 'n' ? '\n' : c == 't' ? '\t' : c == '0' ? '\0' : c == 'r' ? '\r' : c;
      ++at_;
      return e;
    }
    case TokenKind::identifier:
      return name();
    case TokenKind::punctuator:
      break;
  }
  if (is("(")) {
    const std::size_t behind = behind_brackets(at_);
    ++at_;
    const bool before = closes_;
    closes_ = false;
    Expr* e = is("{") ? statements() : expression();
    closes_ = before;
    if (at_ + 1 != behind) e = make(Op::unknown);
    at_ = behind;
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
      const std::size_t scope = b.spelled.rfind("::");
      const std::string last = scope == std::string::npos ? b.spelled : b.spelled.substr(scope + 2);
      if (!p_.functions.contains(last)) continue;
      Expr* e = make(Op::name);
      e->text = kept(last);
      e->source = kept(b.spelled);
      return ++at_, e;
    }
  const std::size_t start = at_;
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
  take("::");
  const std::size_t first = at_;
  while (is_word(at_)) {
    e->text = text();
    ++at_;
    if (is("<")) {
      const std::size_t behind = behind_template_arguments(at_);
      const bool template_name = behind != at_ && (is(behind, "(") || is(behind, "<<<") || is(behind, "::") ||
                                                   is(behind, ")") || is(behind, ",") || is(behind, ";"));
      const bool known = p_.functions.contains(e->text) || is(behind, "(") || is(behind, "<<<") || is(behind, "::");
      if (template_name && known) {
        e->source = kept(spelled(first, at_));
        if (!template_argument(*e)) break;
      }
    }
    if (!is("::") || !is_word(at_ + 1)) break;
    ++at_;
  }
  if (e->source.empty()) e->source = kept(spelled(first, at_));
  const bool scoped = e->source.find("::") != std::string_view::npos;
  if (record_ >= 0 && !scoped)
    if (p_.types.record(record_).find(e->text) != nullptr) {
      Expr* member = make(Op::arrow);
      member->text = e->text;
      member->parts = {make(Op::this_)};
      return member;
    }
  if (const auto c = p_.constants.find(e->text); c != p_.constants.end() && e->words.empty()) {
    e->op = Op::number;
    e->type = p_.types.int_;
    e->whole = c->second;
    if (e->whole != static_cast<std::int32_t>(e->whole)) e->type = p_.types.i64;
    return e;
  }
  if (const auto g = p_.globals.find(e->text); g != p_.globals.end() && e->words.empty()) {
    e->op = Op::global;
    e->slot = g->second;
  }
  return e;
}

}  // namespace lanescope::source::host
