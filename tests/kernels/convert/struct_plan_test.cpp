// Structures of any number of words across a warp.

#include "kernels/convert/cuda_text.h"

#include <gtest/gtest.h>

namespace lanescope::convert {
namespace {

using Direction = StructPlan::Direction;

TEST(StructPlan, EveryNumberOfWordsIsRightBothWays) {
  for (int words = 1; words <= most_struct_words; ++words) {
    for (const Direction d : {Direction::to_lanes, Direction::from_lanes}) {
      const StructPlan p = struct_plan(words, d);
      ASSERT_EQ(disprove(p), "") << words;
      const Counts c = p.program.counts();
      EXPECT_LE(c.shuffles, words);
      EXPECT_GE(c.shuffles, p.least_shuffles) << words;
      int stages = 0;
      while (1 << stages < words) ++stages;
      EXPECT_LE(c.selects, words * 2 * stages) << words;
      EXPECT_EQ(c.permutes + c.logic, 0);
    }
  }
}

/// 12 and 28 bytes: as many shuffles as words, no lane needs fewer; log2 selects for each word.
TEST(StructPlan, OddNumbersNeedNoMoreShufflesThanTheirBound) {
  for (const auto& [words, selects] : {std::pair{3, 6}, {5, 15}, {7, 21}}) {
    const StructPlan p = struct_plan(words, Direction::to_lanes);
    EXPECT_EQ(p.program.counts(), (Counts{words, selects, 0, 0}));
    EXPECT_EQ(p.least_shuffles, words);
  }
}

TEST(StructPlan, AWrongPlanIsDisproved) {
  StructPlan p = struct_plan(7, Direction::to_lanes);
  for (Instruction& i : p.program.code) {
    if (i.op == Op::fetch) std::swap(i.table[3], i.table[4]);
  }
  EXPECT_NE(disprove(p), "");
}

}  // namespace
}  // namespace lanescope::convert
