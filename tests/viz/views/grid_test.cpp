// The map of the grid: every block is in one cell, no two cells overlap, and each fits into the room.

#include "viz/views/costs/grid.h"

#include <gtest/gtest.h>

#include <random>

#include "tests/viz/cost_fixtures.h"
#include "viz/views/tooltips.h"

namespace lanescope::views {
namespace {

using scene::Id;

std::vector<scene::Box> grid_cells_of(const scene::Scene& scene) {
  std::vector<scene::Box> cells;
  for (const scene::Box& b : scene.boxes)
    if (b.id.kind == Id::Kind::grid_block) cells.push_back(b);
  return cells;
}

TEST(GridView, HasEveryBlockOnceInsideTheRoom) {
  std::mt19937 random(1);
  for (int round = 0; round < 60; ++round) {
    const std::uint32_t x = 1 + random() % 70, y = 1 + random() % 50;
    auto [summary, problems] = fixtures::grid_of_blocks(x, y);
    if (round % 4 == 0) summary.blocks_each = 1 + random() % 9, summary.grid = {x * y * summary.blocks_each, 1, 1};
    const float width = 150 + static_cast<float>(random() % 800), height = 120 + static_cast<float>(random() % 500);
    const scene::Scene scene = grid_view(summary, problems, {.width = width, .height = height}, dark_theme());
    const auto cells = grid_cells_of(scene);
    ASSERT_EQ(cells.size(), summary.blocks.size());
    std::int64_t next = 0;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      ASSERT_EQ(cells[i].id.a, next);
      next += cells[i].id.b;
      ASSERT_GE(cells[i].rect.x, 0);
      ASSERT_GT(cells[i].rect.w, 0);
      if (cells[i].rect.w > 3) {
        ASSERT_LE(cells[i].rect.x + cells[i].rect.w, width + 0.5f);
      }
      if (i > 0 && cells[i].rect.y == cells[i - 1].rect.y) {
        ASSERT_GE(cells[i].rect.x, cells[i - 1].rect.x + cells[i - 1].rect.w);
      }
    }
    ASSERT_EQ(next, static_cast<std::int64_t>(summary.blocks.size()) * summary.blocks_each);
  }
}

TEST(GridView, RowsAreThoseOfTheGridWhereTheyFit) {
  const auto [summary, problems] = fixtures::grid_of_blocks(12, 5);
  const auto cells = grid_cells_of(grid_view(summary, problems, {.width = 400, .height = 400}, dark_theme()));
  for (std::size_t n = 0; n < cells.size(); ++n) {
    EXPECT_EQ(cells[n].rect.y, cells[n / 12 * 12].rect.y) << n;
    EXPECT_EQ(cells[n].rect.x, cells[n % 12].rect.x) << n;
  }
}

// Blocks that did not run have no colour but a dashed frame; problems and divergence have shapes of their own.
TEST(GridView, SignsAreShapesNotOnlyColours) {
  auto [summary, problems] = fixtures::grid_of_blocks(8, 4);
  summary.recorded_block = 9;
  for (const Theme* theme : themes()) {
    const scene::Scene scene = grid_view(summary, problems, {.width = 400, .height = 300}, *theme);
    const auto cells = grid_cells_of(scene);
    EXPECT_TRUE(cells[0].dashed);
    EXPECT_EQ(cells[0].fill.rgba & 0xff, 0u);
    const auto outlines_of = [&](int block) {
      return std::ranges::count_if(scene.outlines, [&](const scene::Box& b) { return b.id.a == block; });
    };
    EXPECT_EQ(outlines_of(1), 0);
    EXPECT_EQ(outlines_of(3), 2) << "divergence";
    EXPECT_EQ(outlines_of(5), 1) << "a fault";
    EXPECT_EQ(outlines_of(7), 1) << "a warning";
    EXPECT_EQ(outlines_of(9), 4) << "divergence, and the recorded block";
    const auto sign = [&](int block) {
      return *std::ranges::find_if(scene.outlines, [&](const scene::Box& b) { return b.id.a == block; });
    };
    EXPECT_EQ(sign(5).fill, theme->bad);
    EXPECT_EQ(sign(7).fill, theme->warn);
    EXPECT_NE(sign(5).radius, sign(7).radius);
  }
}

TEST(GridView, SaysInWordsWhatABlockDid) {
  auto [summary, problems] = fixtures::grid_of_blocks(8, 4);
  summary.faults.push_back(
      {.kind = "out of bounds", .what = {}, .message = {}, .remedy = {}, .line = 13, .block = 5, .warp = 0});
  const auto words = [&](int block) {
    return tooltip_text(summary, {}, {.kind = Id::Kind::grid_block, .a = block, .b = 1});
  };
  EXPECT_EQ(words(0), "block 0 (0,0,0): did not run");
  EXPECT_EQ(words(9),
            "block 9 (1,1,0): 90 warp instructions, 9 of its branches diverge, 81 global sectors, 7 shared wavefronts");
  EXPECT_TRUE(words(5).ends_with("; out of bounds in line 13")) << words(5);
  EXPECT_EQ(words(99), "");
  EXPECT_EQ(block_heat_value(summary.blocks[9], BlockHeat::inactive_lanes), 90u * 32 - 9 * 300);
  const std::string csv = to_csv("grid", summary, {});
  EXPECT_EQ(std::ranges::count(csv, '\n'), 33);
  EXPECT_FALSE(grid_view({}, {}, {.width = 300}, dark_theme()).labels.empty());
}

}  // namespace
}  // namespace lanescope::views
