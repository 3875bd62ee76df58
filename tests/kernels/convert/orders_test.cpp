// Open bits of a destination, and chains of assignments.

#include "kernels/convert/planner.h"

#include <gtest/gtest.h>

#include "kernels/convert/warp_moves.h"
#include "tests/kernels/convert/random_pairs.h"

namespace lanescope::convert {
namespace {

layout::Assignment state(const std::string& text) { return *layout::parse(text); }

/// A production kernel (chime_bf1_E, inside a warp): 16 shuffles by hand.
const std::vector<std::string> beamformer = {
    "simd: n1 n0; register: e1 e0 n2; thread: t0 n6 n5 n4 n3", "simd: e1 e0; register: n1 n0 n2",
    "simd: e1 e0; register: n6 n0 t0; thread: n2 n1 n5 n4 n3", "thread: n5 n4 n3 n2 n1"};

TEST(Orders, AFreeLaneOrderSavesTheLanePermutation) {
  const layout::Assignment from = state(beamformer[0]),
                           to = state("simd: e1 e0; register: n6 n0 t0; thread: n5 n4 n3 n2 n1");
  EXPECT_EQ(plan(from, to, 8)->plans.front().counts.shuffles, 8);
  const Expected<Planned> free = plan(from, to, 8, {.lane_order = true});
  EXPECT_EQ(free->plans.front().counts.shuffles, 6);
  EXPECT_EQ(free->gap(), 0);
  // The same terms in another order.
  auto terms = [](const layout::Assignment& a) {
    std::vector<std::string> out;
    for (const layout::Term& t : *a.row(layout::Place::thread)) out.push_back(layout::print(t));
    std::ranges::sort(out);
    return out;
  };
  EXPECT_EQ(terms(free->to), terms(to));
  EXPECT_NE(free->to, to);
  EXPECT_EQ(disprove(*free->plans.front().program, free->map), "");
}

TEST(Orders, AFreeRegisterOrderSavesTheLocalTranspose) {
  const layout::Assignment from = state("simd: a1 a0; register: b1 b0; thread: t4 t3 t2 t1 t0"),
                           to = state("simd: b1 b0; register: a1 a0; thread: t4 t3 t2 t1 t0");
  EXPECT_EQ(plan(from, to, 8)->plans.front().counts.all(), 8);
  const Expected<Planned> free = plan(from, to, 8, {.register_order = true});
  EXPECT_EQ(free->plans.front().counts.all(), 0);
  EXPECT_EQ(free->to, from);
}

/// Never worse than the order as written, and right.
TEST(Orders, RandomPairsLoseNothing) {
  RandomPairs random(11);
  for (const Kind kind : {Kind::permutation, Kind::linear, Kind::spare}) {
    for (const int bits : {1, 8, 16, 32, 64}) {
      for (int n = 0; n < 6; ++n) {
        const Pair p = random.pair(kind, bits, 2);
        const Expected<Planned> stated = plan(p.from, p.to, bits);
        const Expected<Planned> free = plan(p.from, p.to, bits, {.lane_order = true, .register_order = true});
        ASSERT_TRUE(stated && free);
        EXPECT_LE(free->plans.front().counts.shuffles, stated->plans.front().counts.shuffles);
        for (const Plan& each : free->plans) {
          EXPECT_EQ(each.program ? disprove(*each.program, free->map) : "", "");
        }
      }
    }
  }
}

TEST(Orders, ChainsAreOneByOneAndAtOnce) {
  std::vector<layout::Assignment> states;
  for (const std::string& s : beamformer) states.push_back(state(s));
  const Expected<Chain> chain = plan_chain(states, 8);
  ASSERT_TRUE(chain.has_value());
  ASSERT_EQ(chain->steps.size(), 3U);
  EXPECT_EQ(chain->steps[0].plans.front().counts, (Counts{0, 0, 16, 0}));
  EXPECT_EQ(chain->steps[1].plans.front().counts.shuffles, 6);
  EXPECT_EQ(chain->steps[2].plans.front().counts.shuffles, 8);
  EXPECT_EQ(chain->direct.plans.front().counts.shuffles, 8);
  EXPECT_EQ(plan_chain(states, 8, {.lane_order = true})->direct.plans.front().counts.shuffles, 6);
}

TEST(Orders, AChainNamesTheStepThatCannotBe) {
  const std::vector<layout::Assignment> states = {state("thread: i4 i3 i2 i1 i0"), state("thread: i0 i1 i2 i3 i4"),
                                                  state("thread: i0 i1 i2 i3 j4")};
  const Expected<Chain> chain = plan_chain(states, 32);
  ASSERT_FALSE(chain.has_value());
  EXPECT_EQ(chain.error().front().message, "step 2: `i4` is in `from` and not in `to`");
  EXPECT_FALSE(plan_chain({states.data(), 1}, 32).has_value());
}

}  // namespace
}  // namespace lanescope::convert
