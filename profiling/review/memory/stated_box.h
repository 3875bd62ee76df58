#pragma once
// The elements that "shape (32,32), strides (128*1024, 1)" means, as offsets from the pointer, and the search for the
// pointer's value when only the elements that were reached are known.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "kernels/source/notation/pointer_comments.h"

namespace lanescope::review {

class StatedBox {
 public:
  explicit StatedBox(const source::StatedArray& stated);
  bool usable() const { return usable_; }  ///< false: a stride is negative
  bool contains(std::int64_t offset) const { return inside(offset, 0); }
  std::int64_t elements() const { return elements_; }
  std::int64_t span() const { return span_; }  ///< largest offset
  /// Offsets in ascending order, at most `most` of them.
  std::vector<std::int64_t> offsets(std::size_t most) const;
  /// Calls `body(offset)` for every element; one that overlapping strides name several times is visited several times.
  template <class Body>
  void for_each_offset(Body body) const {
    visit(0, 0, body);
  }

 private:
  struct Dimension {
    std::int64_t extent = 1, stride = 1, below = 0;  ///< below: largest offset of the faster dimensions
  };
  bool inside(std::int64_t offset, std::size_t d) const;
  template <class Body>
  void visit(std::int64_t from, std::size_t d, Body& body) const {
    if (d == dimensions_.size()) return void(body(from));
    for (std::int64_t i = 0; i < dimensions_[d].extent; ++i) visit(from + i * dimensions_[d].stride, d + 1, body);
  }
  std::vector<Dimension> dimensions_;  ///< largest stride first; extents of 1 and strides of 0 left out
  std::int64_t elements_ = 1, span_ = 0;
  bool usable_ = true;
};

/// A start such that all of `elements` (ascending, not empty) lie in the box that begins there, and that `allowed`
/// takes. `hint`: distance of the lowest element from the start that worked before; updated on success.
template <class Allowed>
std::optional<std::int64_t> find_start(std::span<const std::int64_t> elements, const StatedBox& box, std::int64_t& hint,
                                       const std::vector<std::int64_t>& shifts, Allowed allowed) {
  const auto fits = [&](std::int64_t start) {
    if (!allowed(start) || elements.back() - start > box.span()) return false;
    for (const std::int64_t e : elements)
      if (!box.contains(e - start)) return false;
    return true;
  };
  if (fits(elements.front() - hint)) return elements.front() - hint;
  for (const std::int64_t shift : shifts) {
    if (!fits(elements.front() - shift)) continue;
    hint = shift;
    return elements.front() - shift;
  }
  return std::nullopt;
}

}  // namespace lanescope::review
