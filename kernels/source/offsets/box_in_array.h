#pragma once
// A part of an array as a box along the array's axes.
//
//   array (32, 128, 1024), part of shape (32, 32) with strides (131072, 1), from element 3104 on:
//   axis 0: 0 to 31     axis 1: 3     axis 2: 32 to 63

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace lanescope::source {

/// Indices first, first + step, ... of one axis.
struct AxisRange {
  std::int64_t first = 0, count = 1, step = 1;
  std::int64_t last() const { return first + (count - 1) * step; }
  bool operator==(const AxisRange&) const = default;
};

/// `extents`: of the array, slowest first, without holes. `shape` and `strides`: of the part, in elements. nullopt: it is no
/// box of the array (it runs over the end of an axis, or its strides are no multiples of an axis), or it leaves the array.
std::optional<std::vector<AxisRange>> box_in_array(std::span<const std::int64_t> extents,
                                                   std::span<const std::int64_t> shape,
                                                   std::span<const std::int64_t> strides, std::int64_t start);

}  // namespace lanescope::source
