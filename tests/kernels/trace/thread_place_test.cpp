// Which thread a lane is: a bijection between threads and the lanes that are not idle, for blocks of every shape.

#include "kernels/trace/launch.h"

#include <gtest/gtest.h>

#include <random>
#include <set>
#include <tuple>

namespace lanescope::trace {
namespace {

TEST(ThreadPlace, EveryThreadHasOneLaneAndEveryOtherLaneIsIdle) {
  std::mt19937 random(4);
  for (int round = 0; round < 300; ++round) {
    const Dim3 block{1 + static_cast<std::uint32_t>(random()) % 45, 1 + static_cast<std::uint32_t>(random()) % 7,
                     1 + static_cast<std::uint32_t>(random()) % 3};
    const Dim3 grid{1 + static_cast<std::uint32_t>(random()) % 9, 1 + static_cast<std::uint32_t>(random()) % 4,
                    1 + static_cast<std::uint32_t>(random()) % 3};
    const std::uint64_t number = random() % grid.count();
    const BlockShape shape = block_shape(block);
    std::set<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>> seen;
    std::uint32_t idle = 0;
    for (std::uint32_t warp = 0; warp < shape.warps; ++warp)
      for (std::uint32_t lane = 0; lane < 32; ++lane) {
        const auto p = thread_at(grid, block, number, warp, lane);
        if (!p) {
          ++idle;
          continue;
        }
        ASSERT_TRUE(seen.insert({p->thread.x, p->thread.y, p->thread.z}).second);
        // The formulas of the programming guide, by themselves.
        ASSERT_EQ(p->in_block, p->thread.x + p->thread.y * block.x + p->thread.z * block.x * block.y);
        ASSERT_EQ(p->warp, p->in_block / 32);
        ASSERT_EQ(p->lane, p->in_block % 32);
        ASSERT_EQ(p->in_row, p->thread.x);
        ASSERT_EQ(p->row, p->thread.y + p->thread.z * block.y);
        ASSERT_EQ(number_of(block, p->thread), p->in_block);
        ASSERT_EQ(number_of(grid, p->block), number);
        ASSERT_EQ(p->in_grid, number * block.count() + p->in_block);
      }
    ASSERT_EQ(seen.size(), block.count());
    ASSERT_EQ(idle, shape.idle_lanes);
    ASSERT_LT(shape.idle_lanes, 32u);
    ASSERT_FALSE(thread_at(grid, block, number, shape.warps, 0));
    ASSERT_FALSE(thread_at(grid, block, number, 0, 32));
  }
}

// Rows that a warp has threads of, and rows that lie in more warps than they fill, counted thread by thread.
TEST(ThreadPlace, RowsAreCountedAsTheyLie) {
  for (std::uint32_t x = 1; x <= 70; ++x)
    for (std::uint32_t y = 1; y <= 9; ++y) {
      const Dim3 block{x, y, 1};
      std::set<std::pair<std::uint32_t, std::uint32_t>> met;  // row, warp
      for (std::uint32_t n = 0; n < x * y; ++n) met.insert({n / x, n / 32});
      std::uint32_t most = 0, cut = 0;
      for (std::uint32_t warp = 0; warp * 32 < x * y; ++warp) {
        std::uint32_t rows = 0;
        for (const auto& m : met) rows += m.second == warp;
        most = std::max(most, rows);
      }
      for (std::uint32_t row = 0; row < y; ++row) {
        std::uint32_t warps = 0;
        for (const auto& m : met) warps += m.first == row;
        cut += warps > (x + 31) / 32;
      }
      const BlockShape shape = block_shape(block);
      ASSERT_EQ(shape.rows_in_a_warp, most) << x << " x " << y;
      ASSERT_EQ(shape.cut_rows, cut) << x << " x " << y;
    }
}

TEST(ThreadPlace, ABlockOf40By2LeavesSixteenLanesIdle) {
  const BlockShape shape = block_shape({40, 2, 1});
  EXPECT_EQ(shape.warps, 3u);
  EXPECT_EQ(shape.idle_lanes, 16u);
  EXPECT_NE(words({5, 3, 4}, block_shape({5, 3, 4})).find("4 of 64 lanes are idle (6.3 %)"), std::string::npos);
  EXPECT_EQ(words({40, 2, 1}, shape), "40 x 2 threads: 80 in 3 warps; 16 of 96 lanes are idle (16.7 %)");
  EXPECT_EQ(words({32, 4, 1}, block_shape({32, 4, 1})), "32 x 4 threads: 128 in 4 warps; every lane has a thread");
  // 5 + 8 * 1 of the shared slides: thread 5 of block 1, blocks of 8.
  EXPECT_EQ(thread_place({4, 1, 1}, {8, 1, 1}, 1, 5).in_grid, 13u);
}

}  // namespace
}  // namespace lanescope::trace
