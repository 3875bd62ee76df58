#include "viz/views/buffers/buffers.h"

#include <algorithm>
#include <bit>
#include <numeric>

#include <fmt/format.h>

namespace lanescope::views {
namespace {

/// A power of two that divides `whole`, else its largest divisor, in (most / 2, most]; else a power of two.
std::uint64_t even_part(std::uint64_t whole, std::uint64_t most) {
  if (whole % std::bit_floor(most) == 0) return std::bit_floor(most);
  for (std::uint64_t part = most; part > most / 2; --part)
    if (whole % part == 0) return part;
  return std::bit_floor(most);
}

}  // namespace

BufferShape::BufferShape(const BufferInfo& buffer, std::uint64_t fits) : reader_(buffer) {
  fits = std::max<std::uint64_t>(fits, 1);
  axes_.resize(buffer.axes.size());
  std::iota(axes_.begin(), axes_.end(), 0);
  const auto stride = [&](int axis) { return buffer.axes[static_cast<std::size_t>(axis)].stride_elements; };
  std::stable_sort(axes_.begin(), axes_.end(), [&](int a, int b) { return stride(a) < stride(b); });
  const std::uint64_t elements = std::max<std::uint64_t>(buffer.elements, 1);
  run_ = elements;
  if (!axes_.empty() && stride(axes_.front()) <= 1) {
    inner_ = axes_.front();
    if (axes_.size() > 1) run_ = std::clamp<std::uint64_t>(stride(axes_[1]), 1, elements);
  }
  if (run_ > fits) {
    per_row_ = inner_ < 0 ? std::bit_floor(fits) : even_part(run_, fits);
    rows_per_run_ = (run_ + per_row_ - 1) / per_row_;
    return;
  }
  const std::uint64_t beside = axes_.size() > 1 ? reader_.extent(axes_[1]) : 1;
  std::uint64_t runs = std::min(fits / run_, beside);
  while (beside % runs != 0) --runs;
  per_row_ = run_ * runs;
}

std::uint64_t BufferShape::row_of(std::uint64_t element) const {
  if (rows_per_run_ == 1) return element / per_row_;
  return element / run_ * rows_per_run_ + element % run_ / per_row_;
}

std::uint64_t BufferShape::column_of(std::uint64_t element) const {
  return rows_per_run_ == 1 ? element % per_row_ : element % run_ % per_row_;
}

std::uint64_t BufferShape::first_of(std::uint64_t row) const {
  if (rows_per_run_ == 1) return row * per_row_;
  return row / rows_per_run_ * run_ + row % rows_per_run_ * per_row_;
}

bool BufferShape::parts_before(std::uint64_t row) const {
  if (row == 0 || inner_ < 0) return false;
  if (rows_per_run_ > 1) return row % rows_per_run_ == 0;
  const std::uint64_t here = first_of(row), before = first_of(row - 1);
  for (std::size_t slower = 2; slower < axes_.size(); ++slower)
    if (reader_.coordinate(here, axes_[slower]) != reader_.coordinate(before, axes_[slower])) return true;
  return false;
}

std::string BufferShape::row_text(std::uint64_t row) const {
  const std::uint64_t element = first_of(row);
  if (inner_ < 0) return spaced(element);
  std::string words;
  for (int axis = 0; axis < reader_.axes(); ++axis) {
    if (axis == inner_ && !wrapped()) continue;
    words += fmt::format("{}{}", words.empty() ? "" : ", ", reader_.coordinate(element, axis));
  }
  return words;
}

std::string BufferShape::column_text(std::uint64_t column) const {
  return wrapped() ? fmt::format("+{}", column) : std::to_string(column % run_);
}

std::string BufferShape::heading() const {
  if (inner_ < 0) return "element ↓";
  std::string words;
  for (int axis = 0; axis < reader_.axes(); ++axis) {
    if (axis == inner_ && !wrapped()) continue;
    words += (words.empty() ? "" : ", ") + reader_.name(axis);
  }
  if (!words.empty()) words += " ↓";
  if (!wrapped()) words += (words.empty() ? "" : "  ") + reader_.name(inner_) + " →";
  return words;
}

}  // namespace lanescope::views
