#pragma once
// A small language for addresses: numbers (decimal, 0x), `lane`, `warp`, parentheses, unary - and ~, and C's
// * / %   + -   << >>   &   ^   |   with C's precedence. 64-bit two's complement.

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "kernels/base/diagnostic.h"

namespace lanescope::access {

class Formula {
 public:
  /// Names of the two variables of a formula; an empty one is not there.
  using Names = std::array<std::string_view, 2>;
  static constexpr Names lane_and_warp{"lane", "warp"};
  /// Errors carry the column in `text`.
  static Expected<Formula> parse(std::string_view text, Names names = lane_and_warp);
  /// Of the first and the second variable. Error: division by zero.
  Expected<std::int64_t> value(std::int64_t lane, std::int64_t warp) const;

  enum class Op : std::uint8_t {
    number,
    lane,
    warp,
    negate,
    complement,
    multiply,
    divide,
    remainder,
    add,
    subtract,
    shift_left,
    shift_right,
    bit_and,
    bit_xor,
    bit_or
  };
  struct Step {  // reverse Polish
    Op op = Op::number;
    std::int64_t number = 0;
  };

 private:
  std::vector<Step> steps_;
};

}  // namespace lanescope::access
