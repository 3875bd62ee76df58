#pragma once
// Whether a conversion is right: every bit of every register of the source is given its number, one bit of the number at
// a time, the conversion is executed on them, and every place of the destination is compared.

#include <span>
#include <string>
#include <vector>

#include "kernels/convert/place_map.h"
#include "kernels/convert/word_program.h"

namespace lanescope::convert {

class PlaceCheck {
 public:
  /// Of the first 2^warps warps.
  PlaceCheck(const PlaceMap& map, int warps);

  /// Executions after which every bit was distinguished from every other.
  int passes() const { return 2 * lane_bits + map_.registers + warps_; }
  /// Registers of a warp of the source. Copies hold the same.
  std::vector<Register> inputs(int pass, std::uint64_t warp) const;
  /// What is wrong with the outputs of all warps; "" where nothing is.
  std::string wrong(std::span<const std::vector<Register>> inputs,
                    std::span<const std::vector<Register>> outputs) const;

 private:
  struct Comparison {
    std::uint32_t reg, thread, shift, from_reg, from_thread, from_shift;
  };
  const PlaceMap& map_;
  int warps_;
  std::vector<Comparison> places_;
};

}  // namespace lanescope::convert
