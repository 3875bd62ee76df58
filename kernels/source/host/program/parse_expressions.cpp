
#include "kernels/base/text.h"
#include "kernels/source/host/program/parser.h"

namespace lanescope::source::host {
namespace {

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
  Expr* e = assignment();
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
  if (is("(")) {  // a cast, where a type stands in the parentheses and an operand after them
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

/// `f(args)...`, which begins at `first`: a copy for each element that the pack may have. False: it names none.
bool Parser::expand(std::size_t first, std::vector<Expr*>& out) {
  const std::size_t end = at_;
  const int before = std::exchange(pack_element_, 0), slot_before = std::exchange(pack_slot_, -1);
  std::vector<Expr*> copies;
  for (; pack_element_ < most_in_pack; ++pack_element_) {
    pack_slot_ = -1;
    at_ = first;
    Expr* copy = assignment();
    copy->pack_slot = pack_slot_;
    if (pack_slot_ < 0 || at_ != end) break;
    copies.push_back(copy);
  }
  pack_element_ = before, pack_slot_ = slot_before;
  at_ = end;
  if (copies.size() < static_cast<std::size_t>(most_in_pack)) return false;
  out.insert(out.end(), copies.begin(), copies.end());
  return take("...");
}

std::vector<Expr*> Parser::arguments(std::string_view close, bool keep_text) {
  std::vector<Expr*> out;
  const bool before = closes_;
  closes_ = false;
  while (!done() && !is(close)) {
    const std::size_t first = at_;
    Expr* e = is("{") ? list() : assignment();
    if (is("...") && expand(first, out)) {
      if (!take(",")) break;
      continue;
    }
    if (keep_text) e->source = kept(spelled(first, at_));
    out.push_back(e);
    while (!done() && !is(",") && !is(close)) {  // what was not read
      if (is(";") || is("}")) return closes_ = before, out;
      out.back() = make(Op::unknown);
      at_ = is("(") || is("[") || is("{") ? after_brackets(at_) : at_ + 1;
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
      if (is("<") && is(after_template_arguments(at_), "(")) template_argument(*member);
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

}  // namespace lanescope::source::host
