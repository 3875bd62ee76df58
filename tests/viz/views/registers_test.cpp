#include <map>
#include <numeric>
#include <random>
#include <set>

#include <gtest/gtest.h>

#include "tests/viz/fixtures.h"
#include "viz/views/base/theme.h"
#include "viz/views/registers/places.h"
#include "viz/views/registers/registers.h"

namespace lanescope::views {
namespace {

using scene::Id;

std::map<std::string, int> cells_of(const scene::Scene& scene) {
  std::map<std::string, int> count;
  for (const scene::Box& box : scene.boxes) {
    if (box.id.kind == Id::Kind::register_cell) ++count[scene::to_string(box.id)];
  }
  return count;
}

std::uint64_t moves_of(const scene::Scene& scene) {
  return std::accumulate(scene.arrows.begin(), scene.arrows.end(), std::uint64_t{0},
                         [](std::uint64_t sum, const scene::Arrow& a) { return sum + std::max(a.id.b, 1); });
}

TEST(RegistersView, EveryCellIsThereOnce) {
  const Summary summary = fixtures::summary();
  const scene::Scene scene = registers_view(summary, fixtures::moment(16), {}, {}, dark_theme());
  const auto cells = cells_of(scene);
  EXPECT_EQ(cells.size(), 16u * 4 * 2 * 32);
  for (const auto& [id, count] : cells) EXPECT_EQ(count, 1) << id;
  EXPECT_TRUE(cells.contains("register_cell/2/0/12/1@1"));
}

// Operations of a group of lanes show ranks below the lanes' numbers, and nothing moves but down.
TEST(RegistersView, RanksOfAGroupStandBelowTheLanes) {
  const Summary summary = fixtures::summary();
  Moment moment = fixtures::moment();
  const auto ranks = [&] {
    std::map<int, std::vector<std::string>> by_lane;
    for (const scene::Label& label : registers_view(summary, moment, {}, {.width = 1400}, dark_theme()).labels)
      if (label.id.kind == Id::Kind::lane_heading) by_lane[label.id.c].push_back(label.text);
    return by_lane;
  };
  const float height = registers_view(summary, moment, {}, {}, dark_theme()).height;
  for (const std::uint32_t plain : {0u, ~0u, 0x0000ffffu, 0x1u}) {
    moment.active = plain;
    for (const auto& [lane, texts] : ranks()) EXPECT_EQ(texts, std::vector{std::to_string(lane)});
    EXPECT_EQ(registers_view(summary, moment, {}, {}, dark_theme()).height, height);
  }
  std::mt19937 random(3);
  for (int round = 0; round < 20; ++round) {
    moment.active = static_cast<std::uint32_t>(random()) & ~1u;
    int rank = 0;
    for (const auto& [lane, texts] : ranks()) {
      std::vector<std::string> expected{std::to_string(lane)};
      if ((moment.active >> lane & 1) != 0) expected.push_back(std::to_string(rank++));
      EXPECT_EQ(texts, expected) << lane;
    }
    EXPECT_GT(registers_view(summary, moment, {}, {}, dark_theme()).height, height);
  }
}

TEST(RegistersView, IdsDoNotDependOnThemeLabelsOrStep) {
  const Summary summary = fixtures::summary();
  Moment before = fixtures::moment();
  before.grids[0] = fixtures::grid(1, 1, fixtures::element_y);
  before.moves.clear();
  const auto a = cells_of(registers_view(summary, fixtures::moment(), {}, {}, dark_theme()));
  EXPECT_EQ(a, cells_of(registers_view(summary, before, {}, {.width = 500, .label = LabelMode::value}, light_theme())));
  EXPECT_EQ(
      a, cells_of(registers_view(summary, before, {}, {.label = LabelMode::tag, .color_by = "lane"}, light_theme())));
}

TEST(RegistersView, TheMiddleOfACellHitsThatCell) {
  const scene::Scene scene = registers_view(fixtures::summary(), fixtures::moment(2), {}, {}, dark_theme());
  for (const scene::Box& box : scene.boxes) {
    if (box.id.kind != Id::Kind::register_cell) continue;
    const scene::Box* under = scene::hit(scene, {box.rect.x + box.rect.w / 2, box.rect.y + box.rect.h / 2});
    ASSERT_NE(under, nullptr);
    EXPECT_EQ(scene::to_string(under->id), scene::to_string(box.id));
  }
}

TEST(RegistersView, EqualElementsHaveEqualColours) {
  const Summary summary = fixtures::summary();
  Moment moment = fixtures::moment();
  moment.grids = {fixtures::grid(0, 1, fixtures::element_x), fixtures::grid(1, 1, fixtures::element_z)};
  const scene::Scene scene = registers_view(summary, moment, {}, {.color_by = "k j"}, dark_theme());
  std::map<std::uint32_t, std::uint32_t> color_of;
  for (const scene::Box& box : scene.boxes) {
    if (box.id.kind != Id::Kind::register_cell) continue;
    const Cell& cell = moment.grids[box.id.group].at(0, box.id.a, box.id.d, box.id.c);
    EXPECT_EQ(color_of.try_emplace(cell.element, box.fill.rgba).first->second, box.fill.rgba);
  }
  EXPECT_EQ(color_of.size(), 256u);
}

TEST(RegistersView, CellsSayTheirCoordinates) {
  const Summary summary = fixtures::summary();
  const scene::Scene scene = registers_view(summary, fixtures::moment(), {}, {}, dark_theme());
  const Id id{.kind = Id::Kind::register_cell, .a = 1, .b = 0, .c = 11, .d = 0, .group = 1};
  std::vector<std::string> words;
  for (const scene::Label& label : scene.labels) {
    if (label.id == id) words.push_back(label.text);
  }
  const std::uint32_t element = fixtures::element_z(0, 1, 0, 11);
  EXPECT_EQ(words, (std::vector<std::string>{std::to_string(element >> 4 & 15), std::to_string(element & 15)}));
}

TEST(RegistersView, FewMovesAreArrows) {
  Moment moment = fixtures::moment();
  moment.moves.resize(20);
  const scene::Scene scene = registers_view(fixtures::summary(), moment, {}, {}, dark_theme());
  EXPECT_EQ(scene.arrows.size(), 20u);
  for (const scene::Arrow& arrow : scene.arrows) EXPECT_TRUE(arrow.count.empty());
}

TEST(RegistersView, ManyMovesAreBundlesThatAddUp) {
  for (int warps : {1, 16}) {
    const Moment moment = fixtures::moment(warps);
    const scene::Scene scene = registers_view(fixtures::summary(), moment, {}, {}, dark_theme());
    EXPECT_LE(scene.arrows.size(), 24u);
    EXPECT_EQ(moves_of(scene), moment.moves.size());
    EXPECT_EQ(scene.arrows.size(), 8u);  // four pairs of halves, both ways
  }
}

TEST(Bundles, PartitionTheMoves) {
  std::mt19937 random(4);
  for (int round = 0; round < 20; ++round) {
    std::vector<Move> moves;
    for (unsigned n = 0; n < random() % 300; ++n) {
      const auto place = [&] {
        return PlaceRef{0, static_cast<int>(random() % 4), static_cast<int>(random() % 2), 0,
                        static_cast<int>(random() % 32)};
      };
      moves.push_back({place(), place()});
    }
    std::set<std::uint32_t> seen;
    for (const MoveBundle& all : bundle(moves)) {
      EXPECT_EQ(all.moves, all.members.size());
      for (std::uint32_t member : all.members) {
        EXPECT_TRUE(seen.insert(member).second);
        EXPECT_EQ(moves[member].from.lane ^ moves[member].to.lane, all.lane_xor);
        EXPECT_EQ(moves[member].from.reg, all.first.from.reg);
        EXPECT_EQ(moves[member].to.reg, all.first.to.reg);
      }
    }
    EXPECT_EQ(seen.size(), moves.size());
  }
}

TEST(RegistersView, ASelectedElementIsOutlinedEverywhere) {
  Moment moment = fixtures::moment();
  moment.moves.clear();
  for (RegisterGrid& grid : moment.grids)
    for (Cell& cell : grid.cells) cell.changed = false;
  moment.grids.push_back(fixtures::grid(0, 1, fixtures::element_x));
  const scene::Scene scene =
      registers_view(fixtures::summary(), moment, fixtures::selection_of(0, 1, 0, 11), {}, dark_theme());
  std::set<std::string> outlined;
  for (const scene::Box& box : scene.outlines) outlined.insert(scene::to_string(box.id));
  EXPECT_EQ(outlined.size(), 2u);  // one cell of y, one of x
}

TEST(RegistersView, KindsOfCellsDifferWithoutColour) {
  Moment moment = fixtures::moment();
  moment.moves.clear();
  std::vector<Cell>& cells = moment.grids[0].cells;
  for (Cell& cell : cells) cell.changed = false;
  using Kind = trace::ElementTag::Kind;
  cells[0].kind = static_cast<std::uint8_t>(Kind::mixed), cells[0].sources = 3;
  cells[1].kind = static_cast<std::uint8_t>(Kind::partial);
  cells[2].kind = static_cast<std::uint8_t>(Kind::computed);
  cells[3].defined = false;
  const scene::Scene scene = registers_view(fixtures::summary(), moment, {}, {}, dark_theme());
  const auto cell = [&](int lane) {
    return *scene::find(scene, {.kind = Id::Kind::register_cell, .c = lane, .group = 1});
  };
  EXPECT_TRUE(cell(0).hatched);
  EXPECT_TRUE(cell(1).dashed);
  const scene::Rect computed = cell(2).rect;
  EXPECT_TRUE(std::any_of(scene.boxes.begin(), scene.boxes.end(), [&](const scene::Box& b) {
    return b.id.kind == Id::Kind::none && computed.contains({b.rect.x, b.rect.y});
  }));
  EXPECT_TRUE(std::any_of(scene.labels.begin(), scene.labels.end(), [](const auto& l) { return l.text == "{3}"; }));
  EXPECT_TRUE(std::none_of(scene.labels.begin(), scene.labels.end(), [](const auto& l) {
    return l.id == Id{.kind = Id::Kind::register_cell, .c = 3, .group = 1};
  }));
}

TEST(RegistersView, NoGridIsASentence) {
  Moment moment;
  const scene::Scene scene = registers_view(fixtures::summary(), moment, {}, {}, dark_theme());
  ASSERT_EQ(scene.labels.size(), 1u);
  EXPECT_GT(scene.labels[0].text.size(), 20u);
}

}  // namespace
}  // namespace lanescope::views
