#include "kernels/convert/bounds.h"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "kernels/convert/bits.h"
#include "kernels/convert/word_program.h"
#include "kernels/layout/f2_basis.h"

namespace lanescope::convert {

// The places that a lane reads are the sums of the columns of its local bits, moved by a vector of the lane: a coset. So
// their number, the lanes among them, and how many are its own lane's follow from ranks.
ShuffleBound shuffle_bound(const PlaceMap& map) {
  layout::F2Basis<std::uint64_t> elements, lanes_heard;
  int rank = 0, lane_rank = 0;
  const auto lane_part = [&](std::uint64_t place) { return place >> map.local() & (lanes - 1); };
  for (int i = 0; i < map.local(); ++i) {
    if (map.roles[index(i)] == Role::free) continue;
    const std::uint64_t c = map.columns[index(i)] & ~map.from_copies;
    if (elements.insert({c, 0})) ++rank;
    if (lanes_heard.insert({lane_part(c), 0})) ++lane_rank;
  }
  const std::uint64_t copied_lanes = lane_part(map.from_copies);
  const auto element_part = static_cast<std::uint64_t>(std::min(map.element_bits, 32));
  std::uint64_t most_bits = 0, most_lanes = 1;
  for (std::uint64_t lane = 0; lane < lanes; ++lane) {
    bool exists = true;
    for (int i = 0; i < lane_bits; ++i)
      exists = exists && !(has(lane, i) && map.roles[index(map.lane(i))] == Role::free);
    if (!exists) continue;
    const std::uint64_t first = lane_part(map(lane << map.local()) & ~map.from_copies);
    const bool own = lanes_heard.reduce({first ^ (lane & ~copied_lanes), 0}).vector == 0;
    most_bits = std::max(most_bits, (bit(rank) - (own ? bit(rank - lane_rank) : 0)) * element_part);
    most_lanes = std::max(most_lanes, bit(lane_rank) + (own ? 0 : 1));
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
