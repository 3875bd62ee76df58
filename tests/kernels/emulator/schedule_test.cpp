// Who runs next, without running anything.

#include "kernels/emulator/machine/schedule.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

namespace lanescope::emulator {
namespace {

TEST(Schedule, EverySeedOrdersAllBlocks) {
  std::mt19937_64 random(3);
  for (int i = 0; i < 300; ++i) {
    const u64 blocks = 1 + random() % 200, seed = i == 0 ? 1 : random();
    std::set<u64> seen;
    for (u64 n = 0; n < blocks; ++n) {
      const u64 block = block_in_order(n, blocks, seed);
      ASSERT_LT(block, blocks);
      ASSERT_TRUE(seen.insert(block).second) << "block " << block << " twice with seed " << seed;
      if (seed == 1) {
        ASSERT_EQ(block, n);
      }
    }
  }
}

TEST(Schedule, OnlyWarpsThatCanRunHaveATurn) {
  std::mt19937 random(4);
  for (int i = 0; i < 300; ++i) {
    Block b;
    b.warps.resize(1 + random() % 8);
    std::set<u32> runnable;
    for (u32 w = 0; w < b.warps.size(); ++w) {
      if (random() % 4 != 0) b.warps[w].groups.resize(1);
      b.warps[w].blocked = random() % 4 == 0;
      if (can_run(b.warps[w])) runnable.insert(w);
    }
    const u64 seed = 1 + random() % 3;
    std::set<u32> picked;
    for (u32 turn = 0; turn < 200 && !runnable.empty(); ++turn) {
      const u32 before = b.warp;
      ASSERT_TRUE(pick_warp(b, seed));
      ASSERT_TRUE(runnable.contains(b.warp));
      picked.insert(b.warp);
      if (seed == 1) {  // in turns: no thread could have run between them
        for (u32 w = (before + 1) % b.warps.size(); w != b.warp; w = (w + 1) % b.warps.size())
          ASSERT_FALSE(runnable.contains(w));
      }
    }
    ASSERT_EQ(picked, runnable);
    if (runnable.empty()) {
      ASSERT_FALSE(pick_warp(b, seed));
    }
  }
}

TEST(Schedule, GroupsRunWhereTheyCanMeet) {
  Warp w;
  EXPECT_EQ(pick_group(w), -1);
  w.groups.resize(3);
  w.groups[0].pc = 7;
  w.groups[1].pc = 5;
  w.groups[2].pc = 9;
  EXPECT_EQ(pick_group(w), 1) << "lowest in the code";
  w.groups[2].frames.resize(1);
  EXPECT_EQ(pick_group(w), 2) << "deepest in calls";
  w.groups[2].wait = Wait::barrier;
  EXPECT_EQ(pick_group(w), 1);
  w.groups[1].run = run_to_yield;
  EXPECT_FALSE(gives_way(w, w.groups[1]));
  EXPECT_EQ(pick_group(w), 1);
  ++w.groups[1].run;
  EXPECT_FALSE(gives_way(w, w.groups[1]));
  EXPECT_EQ(pick_group(w), 0) << "the other gave way after a long run";
  w.groups[0].yields = true;
  EXPECT_EQ(pick_group(w), 1) << "a group that yields runs after the others";
  w.groups[0].wait = w.groups[1].wait = Wait::warp;
  EXPECT_EQ(pick_group(w), -1);
}

TEST(Schedule, AGroupThatPollsEndsTheTurnOfItsWarp) {
  Block b;
  b.warps.resize(2);
  for (Warp& w : b.warps) w.groups.resize(1);
  Warp& w = b.warps[0];
  w.groups[0].polls = polls_to_yield - 1;
  EXPECT_FALSE(gives_way(w, w.groups[0]));
  w.groups[0].polls = polls_to_yield;
  EXPECT_TRUE(gives_way(w, w.groups[0]));
  EXPECT_FALSE(everybody_polls(b));
  b.warps[1].blocked = true;
  EXPECT_TRUE(everybody_polls(b));
}

}  // namespace
}  // namespace lanescope::emulator
