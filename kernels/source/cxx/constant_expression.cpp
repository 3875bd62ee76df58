#include "kernels/source/cxx/constant_expression.h"

#include <charconv>
#include <utility>

#include <fmt/format.h>

#include "kernels/source/cxx/number_types.h"

namespace lanescope::source {
namespace {

constexpr int deepest = 200;  ///< parentheses, branches and right sides within each other

struct Integer {
  std::uint64_t bits = 0;
  bool is_unsigned = false;
  std::int64_t value() const { return static_cast<std::int64_t>(bits); }
};
using Value = tl::expected<Integer, std::string>;

tl::unexpected<std::string> error(std::string message) { return tl::unexpected(std::move(message)); }
Integer of_bool(bool b) { return {.bits = b ? 1U : 0U}; }

/// How tightly a binary operator binds; 0: none.
int binds(std::string_view op) {
  if (op == "||" || op == "or") return 1;
  if (op == "&&" || op == "and") return 2;
  if (op == "|" || op == "bitor") return 3;
  if (op == "^" || op == "xor") return 4;
  if (op == "&" || op == "bitand") return 5;
  if (one_of(op, {"==", "!=", "not_eq"})) return 6;
  if (one_of(op, {"<", ">", "<=", ">="})) return 7;
  if (one_of(op, {"<<", ">>"})) return 8;
  if (one_of(op, {"+", "-"})) return 9;
  if (one_of(op, {"*", "/", "%"})) return 10;
  return 0;
}

Integer shifted(bool left, Integer a, Integer b) {
  const bool back = !b.is_unsigned && b.value() < 0;
  const std::uint64_t by = back ? 0 - b.bits : b.bits;
  if (left != back) return {by > 63 ? 0 : a.bits << by, a.is_unsigned};
  if (a.is_unsigned) return {by > 63 ? 0 : a.bits >> by, true};
  return {static_cast<std::uint64_t>(a.value() >> (by > 63 ? 63 : by)), false};
}

class Evaluator {
 public:
  /// `wraps`: as the preprocessor computes; else all numbers have a sign, and what does not fit is an error.
  Evaluator(const Lexed& lexed, const ValueOfName& value_of, bool wraps)
      : lexed_(lexed), value_of_(value_of), wraps_(wraps) {}

  /// Tokens [at, last), all of them.
  Value all(int at, int last) {
    const int at_before = std::exchange(at_, at), last_before = std::exchange(last_, last);
    Value v = conditional();
    if (v && at_ < last_) v = unexpected_token();
    at_ = at_before;
    last_ = last_before;
    return v;
  }

 private:
  bool is(std::string_view s) const { return at_ < last_ && lexed_.is(at_, s); }
  bool take(std::string_view s) { return is(s) && (++at_, true); }
  Value unexpected_token() const { return error(fmt::format("`{}` is not expected here", lexed_.of(at_))); }
  static Value missing() { return error("a number is missing"); }

  Value conditional() {
    if (++depth_ > deepest) return error("it is nested too deep");
    Value c = binary(1);
    if (c && take("?")) {
      const bool first = c->bits != 0;
      skipped_ += first ? 0 : 1;
      const Value yes = conditional();
      skipped_ -= first ? 0 : 1;
      if (yes && !take(":")) return error("a `:` is missing");
      skipped_ += first ? 1 : 0;
      const Value no = yes ? conditional() : yes;
      skipped_ -= first ? 1 : 0;
      if (!no) return no;
      c = Integer{first ? yes->bits : no->bits, yes->is_unsigned || no->is_unsigned};
    }
    --depth_;
    return c;
  }

  /// The operator at the cursor; shifts may be two tokens.
  std::string_view operation(int& tokens) const {
    const std::string_view op = at_ < last_ ? lexed_.of(at_) : std::string_view();
    const bool twice = (op == "<" || op == ">") && at_ + 1 < last_ && lexed_.of(at_ + 1) == op &&
                       lexed_.token(at_ + 1).offset == lexed_.token(at_).end();
    tokens = twice ? 2 : 1;
    return !twice ? op : op == "<" ? "<<" : ">>";
  }

