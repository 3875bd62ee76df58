// Conversions of a published set: one plan of each costs no more than the published formulas.

#include "tests/kernels/convert/published_set.h"

#include <gtest/gtest.h>

#include "kernels/convert/bits.h"
#include "kernels/convert/planner.h"
#include "kernels/convert/warp_moves.h"
#include "tests/sample.h"

namespace lanescope::convert {
namespace {

/// The costs by the published formulas of a permutation of bits with copies. With R words, of whose bits m change
/// sides with lane bits: 2 m R selects and (1 - 2^-m) R shuffles, 1.5 R and 0.5 R for one bit; R shuffles where
/// lanes are permuted, too. The published method pads the side with fewer registers: a copied lane bit takes part
/// like another. A word has two elements of 16 bits if two elements of a thread move to the same thread, else one.
struct PublishedCost {
  int shuffles = 0, selects = 0;
};
PublishedCost published_cost(const PlaceMap& map) {
  int to_registers = 0, to_lanes = 0, staying = 0;
  bool lanes_permuted = false;
  for (int i = 0; i < map.lane(lane_bits); ++i) {
    const std::uint64_t own = map.columns[index(i)], c = own & ~map.from_copies;
    if (map.roles[index(i)] == Role::free || c == 0) continue;
    const bool of_lane = (c & map.lane_mask()) != 0;
    if (i < map.local()) {
      to_registers += of_lane ? 1 : 0;
      staying += of_lane ? 0 : 1;
    } else {
      to_lanes += of_lane ? 0 : 1;
      lanes_permuted = lanes_permuted || (of_lane && c != bit(i));
    }
  }
  const int m = std::max(to_registers, to_lanes), packed = std::min(staying, map.slots);
  const int registers = 1 << (map.local() - packed);
  PublishedCost out{.shuffles = lanes_permuted ? registers : registers - (registers >> m),
                    .selects = 2 * m * registers};
  if (m == 1 && !lanes_permuted) out.selects = registers * 3 / 2;
  return out;
}

TEST(PublishedSet, OnePlanOfEachPairCostsNoMoreThanTheFormulas) {
  std::size_t pairs = 0, tried = 0, better = 0;
  for (const int element_bits : {32, 16}) {
    const int simd = element_bits == 16 ? 1 : 0;
    for (const int bits : {5, 6}) {
      std::size_t here = 0, better_here = 0;
      for (const Blocked& a : warp_local_layouts) {
        for (const Blocked& b : warp_local_layouts) {
          if (&a == &b || !lanescope::test::in_sample(pairs++, 3)) continue;
          const layout::Assignment from = blocked(a, bits, simd), to = blocked(b, bits, simd);
          const Expected<Planned> p = plan(from, to, element_bits);
          ASSERT_TRUE(p.has_value()) << p.error().front().message;
          const PublishedCost known = published_cost(p->map);
          bool reached = false, beaten = false;
          std::string seen;
          for (const Plan& each : p->plans) {
            if (!each.program || each.counts.matrices > 0) continue;  // by shuffles and selects alone
            const Counts c = each.counts;
            seen += fmt::format(" {}+{}", c.shuffles, c.selects);
            const bool fits = c.shuffles <= known.shuffles && c.selects <= known.selects;
            reached = reached || fits;
            beaten = beaten || (fits && (c.shuffles < known.shuffles || c.selects < known.selects));
            EXPECT_EQ(fits ? disprove(*each.program, p->map) : "", "");
          }
          ++here;
          if (beaten) ++better_here;
          EXPECT_TRUE(reached) << layout::print_line(from) << " -> " << layout::print_line(to) << ": published "
                               << known.shuffles << " shuffles and " << known.selects << " selects; found" << seen;
        }
      }
      fmt::print("{} bits, {}x{}: {} pairs, {} strictly better than the formulas\n", element_bits, 1 << bits, 1 << bits,
                 here, better_here);
      tried += here;
      better += better_here;
    }
  }
  EXPECT_EQ(pairs, 4U * 182);
  EXPECT_GE(3 * better, tried);  // a third of all: elements that travel together
}

/// n items of n lanes transposed: n - 1 shuffles, where exchanges bit by bit need n/2 log n.
TEST(PublishedSet, ItemsOfALane) {
  for (const int bits : {1, 2, 3}) {
    std::vector<std::string> items, lanes;
    for (int i = bits; i-- > 0;) items.push_back(fmt::format("i{}", i)), lanes.push_back(fmt::format("j{}", i));
    const std::vector<std::string> names = {"k4", "k3", "k2", "k1", "k0"};
    const std::string others = fmt::format("{}", fmt::join(names.begin() + bits, names.end(), " "));
    const auto text = [&](const auto& r, const auto& t) {
      return fmt::format("register: {}; thread: {} {}", fmt::join(r, " "), others, fmt::join(t, " "));
    };
    const Expected<Planned> p = plan(*layout::parse(text(items, lanes)), *layout::parse(text(lanes, items)), 32);
    ASSERT_TRUE(p.has_value());
    EXPECT_EQ(p->plans.front().counts.shuffles, (1 << bits) - 1);
    EXPECT_TRUE(p->proved_optimal());
  }
}

}  // namespace
}  // namespace lanescope::convert
