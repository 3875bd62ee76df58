#include "profiling/access/bypass_copy.h"

#include <algorithm>
#include <array>
#include <bit>
#include <tuple>

namespace lanescope::access {

std::uint32_t bypass_copy_sectors(std::uint32_t mask, std::span<const std::uint64_t, 32> global,
                                  std::span<const std::uint64_t, 32> shared) {
  using Fetch = std::tuple<std::uint64_t, std::uint64_t, bool>;  // sector from, sector to, halves swapped
  std::array<Fetch, 32> fetches;
  auto end = fetches.begin();
  for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<std::size_t>(std::countr_zero(rest));
    bool overwritten = false;
    for (std::uint32_t later = rest & (rest - 1); later != 0; later &= later - 1)
      overwritten |= shared[static_cast<std::size_t>(std::countr_zero(later))] == shared[lane];
    if (!overwritten) *end++ = {global[lane] / 32, shared[lane] / 32, ((global[lane] ^ shared[lane]) & 16) != 0};
  }
  std::sort(fetches.begin(), end);
  return static_cast<std::uint32_t>(std::unique(fetches.begin(), end) - fetches.begin());
}

}  // namespace lanescope::access