  Value binary(int least) {
    Value left = unary();
    while (left) {
      int tokens = 1;
      const std::string_view op = operation(tokens);
      const int strength = binds(op);
      if (strength < least || strength == 0) break;
      at_ += tokens;
      const bool decided = (strength == 1 && left->bits != 0) || (strength == 2 && left->bits == 0);
      skipped_ += decided ? 1 : 0;
      const Value right = binary(strength + 1);
      skipped_ -= decided ? 1 : 0;
      if (!right) return right;
      left = applied(op, strength, *left, *right);
    }
    return left;
  }

  Value applied(std::string_view op, int strength, Integer a, Integer b) const {
    const bool u = a.is_unsigned || b.is_unsigned;
    switch (strength) {
      case 1:
        return of_bool(a.bits != 0 || b.bits != 0);
      case 2:
        return of_bool(a.bits != 0 && b.bits != 0);
      case 3:
        return Integer{a.bits | b.bits, u};
      case 4:
        return Integer{a.bits ^ b.bits, u};
      case 5:
        return Integer{a.bits & b.bits, u};
      case 6:
        return of_bool((a.bits == b.bits) == (op == "=="));
      case 7: {
        const bool less = u ? a.bits < b.bits : a.value() < b.value();
        const bool equal = a.bits == b.bits;
        return of_bool(op == "<" ? less : op == ">" ? !less && !equal : op == "<=" ? less || equal : !less);
      }
      case 8: {
        if (!wraps_ && b.bits > 62) return error(fmt::format("it shifts by {}", b.value()));
        const Integer out = shifted(op == "<<", a, b);
        return fitting(out, op == "<<" && !wraps_ && out.value() >> b.bits != a.value());
      }
      case 9: {
        std::int64_t out = 0;
        const bool over = op == "+" ? __builtin_add_overflow(a.value(), b.value(), &out)
                                    : __builtin_sub_overflow(a.value(), b.value(), &out);
        return fitting({static_cast<std::uint64_t>(out), u}, over);
      }
      default:
        return multiplied(op, a, b, u);
    }
  }

  Value multiplied(std::string_view op, Integer a, Integer b, bool u) const {
    std::int64_t out = 0;
    bool over = false;
    if (op != "*" && b.bits == 0) return skipped_ > 0 ? Value(Integer{}) : error("it divides by zero");
    if (op == "*")
      over = __builtin_mul_overflow(a.value(), b.value(), &out);
    else if (u)
      return Integer{op == "/" ? a.bits / b.bits : a.bits % b.bits, true};
    else if (b.value() == -1)
      over = op == "/" && __builtin_sub_overflow(std::int64_t{0}, a.value(), &out);
    else
      out = op == "/" ? a.value() / b.value() : a.value() % b.value();
    return fitting({static_cast<std::uint64_t>(out), u}, over);
  }

  Value fitting(Integer out, bool over) const {
    return over && !wraps_ ? Value(error("it does not fit in 64 bits")) : Value(out);
  }

  /// Signs and casts, then a value. A loop: there may be any number of them.
  Value unary() {
    std::string signs;
    for (;; ++at_) {
      const std::string_view t = at_ < last_ ? lexed_.of(at_) : std::string_view();
      if (one_of(t, {"-", "!", "~"}))
        signs += t;
      else if (t == "not" || t == "compl")
        signs += t == "not" ? '!' : '~';
      else if (t == "(" && is_cast(lexed_.partner(at_)))
        at_ = lexed_.partner(at_);
      else if (t != "+")
        break;
    }
    Value v = primary();
    for (; v && !signs.empty(); signs.pop_back()) {
      if (signs.back() == '-') v = applied("-", 9, {.bits = 0, .is_unsigned = v->is_unsigned}, *v);
      if (v && signs.back() == '~') v->bits = ~v->bits;
      if (v && signs.back() == '!') v = of_bool(v->bits == 0);
    }
    return v;
  }

  /// `(unsigned long)` with a value after it.
  bool is_cast(int close) const {
    if (close <= at_ + 1 || close + 1 >= last_) return false;
    for (int i = at_ + 1; i < close; ++i)
      if (!number_type_in(lexed_.of(i))) return false;
    return true;
  }

