#pragma once
// A layout as a function from places to coordinates, and the rows that say the same.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "kernels/layout/assignment.h"

namespace lanescope::source {

/// Where an element of each axis is, by place; nullopt where the comment gives no such place.
struct Placing {
  std::vector<std::string> axes;
  std::function<std::optional<std::vector<std::int64_t>>(int lane, int warp, int reg)> at;
  int register_bits = 0, warp_bits = 0;
  bool open = false;  ///< the register's number may need fewer bits: nothing says how many registers there are
};

/// The rows of a placing with so many bits of the register; nullopt where coordinates are no sums of bits. A bit that changes
/// nothing comes out as `[any]`: other axes may vary there.
std::optional<layout::Assignment> rows_of(const Placing& placing, int register_bits);

}  // namespace lanescope::source
