#include "profiling/review/memory/stated_box.h"

#include <algorithm>

namespace lanescope::review {

StatedBox::StatedBox(const source::StatedArray& stated) {
  for (std::size_t i = 0; i < stated.shape.size(); ++i) {
    if (stated.strides[i] < 0) usable_ = false;
    elements_ *= stated.shape[i];
    if (stated.shape[i] > 1 && stated.strides[i] > 0)
      dimensions_.push_back({.extent = stated.shape[i], .stride = stated.strides[i], .below = 0});
  }
  std::ranges::stable_sort(dimensions_, std::greater{}, &Dimension::stride);
  for (std::size_t i = dimensions_.size(); i-- > 0;) {
    dimensions_[i].below = span_;
    if (__builtin_add_overflow(span_, (dimensions_[i].extent - 1) * dimensions_[i].stride, &span_)) usable_ = false;
  }
}

bool StatedBox::inside(std::int64_t offset, std::size_t d) const {
  if (offset < 0) return false;
  if (d == dimensions_.size()) return offset == 0;
  const Dimension& dim = dimensions_[d];
  // Where strides nest, one index is possible; where they overlap, few.
  std::int64_t index = offset > dim.below ? (offset - dim.below + dim.stride - 1) / dim.stride : 0;
  const std::int64_t last = std::min(dim.extent - 1, offset / dim.stride);
  for (; index <= last; ++index)
    if (inside(offset - index * dim.stride, d + 1)) return true;
  return false;
}

std::vector<std::int64_t> StatedBox::offsets(std::size_t most) const {
  std::vector<std::int64_t> out{0};
  for (auto dim = dimensions_.rbegin(); dim != dimensions_.rend(); ++dim) {
    const std::size_t inner = out.size();
    for (std::int64_t i = 1; i < dim->extent && out.size() < most; ++i)
      for (std::size_t k = 0; k < inner && out.size() < most; ++k) out.push_back(out[k] + i * dim->stride);
  }
  std::ranges::sort(out);
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

}  // namespace lanescope::review
