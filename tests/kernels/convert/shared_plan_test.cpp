// Conversions through shared memory: right place by place, and without bank conflicts.

#include <gtest/gtest.h>

#include "kernels/convert/planner.h"
#include "tests/kernels/convert/random_pairs.h"

namespace lanescope::convert {
namespace {

TEST(SharedPlan, EveryRandomPairIsRightAndWithoutConflicts) {
  RandomPairs random(2);
  for (const Kind kind : {Kind::permutation, Kind::linear, Kind::spare}) {
    for (const int bits : {1, 2, 4, 8, 16, 32, 64, 128}) {
      for (int n = 0; n < 15; ++n) {
        const Pair p = random.pair(kind, bits, 3, random.any(3));
        const Expected<PlaceMap> m = place_map(p.from, p.to, bits);
        ASSERT_TRUE(m.has_value()) << layout::print(p.from) << layout::print(p.to) << m.error().front().message;
        const std::optional<SharedPlan> plan = shared_plan(*m);
        ASSERT_TRUE(plan.has_value()) << layout::print(p.from) << layout::print(p.to);
        ASSERT_EQ(disprove(*plan, *m), "") << bits << " bits\n" << layout::print(p.from) << "\n" << layout::print(p.to);
        EXPECT_EQ(plan->cost().conflicts, 0) << bits << " bits\n"
                                             << layout::print(p.from) << "\n"
                                             << layout::print(p.to);
      }
    }
  }
}

/// Warps with copies of what another one holds store nothing: they have to wait for it.
TEST(SharedPlan, ACopyInAnotherWarpIsWaitedFor) {
  const PlaceMap m = *place_map(*layout::parse("register: i1; thread: [unused] j0 i3 i0 j2; warp: [unused]"),
                                *layout::parse("register: i0; thread: j2 i1 i3 [unused] j0; warp: [unused]"), 32);
  SharedPlan plan = *shared_plan(m);
  EXPECT_NE(plan.idle_threads >> lane_bits, 0U);
  EXPECT_TRUE(plan.between_warps);
  EXPECT_EQ(disprove(plan, m), "");
  plan.between_warps = false;
  EXPECT_NE(disprove(plan, m), "");
}

/// Exchanges by shuffles first: the elements then pass through shared memory as whole registers.
TEST(SharedPlan, ElementsThatWouldGoOneByOneGoAsRegisters) {
  RandomPairs random(6);
  int found = 0;
  for (const Kind kind : {Kind::permutation, Kind::linear, Kind::spare}) {
    for (const int bits : {1, 2, 4, 8, 16, 32}) {
      for (int n = 0; n < 80; ++n) {
        const Pair p = random.pair(kind, bits, 4, random.any(3));
        const PlaceMap m = *place_map(p.from, p.to, bits);
        const SharedPlan plain = *shared_plan(m);
        for (const SharedPlan& e : exchanged_shared_plans(plain, m)) {
          ++found;
          const std::string pair = layout::print_line(p.from) + "\n" + layout::print_line(p.to);
          ASSERT_EQ(disprove(e, m), "") << bits << " bits\n" << pair;
          EXPECT_EQ(e.cost().conflicts, 0) << pair;
          EXPECT_GT(e.unit_bytes, plain.unit_bytes) << pair;
          EXPECT_LE(e.cost().stores + e.cost().loads, plain.cost().stores + plain.cost().loads) << pair;
          EXPECT_GT(e.store.counts().shuffles, 0) << pair;
        }
      }
    }
  }
  EXPECT_GT(found, 100);
}

/// 32x32 halves across a warp: 8 shuffles, then 16 words of 4 bytes in and out instead of 32 of 2 bytes.
TEST(SharedPlan, ATransposeOfHalvesInAWarp) {
  const Planned p = *plan(*layout::parse("simd: j0; register: j4 j3 j2 j1; thread: i4 i3 i2 i1 i0"),
                          *layout::parse("simd: i0; register: i4 i3 i2 i1; thread: j4 j3 j2 j1 j0"), 16);
  const Plan& best = *std::ranges::find_if(p.plans, &Plan::recommended);
  ASSERT_TRUE(best.shared.has_value());
  EXPECT_EQ(best.counts, (Counts{.shuffles = 8, .permutes = 24}));
  EXPECT_EQ(best.shared_cost.store_wavefronts + best.shared_cost.load_wavefronts, 32);
  EXPECT_LT(best.cycles, p.plans.back().cycles);
}

TEST(SharedPlan, AWrongAddressIsDisproved) {
  RandomPairs random(4);
  const Pair p = random.pair(Kind::permutation, 32, 3, 2);
  const PlaceMap m = *place_map(p.from, p.to, 32);
  SharedPlan plan = *shared_plan(m);
  ASSERT_EQ(disprove(plan, m), "");
  std::swap(plan.load_threads[0], plan.load_threads[1]);
  EXPECT_NE(disprove(plan, m), "");
}

/// Swizzles that a published test set demands without conflicts on either side.
TEST(SharedPlan, PublishedSwizzles) {
  // 128x128 bytes transposed; a 16x16 tile of bf16 and a 16x256 tile of 4-bit elements for the tensor cores.
  struct Case {
    const char *from, *to;
    int bits;
  };
  for (const Case& c : {Case{"simd: j1 j0; register: i1 i0 j3 j2; thread: i4 i3 i2 j6 j5; warp: i6 i5 j4",
                             "simd: i1 i0; register: j1 j0 i3 i2; thread: j4 j3 j2 i6 i5; warp: j6 j5 i4", 8},
                        Case{"simd: j0; register: j2 j1; thread: i3 i2 i1 i0 j3",
                             "simd: j0; register: j3 i3; thread: i2 i1 i0 j2 j1", 16},
                        Case{"simd: j2 j1 j0; register: i3 i2 j4 j3; thread: i1 i0 j7 j6 j5",
                             "simd: j2 j1 j0; register: j7 j6 j5 i3; thread: i2 i1 i0 j4 j3", 4}}) {
    const Expected<Planned> p = plan(*layout::parse(c.from), *layout::parse(c.to), c.bits);
    ASSERT_TRUE(p.has_value()) << p.error().front().message;
    const Plan& shared = p->plans.back();
    ASSERT_TRUE(shared.shared.has_value());
    EXPECT_EQ(disprove(*shared.shared, p->map), "");
    EXPECT_EQ(shared.shared_cost.conflicts, 0);
  }
}

TEST(SharedPlan, BlocksAreRefused) {
  const Expected<Planned> p = plan(*layout::parse("thread: i4 i3 i2 i1 i0; block: j0"),
                                   *layout::parse("thread: i4 i3 i2 i1 j0; block: i0"), 32);
  ASSERT_FALSE(p.has_value());
  EXPECT_EQ(p.error().front().message, "elements move between blocks");
}

}  // namespace
}  // namespace lanescope::convert
