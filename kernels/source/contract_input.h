#pragma once
// The array that a claim states as the input of a function: its axes, and the element at each place. Bits of registers,
// lanes and warps that the claim leaves open get elements of their own along the axis `rest`.

#include <cstdint>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "kernels/layout/affine_map.h"
#include "kernels/source/model/buffer.h"
#include "kernels/source/model/claim.h"

namespace lanescope::source {

struct StatedInput {
  BufferSpec buffer;              ///< without a name
  int unit_bits = 32;             ///< of a register of the claim; elements have buffer.element_bits
  int units = 1;                  ///< registers
  bool as_words = false;          ///< the elements of a register follow each other, and begin where a register does
  layout::Assignment rows;        ///< of the claim, with every bit
  layout::PhysicalToLogical map;  ///< of `rows`
  std::vector<int> bit_of;        ///< by bit of the map's result: the bit of the element's number

  int simd_bits() const { return map.shape.bits[0]; }
  std::uint64_t element(std::uint64_t logical) const;  ///< its number, of a result of the map
  std::uint64_t column(layout::Place place,
                       int bit) const;            ///< what the bit of the place adds (XOR) to the map's result
  bool junk(layout::Place place, int bit) const;  ///< places where this bit is 1 hold nothing
};

/// `bytes`: of all objects of the claim together; `scalar_bytes`: of one of their elements as declared. An error in words
/// where the rows are no map, or no loads of 8 to 64 bits fill the registers.
tl::expected<StatedInput, std::string> stated_input(const Claim& claim, std::uint64_t bytes, std::uint64_t scalar_bytes,
                                                    int warp_bits);

}  // namespace lanescope::source
