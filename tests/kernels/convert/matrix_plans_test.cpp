// movmatrix, ldmatrix and stmatrix as moves: where they fit, that they are right, and what they save.

#include <gtest/gtest.h>

#include "kernels/convert/planner.h"
#include "kernels/convert/warp_moves.h"
#include "tests/kernels/convert/random_pairs.h"

namespace lanescope::convert {
namespace {

Planned planned(const std::string& from, const std::string& to) {
  return *plan(*layout::parse(from), *layout::parse(to), 16);
}

std::string problem(const Plan& p, const PlaceMap& map) {
  return p.program ? disprove(*p.program, map) : disprove(*p.shared, map);
}

/// Rows in lanes 4 3 2, columns in the slot and lanes 1 0; then the other way round.
constexpr const char* by_rows_text = "simd: c0; register: a1 a0; thread: r2 r1 r0 c2 c1";
constexpr const char* by_columns_text = "simd: r0; register: a1 a0; thread: c2 c1 c0 r2 r1";

TEST(MatrixPlans, AnEightByEightTransposeIsOneInstructionForEachRegister) {
  const Planned p = planned(by_rows_text, by_columns_text);
  const auto found = std::ranges::find_if(p.plans, [](const Plan& each) { return each.counts.matrices > 0; });
  ASSERT_NE(found, p.plans.end());
  EXPECT_EQ(found->counts, (Counts{0, 0, 0, 0, 4}));
  EXPECT_EQ(problem(*found, p.map), "");
  EXPECT_FALSE(p.plans.front().counts.matrices > 0) << "plans by shuffles come first";
  EXPECT_TRUE(p.plans.back().shared.has_value());
}

TEST(MatrixPlans, WithOtherMovesBeforeOrBehind) {
  const PlaceMap after = planned(by_rows_text, "simd: r0; register: a1 c0; thread: c2 c1 a0 r2 r1").map;
  const std::optional<WarpPlan> plan_of = matrix_plan(after);
  ASSERT_TRUE(plan_of.has_value());
  EXPECT_EQ(plan_of->program.counts().matrices, 4);
  EXPECT_EQ(disprove(plan_of->program, after), "");
}

TEST(MatrixPlans, EveryRandomPairIsRight) {
  RandomPairs random(51);
  int by_movmatrix = 0, by_rows = 0, transposed = 0;
  for (const Kind kind : {Kind::permutation, Kind::linear, Kind::spare}) {
    for (int n = 0; n < 400; ++n) {
      const Pair p = random.pair(kind, 16, 4, random.any(3));
      const Expected<PlaceMap> m = place_map(p.from, p.to, 16);
      ASSERT_TRUE(m.has_value());
      if (m->within_warps()) {
        if (const std::optional<WarpPlan> matrix = matrix_plan(*m)) {
          ASSERT_EQ(disprove(matrix->program, *m), "") << layout::print_line(p.from) << "\n"
                                                       << layout::print_line(p.to);
          ++by_movmatrix;
        }
      }
      for (const SharedPlan& shared : matrix_shared_plans(*shared_plan(*m), *m)) {
        ASSERT_EQ(disprove(shared, *m), "") << layout::print_line(p.from) << "\n" << layout::print_line(p.to);
        EXPECT_EQ(shared.cost().conflicts, 0) << layout::print_line(p.from) << "\n" << layout::print_line(p.to);
        ++by_rows;
        transposed += shared.transposed ? 1 : 0;
      }
    }
  }
  EXPECT_GT(by_movmatrix, 100);
  EXPECT_GT(by_rows, transposed);
  fmt::print("{} by rows of matrices, {} of them transposed\n", by_rows, transposed);
}

TEST(MatrixPlans, FragmentsComeFromAndGoToRowsOfAThread) {
  const std::string row = "simd: c0; register: a0 c2 c1; thread: r4 r3 r2 r1 r0; warp: w1 w0",
                    fragment = "simd: c0; register: a0 r4 r3; thread: r2 r1 r0 c2 c1; warp: w0 w1";
  for (const bool loads : {true, false}) {
    const Planned p = loads ? planned(row, fragment) : planned(fragment, row);
    const auto found = std::ranges::find_if(p.plans, [&](const Plan& each) {
      return each.shared && (loads ? each.shared->matrix_loads : each.shared->matrix_stores);
    });
    ASSERT_NE(found, p.plans.end());
    EXPECT_EQ(problem(*found, p.map), "");
    EXPECT_EQ(found->shared_cost.stores, 2);
    EXPECT_EQ(found->shared_cost.loads, 2);
    EXPECT_EQ(found->shared_cost.store_wavefronts, 8);
    EXPECT_EQ(found->shared_cost.load_wavefronts, 8);
    EXPECT_EQ(found->shared_cost.conflicts, 0);
    const Plan& plain = p.plans.back();
    EXPECT_FALSE(plain.shared->matrix_loads || plain.shared->matrix_stores);
    EXPECT_EQ(plain.shared_cost.stores + plain.shared_cost.loads, 8);
  }
}

/// Columns of the stored rows in lanes 4 3 2 on the other side: .trans, both ways.
TEST(MatrixPlans, TransposedFragmentsComeFromAndGoToRowsOfAThread) {
  const std::string row = "simd: c0; register: a0 c2 c1; thread: r4 r3 r2 r1 r0; warp: w1 w0",
                    fragment = "simd: r0; register: a0 r4 r3; thread: c2 c1 c0 r2 r1; warp: w0 w1";
  for (const bool loads : {true, false}) {
    const Planned p = loads ? planned(row, fragment) : planned(fragment, row);
    const auto found = std::ranges::find_if(p.plans, [&](const Plan& each) {
      return each.shared && each.shared->transposed && (loads ? each.shared->matrix_loads : each.shared->matrix_stores);
    });
    ASSERT_NE(found, p.plans.end());
    EXPECT_EQ(problem(*found, p.map), "");
    EXPECT_EQ(found->shared_cost.stores + found->shared_cost.loads, 4);
    EXPECT_EQ(found->shared_cost.store_wavefronts + found->shared_cost.load_wavefronts, 16);
    EXPECT_EQ(found->counts.all(), 0);
    EXPECT_LT(found->cycles, p.plans.back().cycles);
    // Without the transposition it is another conversion.
    SharedPlan wrong = *found->shared;
    wrong.transposed = false;
    EXPECT_NE(disprove(wrong, p.map), "");
  }
}

TEST(MatrixPlans, AWrongOneIsDisproved) {
  Planned p = planned(by_rows_text, by_columns_text);
  for (Plan& each : p.plans) {
    if (each.counts.matrices == 0) continue;
    std::erase_if(each.program->outputs, [](Value) { return false; });
    std::swap(each.program->outputs[0], each.program->outputs[1]);
    EXPECT_NE(disprove(*each.program, p.map), "");
  }
}

TEST(MatrixPlans, OtherElementsHaveNone) {
  for (const int bits : {8, 32}) {
    const std::string slots = bits == 8 ? "simd: c0 s1" : "simd: -";
    const Planned p = *plan(*layout::parse(slots + "; register: a1 a0; thread: r2 r1 r0 c2 c1"),
                            *layout::parse(slots + "; register: a0 a1; thread: c2 c1 r0 r2 r1"), bits);
    for (const Plan& each : p.plans) EXPECT_EQ(each.counts.matrices, 0);
  }
}

/// More than a block can have is not offered; if no other plan is left, an error says so.
TEST(MatrixPlans, TooMuchSharedMemoryIsRefused) {
  const Expected<Planned> p =
      plan(*layout::parse("register: r5 r4 r3 r2 r1 r0; thread: t4 t3 t2 t1 t0; warp: w2 w1 w0"),
           *layout::parse("register: w2 r4 r3 r2 r1 r0; thread: t4 t3 t2 t1 t0; warp: r5 w1 w0"), 128);
  ASSERT_FALSE(p.has_value());
  EXPECT_EQ(p.error().front().message, "a block would need 262144 bytes of shared memory, and has 232448 at most");
}

}  // namespace
}  // namespace lanescope::convert