  Value primary() {
    if (at_ >= last_) return missing();
    if (is("(")) return parenthesis();
    const TokenKind kind = lexed_.token(at_).kind;
    if (kind == TokenKind::number) return number(lexed_.of(at_++));
    if (kind == TokenKind::character) return character();
    if (kind != TokenKind::identifier) return unexpected_token();
    if (is("sizeof")) return size_of();
    std::string name(lexed_.of(at_++));
    while (is(".") && at_ + 1 < last_ && lexed_.token(at_ + 1).kind == TokenKind::identifier) {
      name += '.';
      name += lexed_.of(at_ + 1);
      at_ += 2;
    }
    const std::optional<std::int64_t> v = value_of_(name);
    if (!v) return error(fmt::format("`{}` has no value in this launch", name));
    return Integer{.bits = static_cast<std::uint64_t>(*v)};
  }

  /// 12, 1'024, 0x20, 0b11, 017, with u, l and z after it.
  Value number(std::string_view text) const {
    std::string digits;
    for (const char c : text)
      if (c != '\'') digits += lower(c);
    Integer out;
    for (; !digits.empty() && one_of(std::string_view(&digits.back(), 1), {"u", "l", "z"}); digits.pop_back())
      out.is_unsigned = out.is_unsigned || (wraps_ && digits.back() == 'u');
    const int base = digits.starts_with("0x") ? 16 : digits.starts_with("0b") ? 2 : digits.starts_with('0') ? 8 : 10;
    const char *first = digits.data() + (base == 16 || base == 2 ? 2 : 0), *last = digits.data() + digits.size();
    const auto [end, problem] = std::from_chars(first, last, out.bits, base);
    if (problem != std::errc() || end != last || (!wraps_ && out.value() < 0))
      return error(fmt::format("`{}` is not an integer of 64 bits", text));
    out.is_unsigned = out.is_unsigned || out.value() < 0;
    return out;
  }

  /// 'a', '\n', '\0': what conditions compare with.
  Value character() {
    const std::string_view text = lexed_.of(at_);
    const std::size_t open = text.find('\'');
    if (open == std::string_view::npos || text.size() < open + 3 || text.back() != '\'') return unexpected_token();
    const std::string_view inside = text.substr(open + 1, text.size() - open - 2), letters = "0abtnvfr\\'\"?";
    constexpr unsigned char values[] = {0, 7, 8, 9, 10, 11, 12, 13, '\\', '\'', '"', '?'};
    const std::size_t which = inside.size() == 2 && inside.front() == '\\' ? letters.find(inside[1]) : letters.size();
    if (inside.size() != 1 && which >= letters.size()) return unexpected_token();
    ++at_;
    return Integer{.bits = inside.size() == 1 ? static_cast<unsigned char>(inside.front()) : values[which]};
  }

  Value parenthesis() {
    const int open = at_, close = lexed_.partner(open);
    if (close < 0 || close >= last_) return error("a `)` is missing");
    at_ = close + 1;
    return all(open + 1, close);
  }

  Value size_of() {
    const int open = at_ + 1, close = open < last_ && lexed_.is(open, "(") ? lexed_.partner(open) : -1;
    if (close <= open + 1 || close >= last_) return error("`sizeof` names no type");
    constexpr int longest_type = 20;  ///< tokens
    at_ = close + 1;
    if (lexed_.is(close - 1, "*")) return Integer{.bits = 8};
    const std::string type = close - open < longest_type ? joined(lexed_, open + 1, close - 1) : std::string();
    const std::optional<NumberType> t = number_type(type);
    if (!t) return error(fmt::format("the size of `{}` is not known", type));
    return Integer{.bits = static_cast<std::uint64_t>(t->bytes)};
  }

  const Lexed& lexed_;
  const ValueOfName& value_of_;
  const bool wraps_;
  int at_ = 0, last_ = 0, depth_ = 0, skipped_ = 0;
};

ConstantValue as_signed(const Value& v) {
  return v ? ConstantValue(v->value()) : ConstantValue(tl::unexpected(v.error()));
}

}  // namespace

ConstantValue constant_value(const Lexed& lexed, int first, int last, const ValueOfName& value_of) {
  return as_signed(Evaluator(lexed, value_of, false).all(first, last));
}

ConstantValue constant_value(std::string_view text, const ValueOfName& value_of) {
  const Lexed lexed = lex(text);
  return constant_value(lexed, 0, lexed.count(), value_of);
}

ConstantValue preprocessor_value(std::string_view text) {
  const Lexed lexed = lex_plainly(text);
  const ValueOfName value_of = [](std::string_view name) { return name == "true" ? 1 : 0; };
  return as_signed(Evaluator(lexed, value_of, true).all(0, lexed.count()));
}

}  // namespace lanescope::source
