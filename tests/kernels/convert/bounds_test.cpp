// The lower bound of shuffles, from ranks, against counting every place of every lane.

#include "kernels/convert/planner.h"

#include <gtest/gtest.h>

#include <bit>
#include <map>
#include <set>

#include "kernels/convert/bits.h"
#include "kernels/convert/word_program.h"
#include "tests/kernels/convert/random_pairs.h"

namespace lanescope::convert {
namespace {

/// Needs of each lane: the elements that it needs from each other lane.
using Wanted = std::map<std::uint64_t, std::set<std::uint64_t>>;
std::vector<Wanted> wanted_of(const PlaceMap& map) {
  std::uint64_t free = 0;
  for (int i = 0; i < map.total(); ++i) {
    if (map.roles[index(i)] == Role::free) free |= bit(i);
  }
  const std::uint64_t copied_lanes = map.from_copies >> map.local() & (lanes - 1);
  std::vector<Wanted> out(lanes);
  for (std::uint64_t lane = 0; lane < lanes; ++lane) {
    for (std::uint64_t local = 0; local < bit(map.local()); ++local) {
      const std::uint64_t place = lane << map.local() | local;
      if ((place & free) != 0) continue;
      const std::uint64_t there = map(place) & ~map.from_copies, from = there >> map.local() & (lanes - 1);
      if (from != (lane & ~copied_lanes)) out[lane][from].insert(there);
    }
  }
  return out;
}

/// Whether `shuffles` are enough for every argument of bounds.h, each subset of the shuffles being one way to a lane.
bool could_do(const PlaceMap& map, int shuffles) {
  const std::size_t room = 32 / static_cast<std::size_t>(std::min(map.element_bits, 32));
  const std::vector<Wanted> wanted = wanted_of(map);
  std::vector<std::size_t> ways;  // reads of each
  for (unsigned subset = 1; subset < 1U << shuffles; ++subset) ways.push_back(std::popcount(subset));
  std::ranges::sort(ways);
  std::size_t taken = 0;
  std::map<std::uint64_t, int> readers;
  const bool copies = (map.from_copies >> map.local() & (lanes - 1)) != 0;
  for (const Wanted& w : wanted) {
    std::size_t all = 0, each = 0;
    for (const auto& [from, elements] : w) {
      all += elements.size(), each = elements.size();
      for (const std::uint64_t e : elements) ++readers[e];
    }
    std::size_t brought = 0, known = 1;
    for (int n = 0; n < shuffles; ++n)
      brought += std::min(room, known * each), known = std::min<std::size_t>(2 * known, 64);
    if (brought < all || w.size() > ways.size()) return false;
    for (std::size_t n = 0; n < w.size(); ++n) taken += ways[n] * each;
  }
  const bool shared = std::ranges::any_of(readers, [](const auto& r) { return r.second > 1; });
  return copies || shared || taken <= lanes * room * static_cast<std::size_t>(shuffles);
}

TEST(Bounds, RanksCountWhatPlacesCount) {
  RandomPairs random(21);
  int above_zero = 0, small = 0, detours = 0;
  for (const Kind kind : {Kind::permutation, Kind::linear, Kind::spare}) {
    for (const int bits : {1, 2, 4, 8, 16, 32, 64, 128}) {
      for (int n = 0; n < 60; ++n) {
        const Pair p = random.pair(kind, bits, 3);
        const PlaceMap m = *place_map(p.from, p.to, bits);
        const ShuffleBound found = shuffle_bound(m);
        if (found.shuffles > 12) continue;  // 2^12 subsets
        ++small;
        EXPECT_TRUE(could_do(m, found.shuffles)) << layout::print_line(p.from) << "\n" << layout::print_line(p.to);
        if (found.shuffles == 0) continue;
        ++above_zero;
        detours += found.argument.find("pass through others") != std::string::npos ? 1 : 0;
        EXPECT_FALSE(could_do(m, found.shuffles - 1)) << found.shuffles << " " << layout::print_line(p.from) << "\n"
                                                      << layout::print_line(p.to);
      }
    }
  }
  EXPECT_GT(small, 1000);
  EXPECT_GT(above_zero, 500);
  EXPECT_GT(detours, 20);
}

/// Every plan is a program that moves elements: none may need fewer shuffles than the bound says.
TEST(Bounds, NoPlanNeedsFewer) {
  RandomPairs random(22);
  int inside = 0, proved = 0;
  for (const Kind kind : {Kind::permutation, Kind::linear, Kind::spare}) {
    for (const int bits : {1, 2, 4, 8, 16, 32, 64}) {
      for (int n = 0; n < 60; ++n) {
        const Pair p = random.pair(kind, bits, 4);
        const Expected<Planned> planned = plan(p.from, p.to, bits);
        if (!planned || !planned->bound || !planned->plans.front().program) continue;
        ++inside;
        proved += planned->proved_optimal() ? 1 : 0;
        EXPECT_GE(planned->plans.front().counts.shuffles, planned->bound->shuffles)
            << planned->bound->argument << "\n"
            << layout::print_line(p.from) << "\n"
            << layout::print_line(p.to);
      }
    }
  }
  fmt::print("{} of {} random conversions are proved optimal in shuffles\n", proved, inside);
  EXPECT_GT(inside, 1000);
}

/// 16 x 16 bytes across 16 lanes, twice: 15 elements of 15 lanes fit 4 registers, and are heard of in 5 shuffles; but those of
/// the lanes that are not read take a place twice.
TEST(Bounds, DetoursTakeRoom) {
  const Planned p = *plan(*layout::parse("simd: d1 d0; register: d3 d2; thread: i1 i0 d6 d5 d4"),
                          *layout::parse("simd: i1 i0; register: d6 d5; thread: d3 d2 d1 d0 d4"), 8);
  EXPECT_EQ(p.bound->shuffles, 6) << p.bound->argument;
  EXPECT_EQ(p.plans.front().counts.shuffles, 6);
  EXPECT_TRUE(p.proved_optimal());
  // 4 x 4 bytes: 1 + 2 elements in two shuffles, 2 * 1 + 1 * 2 places of 8.
  const Planned q = *plan(*layout::parse("simd: a1 a0; thread: c2 c1 c0 b1 b0"),
                          *layout::parse("simd: b1 b0; thread: c2 c1 c0 a1 a0"), 8);
  EXPECT_EQ(q.bound->shuffles, 2) << q.bound->argument;
}

}  // namespace
}  // namespace lanescope::convert
