// Constants: numbers in every spelling of the ISA (section 4.5), and integer expressions over them.

#include <bit>
#include <charconv>

#include <fmt/format.h>

#include "kernels/ptx/parser.h"

namespace lanescope::ptx {
namespace {

constexpr int kDeepestExpression = 64;

struct Operator {
  std::string_view text;
  int precedence;
};
// Longest first, so that "<<" is not read as "<".
constexpr Operator kOperators[] = {
    {"||", 1}, {"&&", 2}, {"==", 6}, {"!=", 6}, {"<=", 7}, {">=", 7}, {"<<", 8}, {">>", 8}, {"|", 3},
    {"^", 4},  {"&", 5},  {"<", 7},  {">", 7},  {"+", 9},  {"-", 9},  {"*", 10}, {"/", 10}, {"%", 10},
};

int precedence_of(std::string_view text) {
  for (const Operator& o : kOperators)
    if (o.text == text) return o.precedence;
  return 0;
}

// Wraps as two's complement does; a division by zero or out of range is the caller's to refuse.
std::int64_t apply(std::string_view op, std::int64_t a, std::int64_t b) {
  const auto x = static_cast<std::uint64_t>(a), y = static_cast<std::uint64_t>(b);
  if (op == "||") return a != 0 || b != 0;
  if (op == "&&") return a != 0 && b != 0;
  if (op == "==") return a == b;
  if (op == "!=") return a != b;
  if (op == "<=") return a <= b;
  if (op == ">=") return a >= b;
  if (op == "<") return a < b;
  if (op == ">") return a > b;
  if (op == "<<") return y > 63 ? 0 : static_cast<std::int64_t>(x << y);
  if (op == ">>") return a >> (y > 63 ? 63 : y);
  if (op == "|") return static_cast<std::int64_t>(x | y);
  if (op == "^") return static_cast<std::int64_t>(x ^ y);
  if (op == "&") return static_cast<std::int64_t>(x & y);
  if (op == "+") return static_cast<std::int64_t>(x + y);
  if (op == "-") return static_cast<std::int64_t>(x - y);
  if (op == "*") return static_cast<std::int64_t>(x * y);
  if (b == -1) return op == "/" ? static_cast<std::int64_t>(0 - x) : 0;
  return op == "/" ? a / b : a % b;
}

template <class Bits>
std::optional<Operand> exact_float(std::string_view digits, bool negative) {
  constexpr int width = sizeof(Bits) * 8;
  Bits bits = 0;
  const char* end = digits.data() + digits.size();
  if (digits.size() != sizeof(Bits) * 2 || std::from_chars(digits.data(), end, bits, 16).ptr != end) return {};
  if (negative) bits ^= Bits{1} << (width - 1);
  Operand o;
  o.kind = Operand::Kind::immediate;
  o.bits = bits;
  o.is_float = true;
  o.float_bits = width;
  return o;
}

std::optional<Operand> decimal_float(std::string_view text, bool negative) {
  double value = 0;
  const char* end = text.data() + text.size();
  if (std::from_chars(text.data(), end, value).ptr != end) return {};
  Operand o;
  o.kind = Operand::Kind::immediate;
  o.bits = std::bit_cast<std::uint64_t>(negative ? -value : value);
  o.is_float = true;
  o.float_bits = 64;
  return o;
}

bool is_exact_float(std::string_view text) {
  return text.size() > 2 && text[0] == '0' && (text[1] == 'f' || text[1] == 'F' || text[1] == 'd' || text[1] == 'D');
}

bool is_decimal_float(std::string_view text) {
  return text.find('.') != std::string_view::npos || (text.find_first_of("eE") != std::string_view::npos &&
                                                      text.find_first_of("xXfFdDbB") == std::string_view::npos);
}

}  // namespace

std::optional<std::uint64_t> integer_of(std::string_view text) {
  if (text.size() == 3 && text[0] == '\'') return static_cast<unsigned char>(text[1]);
  if (text.ends_with('U') || text.ends_with('u')) text.remove_suffix(1);
  int base = 10;
  if (text.size() > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) base = 16;
  if (text.size() > 2 && text[0] == '0' && (text[1] == 'b' || text[1] == 'B')) base = 2;
  if (base != 10)
    text.remove_prefix(2);
  else if (text.size() > 1 && text[0] == '0')
    base = 8;
  std::uint64_t value = 0;
  const char* end = text.data() + text.size();
  const auto result = std::from_chars(text.data(), end, value, base);
  if (text.empty() || result.ec != std::errc{} || result.ptr != end) return std::nullopt;
  return value;
}

/// At a number, a sign, '~', '!' or '(': a floating constant or an integer expression.
Operand Parser::parse_constant() {
  const Scanner scanner = scanner_;
  const Token token = token_;
  const bool negative = accept('-');
  if (token_.kind == Token::Kind::number && (is_exact_float(token_.text) || is_decimal_float(token_.text)))
    return parse_number(negative);
  if (failed()) return {};
  scanner_ = scanner;
  token_ = token;
  Operand o;
  o.kind = Operand::Kind::immediate;
  o.bits = static_cast<std::uint64_t>(parse_expression(1, 0));
  return o;
}

Operand Parser::parse_number(bool negative) {
  const std::string_view t = token_.text;
  const bool single = t.starts_with("0f") || t.starts_with("0F");
  const auto o = single              ? exact_float<std::uint32_t>(t.substr(2), negative)
                 : is_exact_float(t) ? exact_float<std::uint64_t>(t.substr(2), negative)
                                     : decimal_float(t, negative);
  if (!o) {
    fail(fmt::format("'{}' is not a number", t),
         "write 0f and 8, or 0d and 16 hexadecimal digits, or a decimal number");
    return {};
  }
  advance();
  return *o;
}

std::string_view Parser::operator_here() const {
  if (at_word("%")) return token_.text;  // a word character, because registers begin with it
  if (token_.kind != Token::Kind::punctuation || at_mark(',') || at_mark(';') || at_mark(']')) return {};
  const char* at = token_.text.data();
  const std::string_view rest = text_.substr(static_cast<std::size_t>(at - text_.data()), 2);
  for (const Operator& o : kOperators)
    if (rest.starts_with(o.text)) return rest.substr(0, o.text.size());
  return {};
}

std::int64_t Parser::parse_expression(int minimum_precedence, int depth) {
  if (depth > kDeepestExpression) return fail("this constant expression is nested too deeply"), 0;
  std::int64_t value = parse_unary(depth);
  for (;;) {
    const std::string_view op = operator_here();
    const int precedence = precedence_of(op);
    if (op.empty() || precedence < minimum_precedence) break;
    for (std::size_t i = 0; i < op.size(); ++i) advance();
    const std::int64_t right = parse_expression(precedence + 1, depth + 1);
    if ((op == "/" || op == "%") && right == 0) return fail("division by zero in a constant expression"), 0;
    value = apply(op, value, right);
  }
  if (minimum_precedence > 1 || !at_mark('?')) return value;
  advance();
  const std::int64_t yes = parse_expression(1, depth + 1);
  expect(':', "in a conditional constant");
  const std::int64_t no = parse_expression(1, depth + 1);
  return value != 0 ? yes : no;
}

std::int64_t Parser::parse_unary(int depth) {
  if (depth > kDeepestExpression) return fail("this constant expression is nested too deeply"), 0;
  if (accept('-')) return static_cast<std::int64_t>(0 - static_cast<std::uint64_t>(parse_unary(depth + 1)));
  if (accept('+')) return parse_unary(depth + 1);
  if (accept('~')) return ~parse_unary(depth + 1);
  if (accept('!')) return parse_unary(depth + 1) == 0;
  if (accept('(')) {
    if (accept_word(".s64") || accept_word(".u64")) {  // a cast changes no bits
      expect(')', "after a cast");
      return parse_unary(depth + 1);
    }
    const std::int64_t value = parse_expression(1, depth + 1);
    expect(')', "after a constant expression");
    return value;
  }
  if (accept_word("WARP_SZ")) return 32;
  return expect_integer("a constant").value_or(0);
}

}  // namespace lanescope::ptx
