#include "kernels/source/offsets/box_in_array.h"

#include <algorithm>
#include <utility>

namespace lanescope::source {
namespace {

/// One dimension of the part, put on an axis; what is left over when an axis is full continues to the next slower one.
bool put(std::int64_t count, std::int64_t stride, std::span<const std::int64_t> extents,
         std::span<const std::int64_t> axis_strides, std::vector<AxisRange>& box) {
  for (std::size_t axis = extents.size(); axis-- > 0;) {
    if (stride % axis_strides[axis] != 0 || stride >= axis_strides[axis] * extents[axis]) continue;
    AxisRange& r = box[axis];
    const std::int64_t step = stride / axis_strides[axis];
    if (r.count > 1 && step != r.step * r.count) return false;  // beside what other dimensions have of this axis
    const std::int64_t each = r.count > 1 ? r.count : 1, own_step = r.count > 1 ? r.step : step;
    if (r.first + (each * count - 1) * own_step < extents[axis]) {
      r.count = each * count, r.step = own_step;
      return true;
    }
    // The whole axis, and on along the next one.
    if (axis == 0 || own_step != 1 || r.first != 0 || each * count % extents[axis] != 0) return false;
    r.count = extents[axis], r.step = 1;
    return put(each * count / extents[axis], axis_strides[axis - 1], extents, axis_strides, box);
  }
  return false;
}

}  // namespace

std::optional<std::vector<AxisRange>> box_in_array(std::span<const std::int64_t> extents,
                                                   std::span<const std::int64_t> shape,
                                                   std::span<const std::int64_t> strides, std::int64_t start) {
  std::vector<std::int64_t> axis_strides(extents.size());
  std::int64_t all = 1;
  for (std::size_t axis = extents.size(); axis-- > 0;) axis_strides[axis] = all, all *= extents[axis];
  if (start < 0 || start >= all || shape.size() != strides.size()) return std::nullopt;
  std::vector<AxisRange> box(extents.size());
  for (std::size_t axis = 0; axis < extents.size(); ++axis)
    box[axis].first = start / axis_strides[axis] % extents[axis];
  std::vector<std::pair<std::int64_t, std::int64_t>> parts;  // stride and count, the fastest first
  for (std::size_t n = 0; n < shape.size(); ++n) {
    if (shape[n] < 1 || (shape[n] > 1 && strides[n] < 1)) return std::nullopt;
    if (shape[n] > 1) parts.emplace_back(strides[n], shape[n]);
  }
  std::ranges::sort(parts);
  for (const auto& [stride, count] : parts)
    if (!put(count, stride, extents, axis_strides, box)) return std::nullopt;
  return box;
}

}  // namespace lanescope::source
