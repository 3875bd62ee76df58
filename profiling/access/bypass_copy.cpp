#include "profiling/access/bypass_copy.h"

#include <algorithm>
#include <array>
#include <tuple>

#include "kernels/base/set_bits.h"

namespace lanescope::access {

std::uint32_t bypass_copy_sectors(std::uint32_t mask, std::span<const std::uint64_t, 32> global,
                                  std::span<const std::uint64_t, 32> shared) {
  using Fetch = std::tuple<std::uint64_t, std::uint64_t, bool>;  // sector from, sector to, halves swapped
  std::array<Fetch, 32> fetches;
  auto end = fetches.begin();
  for (const std::size_t lane : set_bits(mask)) {
    bool overwritten = false;
    for (const std::size_t later : set_bits(mask & ~((2u << lane) - 1))) overwritten |= shared[later] == shared[lane];
    if (!overwritten) *end++ = {global[lane] / 32, shared[lane] / 32, ((global[lane] ^ shared[lane]) & 16) != 0};
  }
  std::sort(fetches.begin(), end);
  return static_cast<std::uint32_t>(std::unique(fetches.begin(), end) - fetches.begin());
}

}  // namespace lanescope::access
