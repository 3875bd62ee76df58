// Trees of values as pictures: nothing of them is lost where they are folded, and lanes are columns where they can be.

#include "viz/views/values/value_tree.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

#include "tests/viz/scene_queries.h"
#include "viz/views/base/theme.h"

namespace lanescope::views {
namespace {

using TreeItem = DrawnTree::Item;
using TreeKind = ValueTree::Kind;

Summary one_buffer() {
  Summary s;
  s.buffers.push_back({.name = "a", .element_type = "f32", .elements = 4096, .axes = {}});
  s.ok = true;
  return s;
}

ElementSet elements_from(const std::set<std::uint64_t>& numbers) {
  std::vector<std::pair<int, std::uint64_t>> all;
  for (const std::uint64_t n : numbers) all.emplace_back(0, n);
  return results::fold(all);
}

/// `count` neighbouring elements, each in its lane, combined two by two in random order until one value is left.
ValueTree random_tree(std::mt19937& random, int count) {
  ValueTree t;
  std::vector<std::pair<int, std::set<std::uint64_t>>> open;
  for (int n = 0; n < count; ++n) {
    const std::set<std::uint64_t> own{static_cast<std::uint64_t>(n)};
    t.nodes.push_back({.warp = n / 32, .lane = n % 32, .step = n, .line = 5, .elements = elements_from(own)});
    open.emplace_back(n, own);
  }
  while (open.size() > 1) {
    std::vector<ValueTree::Edge> operands;
    std::set<std::uint64_t> all;
    int level = 0;
    for (unsigned n = 0, terms = 2 + random() % 3; n < terms && !open.empty(); ++n) {
      const std::size_t at = random() % open.size();
      operands.push_back({.from = open[at].first});
      all.merge(open[at].second);
      level = std::max(level, t.nodes[static_cast<std::size_t>(open[at].first)].level + 1);
      open.erase(open.begin() + static_cast<std::ptrdiff_t>(at));
    }
    const ValueTree::Node first = t.nodes[static_cast<std::size_t>(operands.front().from)];
    t.nodes.push_back({.kind = TreeKind::combined,
                       .op = "+",
                       .warp = first.warp,
                       .lane = first.lane,
                       .step = static_cast<std::int64_t>(t.nodes.size()),
                       .line = 6,
                       .level = level,
                       .elements = elements_from(all),
                       .operands = operands});
    open.emplace_back(static_cast<int>(t.nodes.size()) - 1, all);
    t.most_level = std::max(t.most_level, level);
  }
  t.roots = {{.from = open.front().first}}, t.root_lanes = {0};
  t.subject = "out[0]", t.depends = t.nodes.back().elements;
  return t;
}

/// Contents of the ends of the picture: elements, boxes of several, and folded parts.
std::multiset<std::pair<int, std::uint64_t>> ends_of(const ValueTree& t, const DrawnTree& drawn) {
  std::multiset<std::pair<int, std::uint64_t>> all;
  for (const TreeItem& item : drawn.items) {
    if (!item.operands.empty()) continue;
    std::vector<int> nodes = item.elements;
    if (nodes.empty()) nodes.push_back(item.node);
    for (const int n : nodes)
      for (const auto& e : unfold(t.nodes[static_cast<std::size_t>(n)].elements)) all.insert(e);
  }
  return all;
}

TEST(ValueTreeViews, NothingIsLostWhereTreesAreFolded) {
  std::mt19937 random(4);
  for (int n = 0; n < 60; ++n) {
    const int ends = 2 + static_cast<int>(random() % 200);
    const ValueTree t = random_tree(random, ends);
    for (const int columns : {4, 12, 40, 400}) {
      const DrawnTree drawn = arrange(t, -1, columns);
      if (t.nodes.back().elements.whole && !drawn.by_lane) {
        const auto found = ends_of(t, drawn);
        // Random sets are folded to their first runs: what cannot be listed cannot be compared.
        const bool listed = std::ranges::all_of(
            drawn.items, [&](const TreeItem& i) { return t.nodes[static_cast<std::size_t>(i.node)].elements.whole; });
        if (listed) {
          EXPECT_EQ(found.size(), static_cast<std::size_t>(ends));
          EXPECT_EQ(std::set(found.begin(), found.end()).size(), static_cast<std::size_t>(ends));
        }
      }
      EXPECT_LE(drawn.columns, std::max(static_cast<float>(columns), drawn.by_lane ? 32.0f : 0.0f));
      EXPECT_EQ(drawn.last_level, t.most_level);
    }
    const Scene scene = value_tree_view(one_buffer(), t, {}, {.width = 640, .height = 300}, dark_theme());
    EXPECT_GT(count(scene, Id::Kind::tree_node), 0);
    for (const scene::Box& b : scene.boxes) {
      if (b.id.kind != Id::Kind::tree_node) continue;
      EXPECT_GE(b.rect.x, 0) << n;
      EXPECT_LE(b.rect.x + b.rect.w, 640.5f) << n;
      EXPECT_FALSE(tree_tooltip(one_buffer(), t, b.id).empty());
    }
  }
}

TEST(ValueTreeViews, AButterflyHasLanesAsColumns) {
  ValueTree t;
  for (int lane = 0; lane < 32; ++lane)
    t.nodes.push_back({.lane = lane, .step = lane, .elements = elements_from({static_cast<std::uint64_t>(lane)})});
  for (int level = 1; level <= 5; ++level) {
    const int before = static_cast<int>(t.nodes.size()) - 32;
    for (int lane = 0; lane < 32; ++lane) {
      const int other = before + (lane ^ (32 >> level));
      std::vector<ValueTree::Edge> both{{.from = before + lane}, {.from = other, .way = ValueTree::Way::shuffle}};
      t.nodes.push_back(
          {.kind = TreeKind::combined, .op = "+", .lane = lane, .step = 100 + level, .level = level, .operands = both});
    }
  }
  for (int lane = 0; lane < 32; ++lane) t.roots.push_back({.from = 160 + lane}), t.root_lanes.push_back(lane);
  t.most_level = 5, t.subject = "v in all lanes of warp 0";
  const DrawnTree drawn = arrange(t, -1, 12);
  EXPECT_TRUE(drawn.by_lane);
  EXPECT_EQ(drawn.items.size(), 192u);
  const Scene scene = value_tree_view(one_buffer(), t, {}, {.width = 700}, light_theme());
  EXPECT_EQ(count(scene, Id::Kind::tree_node), 192);
  EXPECT_EQ(std::ranges::count_if(scene.lines, [](const auto& l) { return l.id.kind == Id::Kind::tree_edge; }), 320);
  // Of one lane the tree is a proper one, with every element at an end.
  t.roots = {{.from = 160}}, t.root_lanes = {0};
  EXPECT_EQ(arrange(t, -1, 100).items.size(), 63u);
}

}  // namespace
}  // namespace lanescope::views
