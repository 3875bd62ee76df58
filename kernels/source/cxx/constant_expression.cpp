#include "kernels/source/cxx/constant_expression.h"

#include <charconv>
#include <utility>

#include <fmt/format.h>

#include "kernels/source/cxx/number_types.h"

namespace lanescope::source {
namespace {

constexpr int deepest = 100;  ///< parentheses within each other

tl::unexpected<std::string> error(std::string message) { return tl::unexpected(std::move(message)); }

/// 12, 1'024, 0x20, 0b11, 017, with u and l after it.
ConstantValue number(std::string_view text) {
  std::string digits;
  for (const char c : text)
    if (c != '\'') digits += lower(c);
  while (!digits.empty() && (digits.back() == 'u' || digits.back() == 'l')) digits.pop_back();
  const int base = digits.starts_with("0x") ? 16 : digits.starts_with("0b") ? 2 : digits.starts_with('0') ? 8 : 10;
  const char* first = digits.data() + (base == 16 || base == 2 ? 2 : 0);
  std::int64_t v = 0;
  const auto [end, problem] = std::from_chars(first, digits.data() + digits.size(), v, base);
  if (problem != std::errc() || end != digits.data() + digits.size())
    return error(fmt::format("`{}` is not an integer of 64 bits", text));
  return v;
}

ConstantValue apply(char op, std::int64_t a, std::int64_t b) {
  std::int64_t out = 0;
  bool overflow = false;
  if ((op == '/' || op == '%') && b == 0) return error("it divides by zero");
  if ((op == '<' || op == '>') && (b < 0 || b > 62)) return error(fmt::format("it shifts by {}", b));
  switch (op) {
    case '+':
      overflow = __builtin_add_overflow(a, b, &out);
      break;
    case '-':
      overflow = __builtin_sub_overflow(a, b, &out);
      break;
    case '*':
      overflow = __builtin_mul_overflow(a, b, &out);
      break;
    case '/':
      overflow = b == -1 ? __builtin_sub_overflow(std::int64_t{0}, a, &out) : (out = a / b, false);
      break;
    case '%':
      out = b == -1 ? 0 : a % b;
      break;
    case '<':
      overflow = __builtin_mul_overflow(a, std::int64_t{1} << b, &out);
      break;
    default:
      out = a >> b;
  }
  if (overflow) return error("it does not fit in 64 bits");
  return out;
}

class Evaluator {
 public:
  Evaluator(const Lexed& lexed, const ValueOfName& value_of) : lexed_(lexed), value_of_(value_of) {}

  /// Tokens [at, last), all of them.
  ConstantValue all(int at, int last) {
    const int at_before = std::exchange(at_, at), last_before = std::exchange(last_, last);
    ConstantValue v = binary(0);
    if (v && at_ < last_) v = unexpected_token();
    at_ = at_before;
    last_ = last_before;
    return v;
  }

 private:
  bool is(std::string_view s) const { return at_ < last_ && lexed_.is(at_, s); }
  ConstantValue unexpected_token() const { return error(fmt::format("`{}` is not expected here", lexed_.of(at_))); }

  /// The operator of this precedence (shifts, sums, products) at the cursor, which moves after it; '\0': none.
  char operation(int level) {
    if (at_ >= last_) return '\0';
    const std::string_view t = lexed_.of(at_);
    if (level == 0) {
      const bool two_tokens = (t == "<" || t == ">") && at_ + 1 < last_ && lexed_.of(at_ + 1) == t;
      if (!two_tokens && t != "<<") return '\0';
      at_ += two_tokens ? 2 : 1;
      return t.front();
    }
    const bool known = level == 1 ? one_of(t, {"+", "-"}) : one_of(t, {"*", "/", "%"});
    if (!known) return '\0';
    ++at_;
    return t.front();
  }

  ConstantValue binary(int level) {
    if (level > 2) return unary();
    ConstantValue left = binary(level + 1);
    while (left) {
      const char op = operation(level);
      if (op == '\0') break;
      const ConstantValue right = binary(level + 1);
      if (!right) return right;
      left = apply(op, *left, *right);
    }
    return left;
  }

  /// Signs and casts, then a value. A loop: there may be any number of them.
  ConstantValue unary() {
    bool negative = false;
    for (;; ++at_) {
      if (is("-")) {
        negative = !negative;
      } else if (is("(") && is_cast(lexed_.partner(at_))) {
        at_ = lexed_.partner(at_);
      } else if (!is("+")) {
        break;
      }
    }
    const ConstantValue v = primary();
    return v && negative ? apply('-', 0, *v) : v;
  }

  /// `(unsigned long)` with a value after it.
  bool is_cast(int close) const {
    if (close <= at_ + 1 || close + 1 >= last_) return false;
    for (int i = at_ + 1; i < close; ++i)
      if (!number_type_in(lexed_.of(i))) return false;
    return true;
  }

  ConstantValue primary() {
    if (at_ >= last_) return error("a number is missing");
    if (is("(")) return parenthesis();
    const TokenKind kind = lexed_.token(at_).kind;
    if (kind == TokenKind::number) return number(lexed_.of(at_++));
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
    return *v;
  }

  ConstantValue parenthesis() {
    const int open = at_, close = lexed_.partner(open);
    if (close < 0 || close >= last_) return error("a `)` is missing");
    if (depth_ >= deepest) return unexpected_token();
    at_ = close + 1;
    ++depth_;
    ConstantValue v = all(open + 1, close);
    --depth_;
    return v;
  }

  ConstantValue size_of() {
    const int open = at_ + 1, close = open < last_ && lexed_.is(open, "(") ? lexed_.partner(open) : -1;
    if (close <= open + 1 || close >= last_) return error("`sizeof` names no type");
    constexpr int longest_type = 20;  ///< tokens
    at_ = close + 1;
    if (lexed_.is(close - 1, "*")) return 8;
    const std::string type = close - open < longest_type ? joined(lexed_, open + 1, close - 1) : std::string();
    const std::optional<NumberType> t = number_type(type);
    if (!t) return error(fmt::format("the size of `{}` is not known", type));
    return t->bytes;
  }

  const Lexed& lexed_;
  const ValueOfName& value_of_;
  int at_ = 0, last_ = 0, depth_ = 0;
};

}  // namespace

ConstantValue constant_value(const Lexed& lexed, int first, int last, const ValueOfName& value_of) {
  return Evaluator(lexed, value_of).all(first, last);
}

ConstantValue constant_value(std::string_view text, const ValueOfName& value_of) {
  const Lexed lexed = lex(text);
  return constant_value(lexed, 0, lexed.count(), value_of);
}

}  // namespace lanescope::source
