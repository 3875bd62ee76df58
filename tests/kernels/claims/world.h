#pragma once
// A run without an emulator: a truth (place -> element), the source that talks about it, and the events of its probes.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "kernels/claims/claims.h"
#include "kernels/layout/affine_map.h"

namespace lanescope::claims::test {

struct AxisBits {
  std::string name;
  int bits = 0;
};

/// One buffer, one register array of `registers` variables (or one variable of several words).
struct World {
  source::Source source;
  trace::TagPool pool;
  std::vector<int> value_bytes;
  std::vector<int> caller_lines;
  std::uint64_t step = 0;

  /// Adds a traced buffer; returns its index. Elements lie in C order.
  int buffer(const std::string& name, int element_bits, const std::vector<AxisBits>& axes);
  /// Adds a variable and returns its id.
  int variable(const std::string& name, int bytes, const std::string& type = "uint");
  /// Adds a claim with its probe; returns the claim's index.
  int claim(const std::string& name, std::vector<int> registers, const layout::Assignment& stated, int line = 20);
  /// Adds a watch probe after a statement; returns the probe's id.
  int watch(int variable, int statement_line);

  /// A word whose parts hold these elements of a buffer (nullopt: no data). 64-bit elements: `half` says which word.
  trace::WordTag word(int buffer, const std::vector<std::optional<std::uint64_t>>& elements, int half = 0);

  struct Emit {
    int probe = 0, variable = 0, byte_offset = 0;
    std::uint32_t block = 0, warp = 0, pc = 0, active = ~0u;
  };
  void emit(Collector& collector, const Emit& where, const std::vector<trace::WordTag>& lanes);
};

/// The element at (block, warp, register, lane, part); nullopt: none.
using Truth =
    std::function<std::optional<std::uint64_t>(std::uint64_t block, std::uint64_t warp, int reg, int lane, int part)>;

struct Shape {
  int element_bits = 32;
  int registers = 1;
  std::uint32_t warps = 1, blocks = 1;
  std::function<std::uint32_t(std::uint32_t block, std::uint32_t warp)> active = {};
};

/// Emits the claim's probe for all blocks, warps and registers. Registers are 32 bits (64 for 64-bit elements).
void run(World& world, Collector& collector, int claim, int buffer, const Shape& shape, const Truth& truth,
         std::uint32_t pc = 7);

/// A random bijective affine map on `bits` bits.
layout::AffineMap random_map(std::mt19937_64& random, int bits);

/// The assignment of `map` (packed place -> packed element), named by `axes` (last axis lowest).
layout::Assignment assignment_of(const layout::PhysicalShape& shape, const std::vector<AxisBits>& axes,
                                 const layout::AffineMap& map);

}  // namespace lanescope::claims::test
