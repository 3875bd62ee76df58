// The map of a block: each thread once as it is indexed and once in its warp, idle lanes hatched, nothing outside.

#include "viz/views/registers/block.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

#include "tests/viz/fixtures.h"
#include "viz/views/base/csv.h"
#include "viz/views/tooltips.h"

namespace lanescope::views {
namespace {

using scene::Id;

Summary launched(trace::Dim3 grid, trace::Dim3 block) {
  Summary s;
  s.ok = true, s.grid = grid, s.block = block;
  s.warps = trace::block_shape(block).warps;
  return s;
}

TEST(BlockView, HasEveryThreadInBothPlacesAndEveryIdleLaneHatched) {
  std::mt19937 random(7);
  for (int round = 0; round < 40; ++round) {
    const trace::Dim3 block{1 + static_cast<std::uint32_t>(random()) % 64, 1 + static_cast<std::uint32_t>(random()) % 5,
                            1 + static_cast<std::uint32_t>(random()) % 3};
    const Summary s = launched({3, 2, 1}, block);
    const float width = 300 + static_cast<float>(random() % 900);
    const scene::Scene scene = block_view(s, {}, {}, {.width = width}, dark_theme());
    std::map<std::pair<int, int>, int> in_block, in_warps;
    int hatched = 0;
    for (const scene::Box& b : scene.boxes) {
      if (b.id.kind != Id::Kind::block_thread) continue;
      ++(b.id.c == 0 ? in_block : in_warps)[{b.id.a, b.id.b}];
      hatched += b.hatched;
      ASSERT_LE(b.rect.x + b.rect.w, width) << block.x;
      ASSERT_LE(b.rect.y + b.rect.h, scene.height);
    }
    const bool flat = block.y * block.z == 1;
    EXPECT_EQ(in_block.size(), flat ? 0 : block.count());
    EXPECT_EQ(in_warps.size(), std::size_t{32} * trace::block_shape(block).warps);
    EXPECT_EQ(hatched, static_cast<int>(trace::block_shape(block).idle_lanes));
    for (const auto& [place, times] : in_warps) EXPECT_EQ(times, 1);
    for (const auto& [place, times] : in_block) EXPECT_TRUE(times == 1 && in_warps.contains(place));
  }
}

// Slices of a block stand beside each other where there is room; no cell lies on another, rows can be distinguished, and every row
// of the first slice has its y.
TEST(BlockView, SlicesStandBesideEachOtherWithoutOverlaps) {
  for (const trace::Dim3 block :
       {trace::Dim3{5, 3, 4}, {4, 4, 4}, {8, 8, 8}, {40, 2, 1}, {64, 1, 3}, {1, 1, 64}, {2, 16, 5}}) {
    for (const float width : {260.0f, 500.0f, 1240.0f}) {
      const Summary s = launched({1, 1, 1}, block);
      const scene::Scene scene = block_view(s, {}, {}, {.width = width}, dark_theme());
      std::vector<scene::Rect> cells;
      std::map<int, float> top_of;  // of the slices
      for (const scene::Box& b : scene.boxes) {
        if (b.id.kind != Id::Kind::block_thread || b.id.c != 0) continue;
        const auto p = trace::thread_at(s.grid, s.block, 0, static_cast<std::uint32_t>(b.id.a),
                                        static_cast<std::uint32_t>(b.id.b));
        ASSERT_TRUE(p);
        if (p->thread.x == 0 && p->thread.y == 0) top_of[static_cast<int>(p->thread.z)] = b.rect.y;
        for (const scene::Rect& other : cells)
          ASSERT_TRUE(b.rect.x + b.rect.w <= other.x + 0.01f || other.x + other.w <= b.rect.x + 0.01f ||
                      b.rect.y + b.rect.h <= other.y + 0.01f || other.y + other.h <= b.rect.y + 0.01f)
              << block.x << "x" << block.y << "x" << block.z << " " << width;
        cells.push_back(b.rect);
        if (block.y * block.z <= 4) {
          EXPECT_GE(b.rect.h, 12) << "few rows need not be thin";
        }
      }
      ASSERT_EQ(top_of.size(), block.y * block.z == 1 ? 0u : block.z);
      if (block.x == 5 && width > 1000) {
        for (const auto& [z, top] : top_of) EXPECT_EQ(top, top_of[0]) << "all four fit beside each other: " << z;
      }
      for (const scene::Label& l : scene.labels) EXPECT_LE(l.at.y, scene.height);
    }
  }
}

TEST(BlockView, WritesTheRankThatWasAskedFor) {
  const Summary s = launched({3, 1, 1}, {40, 2, 1});
  Moment m;
  m.step = 0, m.block = 1, m.warp = 1, m.active = 0xff00;
  const auto written = [&](BlockLabel label, int warp, int lane, int tile) {
    const scene::Scene scene = block_view(s, m, {}, {.width = 900, .label = label, .tile = tile}, dark_theme());
    for (const scene::Label& l : scene.labels)
      if (l.id == Id{.kind = Id::Kind::block_thread, .a = warp, .b = lane, .c = 1}) return l.text;
    return std::string();
  };
  EXPECT_EQ(written(BlockLabel::in_block, 1, 9, 0), "41");
  EXPECT_EQ(written(BlockLabel::in_grid, 1, 9, 0), "121");
  EXPECT_EQ(written(BlockLabel::rank_in_row, 1, 9, 0), "1");
  EXPECT_EQ(written(BlockLabel::rank_in_warp, 1, 9, 0), "9");
  EXPECT_EQ(written(BlockLabel::rank_in_tile, 1, 9, 8), "1");
  EXPECT_EQ(written(BlockLabel::rank_in_group, 1, 9, 0), "1");
  EXPECT_EQ(written(BlockLabel::rank_in_group, 1, 3, 0), "");  // it does not execute the step
  for (int i = 0; i < block_label_count; ++i) {
    const auto label = static_cast<BlockLabel>(i);
    EXPECT_EQ(block_label(block_label_name(label)), label);
  }
}

TEST(BlockView, TooltipsInspectorAndTableSayWhereALaneIs) {
  Summary s = launched({3, 1, 1}, {40, 2, 1});
  s.recorded_block = 1;
  Moment m;
  m.step = 0, m.block = 1, m.warp = 1, m.active = 0xff00;
  const std::string lane = tooltip_text(s, m, {.kind = Id::Kind::lane_heading, .c = 9});
  for (const char* part :
       {"warp 1, lane 9", "threadIdx (1,1,0)", "blockIdx (1,0,0)", "index in the block 41", "index in the grid 121",
        "rank in its row 1, row 1", "rank in its group 1 of 8 active lanes"})
    EXPECT_NE(lane.find(part), std::string::npos) << lane << " lacks " << part;
  EXPECT_NE(tooltip_text(s, m, {.kind = Id::Kind::block_thread, .a = 2, .b = 20, .c = 1}).find("idle"),
            std::string::npos);
  const Selection chosen = select(s, m, {.kind = Id::Kind::block_thread, .a = 2, .b = 3}, {});
  ASSERT_TRUE(chosen.place);
  EXPECT_EQ(chosen.place->warp, 2);
  EXPECT_EQ(chosen.place->lane, 3);
  bool found = false;
  for (const InspectorSection& section : inspector(s, m, chosen))
    for (const InspectorRow& row : section.rows)
      found = found ||
              (section.title == "Thread of warp 2, lane 3" && row.name == "index in the grid" && row.value == "147");
  EXPECT_TRUE(found);
  const auto table = csv::parse(to_csv("block", s, m));
  ASSERT_EQ(table.size(), 1u + 96);
  EXPECT_EQ(table[1 + 41], (std::vector<std::string>{"1", "9", "0", "1", "1", "0", "41", "121", "1"}));
  EXPECT_EQ(table[1 + 80][2], "1");
}

}  // namespace
}  // namespace lanescope::views
