#include <algorithm>

#include "profiling/access/access.h"

namespace lanescope::access {
namespace {

constexpr std::uint64_t sector_bytes = 32;
constexpr std::uint64_t line_bytes = 128;

}  // namespace

// Active addresses in ascending order, then one sweep: a sector, a line or a byte counts when it lies above everything
// that earlier lanes touched. Most kernels' addresses ascend already, so the sort is usually skipped.
GlobalCost global_cost(const Pattern& pattern) {
  std::array<std::uint64_t, 32> sorted;
  int count = 0;
  bool ascending = true;
  for (int lane = 0; lane < 32; ++lane) {
    if (!(pattern.mask >> lane & 1)) continue;
    const std::uint64_t address = pattern.addresses[lane];
    if (count > 0 && address < sorted[count - 1]) ascending = false;
    sorted[count++] = address;
  }
  GlobalCost cost;
  if (count == 0) return cost;
  if (!ascending) std::sort(sorted.begin(), sorted.begin() + count);

  const auto width = static_cast<std::uint64_t>(pattern.width_bytes);
  std::uint64_t bytes_end = 0, sectors_end = 0, lines_end = 0;  // one past what has been counted
  const auto newly_touched = [](std::uint64_t first, std::uint64_t last, std::uint64_t& end) -> std::uint32_t {
    const std::uint64_t from = std::max(first, end);
    if (from > last) return 0;
    end = last + 1;
    return static_cast<std::uint32_t>(last - from + 1);
  };
  for (int i = 0; i < count; ++i) {
    const std::uint64_t first = sorted[i], last = first + width - 1;
    cost.bytes_wanted += newly_touched(first, last, bytes_end);
    cost.sectors += newly_touched(first / sector_bytes, last / sector_bytes, sectors_end);
    cost.lines += newly_touched(first / line_bytes, last / line_bytes, lines_end);
  }
  cost.requests = 1;
  cost.bytes_moved = cost.sectors * static_cast<std::uint32_t>(sector_bytes);
  return cost;
}

}  // namespace lanescope::access
