// The tree of grids: every grid of a random tree is in one box, none meets another, each hangs below its launcher, and the
// rows of the table count all of them.

#include "viz/views/launches/launch_tree.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

#include "results/grids.h"
#include "viz/views/base/csv.h"
#include "viz/views/tooltips.h"

namespace lanescope::views {
namespace {

using results::GridInfo;
using scene::Id;

results::Summary random_tree(std::mt19937& random) {
  results::Summary s;
  s.grids.push_back({.kernel = "top", .grid = {4, 1, 1}, .block = {64, 1, 1}, .launch = 0});
  const std::size_t count = 1 + random() % 60;
  for (std::size_t n = 1; n < count; ++n) {  // parents stand before their children
    const auto parent = static_cast<std::int32_t>(random() % s.grids.size());
    const std::uint32_t depth = s.grids[static_cast<std::size_t>(parent)].depth + 1;
    const GridInfo child{.kernel = random() % 2 == 0 ? "child" : "other",
                         .grid = {1 + static_cast<std::uint32_t>(random() % 3), 1, 1},
                         .block = {32, 1, 1},
                         .parent = parent,
                         .launch = random() % 3 == 0 ? -1 : static_cast<std::int32_t>(n),
                         .order = static_cast<GridInfo::Order>(1 + random() % 3),
                         .depth = depth,
                         .from_block = static_cast<std::uint32_t>(random() % 4),
                         .from_thread = static_cast<std::uint32_t>(random() % 64),
                         .line = 10 + static_cast<int>(random() % 3)};
    const std::size_t equal = random() % 4;
    for (std::size_t i = 0; i <= equal; ++i) s.grids.push_back(child);
  }
  s.recorded_launch = 0;
  return s;
}

struct Drawn {
  std::map<std::int32_t, scene::Rect> boxes;  ///< by first grid; the one on top of a pile
  scene::Scene scene;
};
Drawn drawn(const results::Summary& s, float width) {
  Drawn d{.boxes = {}, .scene = launch_tree_view(s, {.width = width}, dark_theme())};
  for (const scene::Box& b : d.scene.boxes)
    if (b.id.kind == Id::Kind::launched_grid) d.boxes[b.id.a] = b.rect;
  return d;
}

TEST(LaunchTree, HasEveryGridOnceBelowItsLauncher) {
  std::mt19937 random(14);
  for (int round = 0; round < 200; ++round) {
    const results::Summary s = random_tree(random);
    const Drawn d = drawn(s, 200 + static_cast<float>(random() % 1200));
    const auto folds = results::folded(s.grids);
    ASSERT_EQ(d.boxes.size(), folds.size());
    for (auto a = d.boxes.begin(); a != d.boxes.end(); ++a) {
      ASSERT_GE(a->second.x, 0);
      ASSERT_LE(a->second.x + a->second.w, d.scene.width);
      ASSERT_LE(a->second.y + a->second.h, d.scene.height);
      for (auto b = std::next(a); b != d.boxes.end(); ++b) {
        const scene::Rect &p = a->second, &q = b->second;
        ASSERT_TRUE(p.x + p.w <= q.x || q.x + q.w <= p.x || p.y + p.h <= q.y || q.y + q.h <= p.y);
      }
    }
    for (const results::GridFold& f : folds) {
      const GridInfo& g = s.grids[f.first];
      if (g.parent < 0) continue;
      const auto of_parent = [&](const results::GridFold& p) {
        return std::ranges::find(p.members, static_cast<std::size_t>(g.parent)) != p.members.end();
      };
      const auto parent = std::ranges::find_if(folds, of_parent);
      ASSERT_NE(parent, folds.end());
      ASSERT_LT(d.boxes.at(static_cast<int>(parent->first)).y, d.boxes.at(static_cast<int>(f.first)).y);
      // The line to it ends on its upper edge and comes from the lower edge of its launcher.
      const scene::Rect from = d.boxes.at(static_cast<int>(parent->first)), to = d.boxes.at(static_cast<int>(f.first));
      bool begins = false, ends = false;
      for (const scene::Line& l : d.scene.lines) {
        if (l.id.kind != Id::Kind::launched_grid || l.id.a != static_cast<int>(f.first)) continue;
        begins |= l.from.y == from.y + from.h && l.from.x >= from.x && l.from.x <= from.x + from.w;
        ends |= l.to.y == to.y && l.to.x >= to.x && l.to.x <= to.x + to.w;
      }
      ASSERT_TRUE(begins && ends) << f.first;
    }
  }
}

TEST(LaunchTree, TableAndTooltipsNameEveryGrid) {
  std::mt19937 random(15);
  for (int round = 0; round < 40; ++round) {
    const results::Summary s = random_tree(random);
    const auto rows = csv::parse(launch_tree_csv(s));
    ASSERT_EQ(rows.size(), results::folded(s.grids).size() + 1);
    for (std::size_t i = 0; i < s.grids.size(); ++i) {
      const std::string words = launch_tree_tooltip(s, {.kind = Id::Kind::launched_grid, .a = static_cast<int>(i)});
      EXPECT_NE(words.find(s.grids[i].kernel), std::string::npos);
      const std::string launcher = fmt::format("block {}, thread {}", s.grids[i].from_block, s.grids[i].from_thread);
      EXPECT_EQ(words.find(launcher) != std::string::npos, s.grids[i].parent >= 0) << words;
    }
  }
  EXPECT_EQ(launch_tree_tooltip({}, {.kind = Id::Kind::launched_grid, .a = 3}), "");
}

TEST(LaunchTree, SaysWhyItIsEmpty) { EXPECT_FALSE(launch_tree_view({}, {}, dark_theme()).labels.empty()); }

}  // namespace
}  // namespace lanescope::views
