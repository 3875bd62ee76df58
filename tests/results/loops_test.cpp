// Iterations of loops, of programs whose course is written down: one letter an instruction.

#include "results/step_index.h"

#include <gtest/gtest.h>

#include <string_view>

namespace lanescope::results {
namespace {

/// `course`: the instructions that warp 1 executes, "a" is pc 0. Warp 0 executes each of them twice before that, so that
/// positions in the timeline and in the warp differ.
Summary run_of(std::string_view course, std::vector<LoopInfo> loops) {
  Summary s;
  s.warps = 2;
  s.loops = std::move(loops);
  s.code.resize(12);
  for (const char c : course) {
    for (const int warp : {0, 0, 1}) {
      const int pc = c - 'a';
      s.timeline.push_back(
          {.step = static_cast<std::uint32_t>(s.timeline.size()), .warp = static_cast<std::uint16_t>(warp), .pc = pc});
    }
  }
  s.steps = s.timeline.size();
  return s;
}

/// The step of the n-th instruction of warp 1.
std::int64_t step_of(int n) { return 3 * n + 2; }

TEST(Loops, IterationsAreCountedFromTheLoopsFirstInstruction) {
  const Summary s = run_of("abcdbcdbcde", {{.first_pc = 1, .last_pc = 3, .line = 7}});
  const StepIndex index = index_of(s);
  EXPECT_TRUE(iterations_at(s, index, 1, step_of(0)).empty());
  EXPECT_TRUE(iterations_at(s, index, 1, step_of(10)).empty());
  for (int n = 1; n <= 9; ++n) {
    const auto at = iterations_at(s, index, 1, step_of(n));
    ASSERT_EQ(at.size(), 1u) << n;
    EXPECT_EQ(at[0].number, (n - 1) / 3 + 1);
    EXPECT_EQ(at[0].of, 3);
    EXPECT_EQ(at[0].first_step, step_of((n - 1) / 3 * 3 + 1));
    EXPECT_EQ(at[0].last_step, step_of((n - 1) / 3 * 3 + 3));
  }
}

TEST(Loops, TheSameInstructionOfAnotherIteration) {
  const Summary s = run_of("abcdbcdbde", {{.first_pc = 1, .last_pc = 3}});
  const StepIndex index = index_of(s);
  EXPECT_EQ(step_in_iteration(s, index, 0, 1, step_of(2), 2), step_of(5));  // c -> c
  EXPECT_EQ(step_in_iteration(s, index, 0, 1, step_of(2), 3), step_of(7));  // c does not run: b
  EXPECT_EQ(step_in_iteration(s, index, 0, 1, step_of(2), 1), step_of(2));
  EXPECT_EQ(step_in_iteration(s, index, 0, 1, step_of(2), 4), -1);
  EXPECT_EQ(step_in_iteration(s, index, 0, 1, step_of(2), 0), -1);
  EXPECT_EQ(step_in_iteration(s, index, 5, 1, step_of(2), 1), -1);
  EXPECT_EQ(step_in_iteration(s, index, 0, 1, step_of(0), 2), step_of(4));  // from before it, into it
  EXPECT_EQ(step_in_iteration(s, index, 0, 1, step_of(9), 2), step_of(4));  // from after it, into the first visit
}

TEST(Loops, AnInnerLoopStartsAnewInEachIterationOfTheOuterOne) {
  //                         0123456789
  const Summary s =
      run_of("abccdbcccde", {{.first_pc = 1, .last_pc = 3, .line = 4}, {.first_pc = 2, .last_pc = 2, .line = 5}});
  const StepIndex index = index_of(s);
  const auto at = iterations_at(s, index, 1, step_of(7));
  ASSERT_EQ(at.size(), 2u);
  EXPECT_EQ(at[0].loop, 1);
  EXPECT_EQ(at[0].number, 2);
  EXPECT_EQ(at[0].of, 3);
  EXPECT_EQ(at[1].loop, 0);
  EXPECT_EQ(at[1].number, 2);
  EXPECT_EQ(at[1].of, 2);
  EXPECT_EQ(loops_of(s, index, 1), (std::vector<int>{0, 1}));
}

TEST(Loops, AFunctionThatTheLoopCallsBelongsToIt) {
  Summary s = run_of("abcghdbcghde", {{.first_pc = 1, .last_pc = 3}});
  s.code[2].text = "call.uni (%r1), f, (%r2);";
  StepIndex index = index_of(s);
  const auto at = iterations_at(s, index, 1, step_of(8));  // g, the second time
  ASSERT_EQ(at.size(), 1u);
  EXPECT_EQ(at[0].number, 2);
  EXPECT_EQ(at[0].of, 2);
  s.code[2].text = "add.s32 %r1, %r1, 1;";  // without a call the loop has been left
  index = index_of(s);
  EXPECT_TRUE(iterations_at(s, index, 1, step_of(8)).empty());
}

TEST(Loops, AWarpThatNeverEntersHasNone) {
  const Summary s = run_of("aef", {{.first_pc = 1, .last_pc = 3}});
  const StepIndex index = index_of(s);
  EXPECT_TRUE(loops_of(s, index, 1).empty());
  EXPECT_EQ(step_in_iteration(s, index, 0, 1, step_of(1), 1), -1);
  EXPECT_TRUE(iterations_at(s, index, 1, 999).empty());
}

}  // namespace
}  // namespace lanescope::results
