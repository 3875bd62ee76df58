#pragma once
// Which lane, register and bits hold an element of a matrix in ldmatrix, stmatrix, movmatrix and mma (PTX ISA 9.0, "Warp-level
// matrix instructions"). A fragment of a matrix of 8x8 elements of 16 bits is one register: lane l holds columns 2(l % 4) and
// 2(l % 4) + 1 of row l / 4, in its low and high half. Of matrix m, the address of row r is given by lane 8m + r.

#include <array>
#include <cstddef>
#include <cstdint>

#include "app/engine/values/instruction_facts.h"

namespace lanescope::engine {

/// A part of a register that a fragment is in: bytes of the row whose address `lane` gives.
struct FragmentPart {
  int lane = 0, first = 0, bytes = 0;
  int bit = 0;  ///< of the register, where the part begins
};
struct FragmentParts {
  std::array<FragmentPart, 2> parts{};
  std::size_t count = 0;
  const FragmentPart* begin() const { return parts.data(); }
  const FragmentPart* end() const { return parts.data() + count; }
};
/// Of ldmatrix: what the register of matrix `matrix` is loaded from in a lane.
FragmentParts parts_of_fragment(int matrix, int lane, bool transposed);

struct FragmentPlace {
  int lane = 0, matrix = 0, bit = 0;
};
/// Of stmatrix: the register and bit of what is stored to a byte of the row whose address `row_lane` gives.
FragmentPlace fragment_of_byte(int row_lane, int byte, bool transposed);

/// Of movmatrix.trans: the lane and the bit that half `half` of a lane's result comes from.
FragmentPlace transposed_half(int lane, int half);

/// Of a product: the lanes whose register `source` (index in InstructionFacts::sources) can be part of result `result` of a
/// lane. Exact in rows of A and columns of B for mma with fragments as m16n8k* and m8n8k16 have them, else all lanes.
std::uint32_t product_lanes(const InstructionFacts& facts, std::size_t source, std::size_t result, int lane);

}  // namespace lanescope::engine
