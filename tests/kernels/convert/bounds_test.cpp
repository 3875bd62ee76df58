// The lower bound of shuffles, from ranks, against counting every place of every lane.

#include "kernels/convert/bounds.h"

#include <gtest/gtest.h>

#include <bit>
#include <set>

#include "kernels/convert/bits.h"
#include "kernels/convert/word_program.h"
#include "tests/kernels/convert/random_pairs.h"

namespace lanescope::convert {
namespace {

int counted_bound(const PlaceMap& map) {
  std::uint64_t free = 0;
  for (int i = 0; i < map.total(); ++i) {
    if (map.roles[index(i)] == Role::free) free |= bit(i);
  }
  const std::uint64_t copied_lanes = map.from_copies >> map.local() & (lanes - 1);
  std::uint64_t most_bits = 0;
  std::size_t most_lanes = 1;
  for (std::uint64_t lane = 0; lane < lanes; ++lane) {
    std::set<std::uint64_t> elements, heard{lane & ~copied_lanes};
    for (std::uint64_t local = 0; local < bit(map.local()); ++local) {
      const std::uint64_t place = lane << map.local() | local;
      if ((place & free) != 0) continue;
      const std::uint64_t there = map(place) & ~map.from_copies;
      const std::uint64_t from_lane = there >> map.local() & (lanes - 1);
      if (from_lane == (lane & ~copied_lanes)) continue;
      elements.insert(there);
      heard.insert(from_lane);
    }
    most_bits = std::max(most_bits, elements.size() * static_cast<std::uint64_t>(std::min(map.element_bits, 32)));
    most_lanes = std::max(most_lanes, heard.size());
  }
  return std::max(static_cast<int>((most_bits + 31) / 32), static_cast<int>(std::bit_width(most_lanes - 1)));
}

TEST(Bounds, RanksCountWhatPlacesCount) {
  RandomPairs random(21);
  int above_zero = 0;
  for (const Kind kind : {Kind::permutation, Kind::linear, Kind::spare}) {
    for (const int bits : {1, 2, 4, 8, 16, 32, 64, 128}) {
      for (int n = 0; n < 40; ++n) {
        const Pair p = random.pair(kind, bits, 3);
        const PlaceMap m = *place_map(p.from, p.to, bits);
        ASSERT_EQ(shuffle_bound(m).shuffles, counted_bound(m)) << layout::print_line(p.from) << "\n"
                                                               << layout::print_line(p.to);
        if (counted_bound(m) > 0) ++above_zero;
      }
    }
  }
  EXPECT_GT(above_zero, 500);
}

}  // namespace
}  // namespace lanescope::convert
