#pragma once
// Numbers that depend on blockIdx and constants of a launch alone, as expressions: what a block adds to an index.
//
//   i = blockIdx.x * 256 + threadIdx.x        the term of i is blockIdx.x * 256
//
// Every distinct expression exists once, so that equal expressions have equal numbers. Constants are folded, and stand
// outermost in a sum: (blockIdx.x + 1) * 4 is blockIdx.x * 4 + 4.

#include <cstdint>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include "kernels/trace/launch.h"

namespace lanescope::instrument {

/// Index in Terms; 0 is the constant 0.
using Term = std::uint32_t;

class Terms {
 public:
  enum class Op : std::uint8_t {
    constant,
    block_x,
    block_y,
    block_z,
    add,
    multiply,
    multiply_wide,  ///< a factor of half the width each
    shift_left,
    shift_right,
    bit_and,
    bit_or,
    bit_xor,
    minimum,
    maximum,
    divide,
    remainder,
    extend,  ///< from `from_bits`, with the sign if is_signed
    equal,
    less,
    select,  ///< a where c is not 0, else b
  };
  struct Node {
    Op op = Op::constant;
    std::uint8_t bits = 64;  ///< of the result, which is kept modulo 2^bits
    std::uint8_t from_bits = 0;
    bool is_signed = false;
    Term a = 0, b = 0, c = 0;
    std::uint64_t value = 0;                        ///< constant
    auto operator<=>(const Node&) const = default;  // NOLINT(modernize-use-nullptr): the generated comparison with 0
  };

  /// An axis with one block is the constant 0.
  explicit Terms(trace::Dim3 grid);

  Term constant(std::uint64_t value);
  Term block(int axis);  ///< 0: x
  Term make(Node node);
  std::optional<std::uint64_t> value_of(Term t) const;  ///< of a constant
  /// Without the constant that it adds; of a constant 0.
  Term without_constant(Term t) const;
  /// Values of all terms in one block; `values` is resized.
  void evaluate(trace::Dim3 block, std::vector<std::uint64_t>& values) const;

 private:
  Term add(Node node);

  trace::Dim3 grid_;
  std::vector<Node> nodes_;
  std::map<Node, Term> known_;
};

/// `value` modulo 2^bits, as a number with that sign bit.
constexpr std::int64_t signed_value(std::uint64_t value, int bits) {
  return bits >= 64 ? static_cast<std::int64_t>(value) : static_cast<std::int64_t>(value << (64 - bits)) >> (64 - bits);
}
constexpr std::uint64_t low_bits(std::uint64_t value, int bits) {
  return bits >= 64 ? value : value & ((std::uint64_t{1} << bits) - 1);
}

}  // namespace lanescope::instrument
