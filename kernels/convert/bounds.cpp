#include "kernels/convert/bounds.h"

#include <algorithm>
#include <bit>
#include <set>

#include <fmt/format.h>

#include "kernels/convert/bits.h"
#include "kernels/convert/word_program.h"

namespace lanescope::convert {

ShuffleBound shuffle_bound(const PlaceMap& map) {
  std::uint64_t free = 0;
  for (int i = 0; i < map.total(); ++i) {
    if (map.roles[index(i)] == Role::free) free |= bit(i);
  }
  const std::uint64_t copied_lanes = map.from_copies >> map.local() & (lanes - 1);
  const auto element_part = static_cast<std::uint64_t>(std::min(map.element_bits, 32));
  std::uint64_t most_bits = 0;
  std::size_t most_lanes = 1;
  for (std::uint64_t lane = 0; lane < lanes; ++lane) {
    std::set<std::uint64_t> elements, heard;
    heard.insert(lane & ~copied_lanes);
    for (std::uint64_t local = 0; local < bit(map.local()); ++local) {
      const std::uint64_t place = lane << map.local() | local;
      if ((place & free) != 0) continue;
      const std::uint64_t there = map(place) & ~map.from_copies;
      const std::uint64_t from_lane = there >> map.local() & (lanes - 1);
      if (from_lane == (lane & ~copied_lanes)) continue;
      elements.insert(there);
      heard.insert(from_lane);
    }
    most_bits = std::max(most_bits, elements.size() * element_part);
    most_lanes = std::max(most_lanes, heard.size());
  }
  const auto by_bits = static_cast<int>((most_bits + 31) / 32);
  const int by_lanes = std::bit_width(most_lanes - 1);
  if (by_bits == 0) return {0, "every lane holds all that it needs"};
  if (by_bits >= by_lanes)
    return {by_bits, fmt::format("a lane needs {} bits from other lanes, and a shuffle brings 32", most_bits)};
  return {by_lanes,
          fmt::format("a lane needs elements of {} lanes, and after k shuffles it knows of at most 2^k", most_lanes)};
}

}  // namespace lanescope::convert
