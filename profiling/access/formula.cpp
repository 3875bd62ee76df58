#include "profiling/access/formula.h"

#include <charconv>

#include <fmt/format.h>

#include "kernels/base/text.h"

namespace lanescope::access {
namespace {

using Op = Formula::Op;
using Step = Formula::Step;

struct Binary {
  std::string_view spelling;
  int precedence;  ///< larger binds tighter
  Op op;
};
constexpr Binary binaries[] = {{"|", 1, Op::bit_or},      {"^", 2, Op::bit_xor},      {"&", 3, Op::bit_and},
                               {"<<", 4, Op::shift_left}, {">>", 4, Op::shift_right}, {"+", 5, Op::add},
                               {"-", 5, Op::subtract},    {"*", 6, Op::multiply},     {"/", 6, Op::divide},
                               {"%", 6, Op::remainder}};

/// Precedence climbing; writes reverse Polish. The first error is kept and ends the reading.
class Reader {
 public:
  Reader(std::string_view text, Formula::Names names) : text_(text), names_(names) {}

  Expected<std::vector<Step>> run() {
    expression(1, 0);
    blanks();
    if (error_.empty() && at_ < text_.size()) fail(fmt::format("'{}' is not expected here", text_[at_]));
    if (!error_.empty())
      return failure({.line = 1,
                      .column = static_cast<int>(at_) + 1,
                      .message = error_,
                      .remedy = names_[1].empty()
                                    ? fmt::format("write a formula in {0}, such as 4*{0} + 16", names_[0])
                                    : fmt::format("write a formula in {0} and {1}, such as 4*{0} + 128*{1}", names_[0],
                                                  names_[1])});
    return std::move(steps_);
  }

 private:
  static constexpr int deepest = 100;  // parentheses; the reader calls itself

  void fail(std::string message) {
    if (error_.empty()) error_ = std::move(message);
  }
  void blanks() {
    while (at_ < text_.size() && (is_blank(text_[at_]) || text_[at_] == '\n')) ++at_;
  }
  const Binary* operator_here() {
    blanks();
    for (const Binary& b : binaries)
      if (text_.substr(at_).starts_with(b.spelling)) return &b;
    return nullptr;
  }

  void expression(int least, int depth) {
    unary(depth);
    while (error_.empty()) {
      const Binary* const b = operator_here();
      if (b == nullptr || b->precedence < least) return;
      at_ += b->spelling.size();
      expression(b->precedence + 1, depth);
      steps_.push_back({.op = b->op});
    }
  }

  void unary(int depth) {
    if (depth > deepest) return fail("the formula is nested too deeply");
    blanks();
    if (at_ == text_.size()) return fail("the formula ends where a value is expected");
    const char c = text_[at_];
    if (c == '-' || c == '~' || c == '+') {
      ++at_;
      unary(depth + 1);
      if (c != '+') steps_.push_back({.op = c == '-' ? Op::negate : Op::complement});
    } else if (c == '(') {
      ++at_;
      expression(1, depth + 1);
      blanks();
      if (at_ < text_.size() && text_[at_] == ')')
        ++at_;
      else
        fail("a ')' is missing");
    } else if (is_digit(c)) {
      number();
    } else {
      name();
    }
  }

  void number() {
    const bool hexadecimal = text_.substr(at_).starts_with("0x") || text_.substr(at_).starts_with("0X");
    const char* const first = text_.data() + at_ + (hexadecimal ? 2 : 0);
    const char* const end = text_.data() + text_.size();
    std::int64_t value = 0;
    const auto [stop, code] = std::from_chars(first, end, value, hexadecimal ? 16 : 10);
    if (code != std::errc{}) return fail("this number does not fit 63 bits or has no digits");
    at_ = static_cast<std::size_t>(stop - text_.data());
    steps_.push_back({.op = Op::number, .number = value});
  }

  void name() {
    std::size_t end = at_;
    while (end < text_.size() && is_word(text_[end])) ++end;
    const std::string_view word = text_.substr(at_, end - at_);
    if (word.empty()) return fail(fmt::format("'{}' is not expected here", text_[at_]));
    if (word != names_[0] && word != names_[1])
      return fail(names_[1].empty()
                      ? fmt::format("'{}' is unknown; the only name is {}", word, names_[0])
                      : fmt::format("'{}' is unknown; the names are {} and {}", word, names_[0], names_[1]));
    steps_.push_back({.op = word == names_[0] ? Op::lane : Op::warp});
    at_ = end;
  }

  std::string_view text_;
  Formula::Names names_;
  std::size_t at_ = 0;
  std::vector<Step> steps_;
  std::string error_;
};

/// Two's complement throughout: sums wrap, shift counts are taken modulo 64.
std::int64_t apply(Op op, std::int64_t a, std::int64_t b) {
  const auto x = static_cast<std::uint64_t>(a), y = static_cast<std::uint64_t>(b);
  const auto wrapped = [](std::uint64_t v) { return static_cast<std::int64_t>(v); };
  switch (op) {
    case Op::multiply:
      return wrapped(x * y);
    case Op::divide:
      return b == -1 ? wrapped(0 - x) : a / b;
    case Op::remainder:
      return b == -1 ? 0 : a % b;
    case Op::add:
      return wrapped(x + y);
    case Op::subtract:
      return wrapped(x - y);
    case Op::shift_left:
      return wrapped(x << (y & 63));
    case Op::shift_right:
      return a >> (y & 63);
    case Op::bit_and:
      return wrapped(x & y);
    case Op::bit_xor:
      return wrapped(x ^ y);
    case Op::bit_or:
      return wrapped(x | y);
    default:
      return 0;
  }
}

}  // namespace

Expected<Formula> Formula::parse(std::string_view text, Names names) {
  return Reader(text, names).run().map([](std::vector<Step> steps) {
    Formula formula;
    formula.steps_ = std::move(steps);
    return formula;
  });
}

Expected<std::int64_t> Formula::value(std::int64_t lane, std::int64_t warp) const {
  std::vector<std::int64_t> stack;
  for (const Step& step : steps_) switch (step.op) {
      case Op::number:
        stack.push_back(step.number);
        break;
      case Op::lane:
        stack.push_back(lane);
        break;
      case Op::warp:
        stack.push_back(warp);
        break;
      case Op::negate:
        stack.back() = apply(Op::subtract, 0, stack.back());
        break;
      case Op::complement:
        stack.back() = ~stack.back();
        break;
      default: {
        const std::int64_t b = stack.back();
        stack.pop_back();
        if (b == 0 && (step.op == Op::divide || step.op == Op::remainder))
          return failure(fmt::format("the formula divides by zero in lane {} of warp {}", lane, warp),
                         "use a divisor that is never 0");
        stack.back() = apply(step.op, stack.back(), b);
      }
    }
  return stack.empty() ? 0 : stack.back();
}

}  // namespace lanescope::access
