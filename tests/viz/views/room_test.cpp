// Views in the room of a panel: at the sizes of a projector's window numbers can be read, no words overlap and what is
// shown is never somewhere else.

#include <random>
#include <set>

#include <gtest/gtest.h>

#include "tests/viz/fixtures.h"
#include "tests/viz/scene_queries.h"
#include "viz/paint/paint.h"
#include "viz/views/base/draw.h"
#include "viz/views/base/theme.h"
#include "viz/views/memory/banks.h"
#include "viz/views/memory/global.h"
#include "viz/views/memory/memory_rows.h"
#include "viz/views/registers/registers.h"

namespace lanescope::views {
namespace {

using scene::Id;

bool drawn(const scene::Label& l) { return !l.text.empty() && l.min_scale <= 1; }

/// Drawn numbers of cells of that kind.
int numbers(const scene::Scene& scene, Id::Kind kind) {
  return static_cast<int>(std::count_if(scene.labels.begin(), scene.labels.end(),
                                        [&](const auto& l) { return l.id.kind == kind && drawn(l); }));
}

/// The ink of a label, roughly: what of it must not meet another one's.
scene::Rect ink_of(const scene::Label& l) {
  const float width = paint::text_width(l.face, l.size, paint::fitted(l.face, l.size, l.text, l.max_width));
  return {left_of(l, width), l.at.y - l.size * 0.33f, width, l.size * 0.66f};
}

void expect_no_overlap(const scene::Scene& scene, const std::string& name) {
  for (std::size_t a = 0; a < scene.labels.size(); ++a) {
    if (!drawn(scene.labels[a])) continue;
    const scene::Rect one = ink_of(scene.labels[a]);
    for (std::size_t b = 0; b < a; ++b) {
      if (!drawn(scene.labels[b])) continue;
      const scene::Rect other = ink_of(scene.labels[b]);
      const bool apart = one.x + one.w <= other.x + 0.5f || other.x + other.w <= one.x + 0.5f ||
                         one.y + one.h <= other.y + 0.5f || other.y + other.h <= one.y + 0.5f;
      ASSERT_TRUE(apart) << name << ": '" << scene.labels[a].text << "' and '" << scene.labels[b].text << "'";
    }
  }
}

/// y with 8 rows, a register of two halves and one without elements: what stands on a shuffle's line.
Moment shuffle_moment() {
  Moment m = fixtures::moment();
  RegisterGrid tmp = fixtures::grid(2, 1, fixtures::element_z);
  tmp.registers = 1;
  tmp.cells.resize(64);
  m.grids.push_back(tmp);
  RegisterGrid lane{
      .family = 3, .element_bits = 32, .parts = 1, .registers = 1, .warps = 1, .first_warp = 0, .cells = {}};
  for (std::uint32_t n = 0; n < 32; ++n) lane.cells.push_back({.value = n, .defined = true});
  m.grids.push_back(lane);
  return m;
}
Summary shuffle_summary() {
  Summary s = fixtures::summary();
  s.families.push_back({.name = "tmp", .function = "transpose", .registers = {"tmp"}, .first_line = 32});
  s.families.push_back({.name = "laneId", .function = "transpose", .registers = {"laneId"}, .first_line = 10});
  return s;
}

// The registers' room at 1280 x 800 is about 600 x 300 in Learn and 510 x 310 in Debug.
TEST(RoomOfRegisters, EveryNumberCanBeReadInAProjectorsWindow) {
  const Summary summary = shuffle_summary();
  const Moment moment = shuffle_moment();
  for (const auto& [width, height] : {std::pair{600.0f, 300.0f}, {510.0f, 305.0f}, {820.0f, 330.0f}}) {
    const scene::Scene scene = registers_view(summary, moment, {}, {.width = width, .height = height}, dark_theme());
    EXPECT_LE(scene.height, height * 1.02f);
    EXPECT_EQ(numbers(scene, Id::Kind::register_cell), 2 * 320 + 32) << width << " x " << height;
    for (const scene::Label& l : scene.labels) {
      if (l.id.kind != Id::Kind::register_cell) continue;
      EXPECT_GE(l.size, smallest_type) << l.text;
    }
    expect_no_overlap(scene, "registers");
  }
}

TEST(RoomOfRegisters, RowsFillTheRoomAsFarAsTheyMayGrow) {
  const Summary summary = fixtures::summary();
  float before = 0;
  for (float height = 120; height < 900; height += 20) {
    const scene::Scene scene =
        registers_view(summary, fixtures::moment(), {}, {.width = 800, .height = height}, dark_theme());
    EXPECT_GE(scene.height, before - 0.01f) << "more room, more height";
    before = scene.height;
    if (height < 260) continue;
    EXPECT_LE(scene.height, height + 1);
    if (height < 450) {
      EXPECT_NEAR(scene.height, height, 22) << "nothing of the room is wasted";
    }
  }
}

TEST(RoomOfRegisters, ValuesStandWhereThereIsNoElement) {
  const Summary summary = shuffle_summary();
  const scene::Scene scene = registers_view(summary, shuffle_moment(), {}, {.width = 600, .height = 300}, dark_theme());
  std::set<std::string> texts;
  for (const scene::Label& l : scene.labels) {
    if (l.id.kind == Id::Kind::register_cell && l.id.group == 3 && drawn(l)) texts.insert(l.text);
  }
  EXPECT_EQ(texts.size(), 32u) << "lanes 0 to 31";
  EXPECT_TRUE(says(scene, "grey: a value that is no element"));
}

TEST(Words, ValuesGetShortEnoughForACell) {
  EXPECT_EQ(short_value_text("u32", 32, 31, 3), "31");
  EXPECT_EQ(short_value_text("u32", 32, 123456, 3), "1e5");
  EXPECT_EQ(short_value_text("s32", 32, 0xffffffffu, 3), "-1");
  EXPECT_EQ(short_value_text("s32", 32, static_cast<std::uint32_t>(-200000), 4), "-2e5");
  EXPECT_EQ(short_value_text("f32", 32, 0x3f800000, 3), "1");
  EXPECT_EQ(short_value_text("f32", 32, 0x40490fdb, 3), "3.1");
  EXPECT_EQ(short_value_text("", 32, 7, 3), "7") << "a small number is one, of any type";
  EXPECT_EQ(short_value_text("", 32, 0x3f800000, 3), "1");
}

TEST(RoomOfMemory, NoWordsOverlapAtAnyWidth) {
  const Summary s = fixtures::summary();
  Moment strided = fixtures::moment();
  strided.access = fixtures::strided_load();
  const auto [tile, tile_moment] = fixtures::shared_tile();
  for (float width = 170; width < 1300; width += 37) {
    const std::string at = " at " + std::to_string(width);
    for (const Moment& m : {fixtures::moment(), strided}) {
      expect_no_overlap(global_view(s, m, {}, {.width = width}, dark_theme()), "global" + at);
      for (const float height : {0.0f, 204.0f})
        expect_no_overlap(traffic_view(s, m, {}, {.width = width, .most_rows = 2, .height = height}, dark_theme()),
                          "traffic" + at);
    }
    expect_no_overlap(assignment_view(s, fixtures::moment(), {}, {.width = width}, dark_theme()), "assignment" + at);
    for (const float height : {0.0f, 150.0f, 230.0f, 420.0f}) {
      for (const int wavefront : {-1, 0, 17}) {
        for (const auto kind : {WhatIf::Kind::none, WhatIf::Kind::padding}) {
          const SharedOptions o{.width = width,
                                .height = height,
                                .wavefront = wavefront,
                                .what_if = {.kind = kind},
                                .controlled = height > 0};
          expect_no_overlap(shared_view(tile, tile_moment, {}, o, dark_theme()),
                            "shared" + at + " x " + std::to_string(height));
        }
      }
    }
  }
}

// Lanes beyond the ninth are labelled too, and evenly.
TEST(RoomOfMemory, NarrowRowsLabelLanesUpToTheLast) {
  const Summary s = fixtures::summary();
  for (float width = 170; width < 700; width += 9) {
    const scene::Scene scene = global_view(s, fixtures::moment(), {}, {.width = width}, dark_theme());
    int highest = -1;
    for (const scene::Label& l : scene.labels) {
      if (l.id.kind == Id::Kind::memory_word && drawn(l)) highest = std::max(highest, std::stoi(l.text));
    }
    EXPECT_GE(highest, 24) << width;
  }
}

/// Rows of shared memory that the scene shows unfolded.
std::set<int> rows_shown(const scene::Scene& scene, Id::Kind kind) {
  std::set<int> rows;
  for (const scene::Box& box : scene.boxes) {
    if (box.id.kind == kind && box.rect.y >= 0 && box.rect.y + box.rect.h <= scene.height) rows.insert(box.id.a / 32);
  }
  return rows;
}

// All rows of a 32-way conflict fit, or those of the played wavefront are among the rows shown.
TEST(RoomOfBanks, ThePlayedWavefrontIsAlwaysInSight) {
  const auto [tile, moment] = fixtures::shared_tile();
  std::mt19937 random(11);
  for (int trial = 0; trial < 400; ++trial) {
    const float width = 180 + static_cast<float>(random() % 900), height = 60 + static_cast<float>(random() % 500);
    const int wavefront = static_cast<int>(random() % 32);
    const auto kind = static_cast<WhatIf::Kind>(random() % 3);
    const SharedOptions o{
        .width = width, .height = height, .wavefront = wavefront, .what_if = {.kind = kind}, .controlled = true};
    const scene::Scene scene = shared_view(tile, moment, {}, o, dark_theme());
    EXPECT_TRUE(rows_shown(scene, Id::Kind::shared_word).contains(wavefront))
        << "wavefront " << wavefront << " in " << width << " x " << height;
  }
}

// In Learn at 1280 x 800 the panel has about 290 x 150 pixels below its controls.
TEST(RoomOfBanks, PaddingShowsAllRowsInAProjectorsWindow) {
  const auto [tile, moment] = fixtures::shared_tile();
  const SharedOptions o{
      .width = 290, .height = 150, .wavefront = 3, .what_if = {.kind = WhatIf::Kind::padding}, .controlled = true};
  const scene::Scene scene = shared_view(tile, moment, {}, o, dark_theme());
  EXPECT_LE(scene.height, 151);
  EXPECT_GE(rows_shown(scene, Id::Kind::shared_word).size(), 32u);
  EXPECT_GE(rows_shown(scene, Id::Kind::what_if_word).size(), 32u);
  EXPECT_TRUE(says(scene, "32 wavefronts → 1 wavefront"));
}

TEST(RoomOfBanks, FocusIsAmongTheRows) {
  std::mt19937 random(12);
  for (int trial = 0; trial < 500; ++trial) {
    AccessedWords touched;
    for (int n = 1 + static_cast<int>(random() % 60); n > 0; --n) touched[random() % 4096].lanes = 1;
    const int most = 1 + static_cast<int>(random() % 20);
    auto at = touched.begin();
    std::advance(at, random() % touched.size());
    const std::uint64_t focus = at->first / 32;
    std::set<std::uint64_t> shown;
    std::uint64_t next = 0, hidden = 0;
    for (const MemoryRow& row : memory_rows(touched, 128, most, focus)) {
      EXPECT_EQ(row.first, next) << "every row once";
      next = row.first + row.count;
      if (row.folded)
        hidden += row.touched;
      else
        shown.insert(row.first);
    }
    EXPECT_EQ(next, 128u);
    EXPECT_TRUE(shown.contains(focus));
    EXPECT_LE(shown.size(), static_cast<std::size_t>(most));
    std::size_t touched_shown = 0;
    std::set<std::uint64_t> all;
    for (const auto& [word, lanes] : touched) all.insert(word / 32);
    for (const std::uint64_t row : all) touched_shown += shown.contains(row);
    EXPECT_EQ(touched_shown + hidden, all.size()) << "what is not shown is counted";
    EXPECT_EQ(touched_row_count(touched), all.size());
  }
}

}  // namespace
}  // namespace lanescope::views
