// Views of a layout under design: every bit has its chip, every element its cell, and between two states each cell is
// between its two places.

#include <gtest/gtest.h>

#include <map>

#include <algorithm>
#include <cmath>

#include "viz/views/layouts/layouts.h"

namespace lanescope::views {
namespace {

const layout::Assignment& from() {
  static const layout::Assignment a = *layout::parse("simd: k0; register: j3 j2; thread: j1 j0 k3 k2 k1");
  return a;
}
const layout::Assignment& to() {
  static const layout::Assignment a = *layout::parse("simd: j3; register: k0 k3; thread: j1 j0 j2 k2 k1");
  return a;
}

int count_of(const scene::Scene& s, scene::Id::Kind kind) {
  return static_cast<int>(std::ranges::count(s.boxes, kind, [](const scene::Box& b) { return b.id.kind; }));
}

TEST(AssignmentChips, EveryBitOfBothEndsInEveryWidth) {
  ChipsInput in;
  in.ends[0] = &from();
  in.ends[1] = &to();
  for (const float width : {180.0f, 300.0f, 420.0f, 900.0f}) {
    const scene::Scene s = assignment_chips(in, width, dark_theme());
    EXPECT_EQ(count_of(s, scene::Id::Kind::layout_chip), 16) << width;
    for (const scene::Box& b : s.boxes) {
      if (b.id.kind != scene::Id::Kind::layout_chip) continue;
      EXPECT_EQ(id_of(*chip_of(b.id)), b.id);
      EXPECT_LE(b.rect.x + b.rect.w, s.width + 0.5f) << width;
      EXPECT_EQ(std::ranges::count(s.facts, b.id, &scene::Fact::id), 1);
    }
  }
  in.ends[1] = nullptr;
  EXPECT_EQ(count_of(assignment_chips(in, 400, dark_theme()), scene::Id::Kind::layout_chip), 8);
}

ElementsInput elements(float share) {
  ElementsInput in;
  in.before = &from();
  in.after = &to();
  in.share = share;
  in.names = layout::logical_bits(from());
  for (std::size_t n = 0; n < in.names.size(); ++n) in.offsets.push_back(std::uint64_t{1} << n);
  return in;
}

TEST(ElementGrid, CellsGoFromTheirOldPlaceToTheirNewOne) {
  const auto scene_at = [](float share) { return element_grid(elements(share), 700, 400, dark_theme()); };
  const scene::Scene begin = scene_at(0), middle = scene_at(0.5f), end = scene_at(1);
  ElementsInput still = elements(1);
  still.after = nullptr;
  const scene::Scene before = element_grid(still, 700, 400, dark_theme());
  ASSERT_EQ(count_of(end, scene::Id::Kind::register_cell), 256);
  ASSERT_EQ(count_of(begin, scene::Id::Kind::register_cell), 256);
  const auto label_at = [](const scene::Scene& s, scene::Rect r) {
    for (const scene::Label& l : s.labels)
      if (l.id.kind == scene::Id::Kind::register_cell && std::abs(l.at.x - r.x - r.w / 2) < 1 &&
          std::abs(l.at.y - r.y - r.h / 2) < 1)
        return l.text;
    return std::string("none");
  };
  int moved = 0;
  for (std::size_t n = 0; n < end.boxes.size(); ++n) {
    const scene::Box &a = begin.boxes[n], &m = middle.boxes[n], &b = end.boxes[n];
    ASSERT_EQ(a.id, b.id);
    EXPECT_NEAR(m.rect.x, (a.rect.x + b.rect.x) / 2, 0.01f);
    EXPECT_NEAR(m.rect.y, (a.rect.y + b.rect.y) / 2, 0.01f);
    EXPECT_EQ(label_at(begin, a.rect), label_at(before, a.rect)) << "at the begin it is where it was";
    moved += a.rect.x != b.rect.x || a.rect.y != b.rect.y;
  }
  EXPECT_EQ(moved, 256 - 64) << "elements with k0 = j3 and j2 = k3 stay";
}

TEST(ElementGrid, ALitBitLeavesHalfOfTheCells) {
  ElementsInput in = elements(1);
  in.lit = "j2";
  const scene::Scene s = element_grid(in, 700, 400, dark_theme());
  EXPECT_EQ(std::ranges::count(s.boxes, dark_theme().cell_empty, &scene::Box::fill), 128);
}

TEST(ElementGrid, EveryCellHasItsNumbersOrNoneHas) {
  const auto numbers = [](float width, float height) {
    std::map<std::string, int> count;
    const scene::Scene s = element_grid(elements(1), width, height, dark_theme());
    for (const scene::Label& l : s.labels)
      if (l.id.kind == scene::Id::Kind::register_cell && l.min_scale <= 1) ++count[scene::to_string(l.id)];
    return count;
  };
  for (const float width : {300.0f, 420.0f, 480.0f, 560.0f, 700.0f, 1200.0f}) {
    const auto count = numbers(width, 400);
    if (count.empty()) continue;
    EXPECT_EQ(count.size(), 256U) << width;
    for (const auto& [id, n] : count) EXPECT_EQ(n, count.begin()->second) << width << " " << id;
  }
  EXPECT_EQ(numbers(480, 400).begin()->second, 2) << "j above, k below";
  EXPECT_EQ(numbers(700, 400).begin()->second, 1);
  EXPECT_TRUE(numbers(300, 120).empty());
}

TEST(ElementGrid, AnAxisThatStandsStillInAWarpTakesNoRoom) {
  const auto a = *layout::parse("simd: k0; register: j3 j2; thread: j1 j0 k3 k2 k1; warp: i3 i2 i1 i0");
  ElementsInput in;
  in.before = &a;
  in.warp = 3;
  in.names = {"i3", "i2", "i1", "i0", "j3", "j2", "j1", "j0", "k3", "k2", "k1", "k0"};
  for (int n = 0; n < 12; ++n) in.offsets.push_back(std::uint64_t{1} << (11 - n));
  const scene::Scene s = element_grid(in, 480, 400, dark_theme());
  EXPECT_TRUE(
      std::ranges::any_of(s.labels, [](const scene::Label& l) { return l.text == "each cell: j above, k below"; }));
  // The colours of the warp are all of the ramp.
  const auto has = [&](scene::Color c) { return std::ranges::count(s.boxes, c, &scene::Box::fill) > 0; };
  EXPECT_TRUE(has(dark_theme().ramp.front()));
  EXPECT_TRUE(has(dark_theme().ramp.back()));
}

TEST(ElementGrid, WhatNoMapSaysIsSaid) {
  const auto twice = *layout::parse("register: i0; thread: j3 j2 j1 j0 i0");
  ElementsInput in;
  in.before = &twice;
  EXPECT_NE(element_grid(in, 400, 200, dark_theme()).labels.front().text.find("not known"), std::string::npos);
  in.before = nullptr;
  EXPECT_NE(element_grid(in, 400, 200, dark_theme()).labels.front().text.find("mistake"), std::string::npos);
}

TEST(PlanTable, ARowForEachPlanAndStepAndTheBoundInWords) {
  const auto planned = convert::plan(from(), to(), 16);
  ASSERT_TRUE(planned);
  PlansInput in;
  in.planned = &*planned;
  in.steps = {{"s0 <-> r1", "k0 <-> j3", "inside each lane", "4 byte permutes", true},
              {"r0 <-> t2", "j2 <-> k3", "between lanes", "2 shuffles", true}};
  const scene::Scene s = plan_table(in, 560, dark_theme());
  for (std::size_t n = 0; n < planned->plans.size(); ++n)
    EXPECT_NE(scene::find(s, {.kind = scene::Id::Kind::plan_row, .a = static_cast<int>(n)}), nullptr);
  for (int n = 0; n < 3; ++n) EXPECT_NE(scene::find(s, {.kind = scene::Id::Kind::step_row, .a = n}), nullptr);
  EXPECT_TRUE(planned->proved_optimal());
  EXPECT_NE(bound_in_words(*planned).find("no way needs fewer"), std::string::npos);
  in.planned = nullptr;
  in.problem = "elements move between blocks";
  EXPECT_EQ(count_of(plan_table(in, 560, dark_theme()), scene::Id::Kind::plan_row), 0);
}

TEST(BitMatrix, ACellForEachPair) {
  const scene::Scene s =
      bit_matrix({{"r0", "t0"}, {"r0", "t0"}, {{false, true}, {true, false}}, {"", ""}}, 300, dark_theme());
  EXPECT_EQ(count_of(s, scene::Id::Kind::matrix_cell), 4);
}

}  // namespace
}  // namespace lanescope::views
