#include <set>

#include <gtest/gtest.h>

#include "tests/viz/fixtures.h"
#include "tests/viz/scene_queries.h"
#include "viz/views/base/elements.h"
#include "viz/views/base/selection.h"
#include "viz/views/base/theme.h"
#include "viz/views/costs/timeline.h"
#include "viz/views/memory/banks.h"
#include "viz/views/memory/global.h"
#include "viz/views/memory/memory_rows.h"
#include "viz/views/registers/registers.h"
#include "viz/views/tooltips.h"

namespace lanescope::views {
namespace {

using scene::Id;

void expect_unique_ids(const scene::Scene& scene) {
  std::set<std::string> seen;
  for (const scene::Box& box : scene.boxes) {
    if (box.id.kind == Id::Kind::none) continue;
    EXPECT_TRUE(seen.insert(scene::to_string(box.id)).second) << scene::to_string(box.id);
  }
}

TEST(MemoryRows, EveryRowIsShownOrFoldedOnce) {
  for (int most : {1, 3, 8}) {
    for (std::uint64_t rows : {0u, 1u, 7u, 64u}) {
      for (std::uint64_t touched_row : {0u, 5u, 63u}) {
        AccessedWords touched;
        if (touched_row < rows) touched[touched_row * 32 + 3] = {.lanes = 1, .lanes_of_byte = {1, 1, 1, 1}};
        std::uint64_t next = 0;
        int shown = 0;
        bool has_touched = false;
        for (const MemoryRow& row : memory_rows(touched, rows, most)) {
          EXPECT_EQ(row.first, next);
          next = row.first + row.count;
          if (!row.folded) ++shown, has_touched |= row.first == touched_row;
        }
        EXPECT_EQ(next, rows);
        EXPECT_LE(shown, most);
        EXPECT_EQ(has_touched, touched_row < rows);
      }
    }
  }
}

TEST(GlobalView, SaysRequestsSectorsAndBytes) {
  const scene::Scene scene = global_view(fixtures::summary(), fixtures::moment(), {}, {}, dark_theme());
  EXPECT_TRUE(says(scene, "1 request · 4 sectors · 1 line"));
  EXPECT_TRUE(says(scene, "128 of 128 bytes used (100 %)"));
  EXPECT_EQ(count(scene, Id::Kind::memory_sector), 8 * 4);
  EXPECT_EQ(count(scene, Id::Kind::memory_word), 8 * 32);
  expect_unique_ids(scene);
}

TEST(GlobalView, FoldsWhatIsNotTouched) {
  Moment moment = fixtures::moment();
  moment.access = fixtures::strided_load();
  const scene::Scene scene = global_view(fixtures::summary(), moment, {}, {}, dark_theme());
  EXPECT_TRUE(says(scene, "1 line not accessed"));
  EXPECT_TRUE(says(scene, "24 accessed"));
  EXPECT_TRUE(says(scene, "2 of 32 B"));
  EXPECT_TRUE(says(scene, "(6.3 %)"));
}

TEST(GlobalView, WithoutAnAccessSaysWhatToDo) {
  Moment moment = fixtures::moment();
  moment.access.reset();
  EXPECT_TRUE(says(global_view(fixtures::summary(), moment, {}, {}, dark_theme()), "Go to a load"));
}

TEST(SharedView, ShowsConflictsWithNumbers) {
  const auto [summary, moment] = fixtures::shared_tile();
  const scene::Scene scene = shared_view(summary, moment, {}, {.most_rows = 32}, dark_theme());
  EXPECT_TRUE(says(scene, "32 wavefronts, ideal 1 · bank 0 is accessed in 32 rows"));
  EXPECT_TRUE(says(scene, "32-way bank conflict"));
  EXPECT_EQ(count(scene, Id::Kind::shared_word), 1024);
  EXPECT_EQ(scene.outlines.size(), 1u);
  expect_unique_ids(scene);
}

TEST(SharedView, NoConflictIsSaidToo) {
  auto [summary, moment] = fixtures::shared_tile();
  for (int lane = 0; lane < 32; ++lane) moment.access->addresses[lane] = 4u * lane;
  moment.access->cost = access::cost(*moment.access);
  const scene::Scene scene = shared_view(summary, moment, {}, {}, dark_theme());
  EXPECT_TRUE(says(scene, "no bank conflict"));
  EXPECT_TRUE(scene.outlines.empty());
}

TEST(TimelineView, AMarkPerInstruction) {
  const Summary summary = fixtures::summary(4);
  for (TimelineAxis axis : {TimelineAxis::instruction, TimelineAxis::step}) {
    const scene::Scene scene =
        timeline_view(summary, fixtures::moment(), {}, {.width = 3000, .axis = axis}, dark_theme());
    EXPECT_EQ(count(scene, Id::Kind::timeline_step), 4 * 68);
    expect_unique_ids(scene);
  }
  EXPECT_EQ(timeline_columns(summary, TimelineAxis::instruction), 68u);
  EXPECT_EQ(timeline_columns(summary, TimelineAxis::step), 4u * 68);
}

TEST(TimelineView, PositionAndStepAreInverse) {
  const Summary summary = fixtures::summary(4);
  const TimelineOptions options{.width = 1000};
  const scene::Scene scene = timeline_view(summary, fixtures::moment(), {}, options, dark_theme());
  for (const scene::Box& box : scene.boxes) {
    if (box.id.kind != Id::Kind::timeline_step) continue;
    EXPECT_EQ(timeline_step_at(summary, options, box.id.a % 4, box.rect.x + box.rect.w / 2), box.id.a);
  }
}

TEST(TimelineView, AMillionMarksFoldToPixels) {
  Summary summary = fixtures::summary(16, 62500);
  ASSERT_EQ(summary.timeline.size(), 1'000'000u);
  const scene::Scene scene = timeline_view(summary, fixtures::moment(), {}, {.width = 1200}, dark_theme());
  EXPECT_LE(scene.boxes.size(), 16u * 400 * 2 + 200);
  EXPECT_EQ(count(scene, Id::Kind::timeline_span), 16 * 374);
  const scene::Scene part =
      timeline_view(summary, fixtures::moment(), {}, {.width = 1200, .first = 0, .last = 50}, dark_theme());
  EXPECT_EQ(count(part, Id::Kind::timeline_step), 16 * 50);
}

TEST(TimelineView, ClaimsStandAtTheirProbes) {
  const scene::Scene scene = timeline_view(fixtures::summary(4), fixtures::moment(), {}, {}, dark_theme());
  EXPECT_EQ(count(scene, Id::Kind::timeline_claim), 2);
}

TEST(AssignmentView, SideBySideWhereTheyDiffer) {
  const scene::Scene scene = assignment_view(fixtures::summary(), fixtures::moment(), {}, {}, dark_theme());
  EXPECT_EQ(count(scene, Id::Kind::assignment_chip), 2 * 12);
  EXPECT_TRUE(says(scene, "swapped"));
  EXPECT_TRUE(says(scene, "this statement moves r0 ↔ t2"));
  expect_unique_ids(scene);
  // Most significant bit first: r1 stands left of r0.
  const auto chip = [&](int bit) {
    return scene::find(scene, {.kind = Id::Kind::assignment_chip, .a = 1, .b = bit, .c = 1});
  };
  EXPECT_LT(chip(1)->rect.x, chip(0)->rect.x);
}

TEST(AssignmentView, OnceWhereTheyAgree) {
  Moment moment = fixtures::moment();
  moment.real = moment.claimed;
  const scene::Scene scene = assignment_view(fixtures::summary(), moment, {}, {}, dark_theme());
  EXPECT_EQ(count(scene, Id::Kind::assignment_chip), 12);
  EXPECT_TRUE(says(scene, "the claim holds"));
  EXPECT_TRUE(scene.outlines.empty());
}

TEST(AssignmentView, UnknownSaysWhy) {
  Moment moment = fixtures::moment();
  moment.real.reset(), moment.claimed.reset();
  moment.real_words = "two elements at one place";
  EXPECT_TRUE(says(assignment_view(fixtures::summary(), moment, {}, {}, dark_theme()), "two elements at one place"));
}

// A long reason loses its last parts in a low panel: drawn whole, everything would be too small to read.
TEST(AssignmentView, ALongReasonLeavesTheRestReadable) {
  Moment moment = fixtures::moment();
  moment.real.reset();
  moment.real_words =
      "no affine map: warp 0, lane 4, register 1, simd part 0 holds (k=8, j=4, i=0), where 3 other places predict "
      "(k=0, j=0, i=0): warp 0, lane 0, register 0, simd part 0 holds (k=0, j=0, i=0); warp 0, lane 4, register 0, "
      "simd "
      "part 0 holds (k=0, j=4, i=0)";
  AssignmentOptions options;
  options.width = 380, options.height = 1000;
  const scene::Scene high = assignment_view(fixtures::summary(), moment, {}, options, dark_theme());
  EXPECT_TRUE(says(high, "(k=0, j=4, i=0)"));
  options.height = 190;
  const scene::Scene low = assignment_view(fixtures::summary(), moment, {}, options, dark_theme());
  EXPECT_TRUE(says(low, "no affine map"));
  EXPECT_FALSE(says(low, "(k=0, j=4, i=0)"));
  EXPECT_LE(low.height, options.height);
  // A panel lower than one line of it gains nothing by fewer words.
  options.height = 100;
  EXPECT_TRUE(says(assignment_view(fixtures::summary(), moment, {}, options, dark_theme()), "no affine map: warp 0,"));
}

TEST(AssignmentView, ATitleIsNotWiderThanItsRoom) {
  Summary summary = fixtures::summary();
  summary.lines.add("k.cu", "/k.cu", 100);
  summary.lines.add("device_part.hpp", "/device_part.hpp", 20);
  Moment moment = fixtures::moment();
  moment.real = moment.claimed;
  moment.line = summary.lines.unit_line("/device_part.hpp", 7);
  moment.claimed_line = summary.lines.unit_line("/device_part.hpp", 5);
  for (const float width : {260.0f, 900.0f}) {
    AssignmentOptions options;
    options.width = width;
    const scene::Scene scene = assignment_view(summary, moment, {}, options, dark_theme());
    EXPECT_TRUE(says(scene, "actual at device_part.hpp:7"));
    EXPECT_EQ(says(scene, ", as claimed at device_part.hpp:5"), width > 500);
  }
}

TEST(Words, ElementsHaveCoordinates) {
  const Summary summary = fixtures::summary();
  EXPECT_EQ(element_text(summary, 0, 4 * 16 + 6), "p[0, 4, 6]");
  EXPECT_EQ(tag_text(summary, 0, 140), "p[140]");
}

TEST(Words, CoordinatesInvertStrides) {
  BufferInfo padded{.name = "t", .element_type = "f32", .elements = 33 * 8, .axes = {{"x", 4, 1}, {"y", 8, 33}}};
  const ElementReader reader(padded);
  for (std::uint64_t y = 0; y < 8; ++y) {
    for (std::uint64_t x = 0; x < 4; ++x) {
      EXPECT_EQ(reader.coordinate(y * 33 + x, 0), x);
      EXPECT_EQ(reader.coordinate(y * 33 + x, 1), y);
    }
  }
}

TEST(Words, ValuesFollowTheirType) {
  EXPECT_EQ(value_text("f16", 16, 0x3c00), "1");
  EXPECT_EQ(value_text("f16", 16, 0xc500), "-5");
  EXPECT_EQ(value_text("f16", 16, 0x7c00), "inf");
  EXPECT_EQ(value_text("f16", 16, 0x0001), "5.96046e-8");
  EXPECT_EQ(value_text("bf16", 16, 0x3f80), "1");
  EXPECT_EQ(value_text("f32", 32, 0x40490fdb, 3), "3.14");
  EXPECT_EQ(value_text("s8", 8, 0xff), "-1");
  EXPECT_EQ(value_text("s4", 4, 0x8), "-8");
  EXPECT_EQ(value_text("u8", 8, 0xff), "255");
  EXPECT_EQ(value_text("f32", 32, 0x497423f0, 3), "1e6");
  EXPECT_EQ(value_text("f64", 32, 0xabcd), "0x0000ABCD");
  EXPECT_EQ(value_and_bits("f16", 16, 0x3c00), "1 (f16 0x3C00)");
}

TEST(Words, FactsExistForWhatCanBePointedAt) {
  const Summary summary = fixtures::summary();
  const Moment moment = fixtures::moment();
  for (const scene::Scene& scene :
       {registers_view(summary, moment, {}, {}, dark_theme()), global_view(summary, moment, {}, {}, dark_theme()),
        timeline_view(summary, moment, {}, {}, dark_theme()), assignment_view(summary, moment, {}, {}, dark_theme())}) {
    for (const scene::Box& box : scene.boxes) {
      if (box.id.kind == Id::Kind::none || box.id.kind == Id::Kind::legend || box.id.kind == Id::Kind::playhead ||
          box.id.kind == Id::Kind::assignment_row) {
        continue;
      }
      EXPECT_FALSE(tooltip_text(summary, moment, box.id).empty()) << scene::to_string(box.id);
    }
    for (const scene::Arrow& arrow : scene.arrows)
      EXPECT_NE(tooltip_text(summary, moment, arrow.id).find("15 more moves"), std::string::npos);
  }
  EXPECT_EQ(tooltip_text(summary, moment, *scene::parse_id("register_cell/1/0/11/0@1")),
            "warp 0 · lane 11 · y1.lo: p[0, 1, 14] = 1.0293 (f16 0x3C1E); written in this step");
}

TEST(Words, PointingSelectsTheElementEverywhere) {
  const Summary summary = fixtures::summary();
  const Moment moment = fixtures::moment();
  const Selection s = select(summary, moment, *scene::parse_id("register_cell/1/0/11/0@1"), {});
  ASSERT_TRUE(s.place && s.element);
  EXPECT_EQ(s.element->second, fixtures::element_z(0, 1, 0, 11));
  const Selection w = select(summary, moment, *scene::parse_id("memory_word/0/5"), s);
  EXPECT_EQ(w.element->second, 10u);
  EXPECT_FALSE(w.place);
}

TEST(Inspector, SaysEverythingOnce) {
  const Summary summary = fixtures::summary();
  const auto sections = inspector(summary, fixtures::moment(), fixtures::selection_of(0, 1, 0, 11));
  std::set<std::string> titles;
  std::set<std::string> values;
  for (const InspectorSection& section : sections) {
    EXPECT_TRUE(titles.insert(section.title).second);
    EXPECT_FALSE(section.rows.empty());
    for (const InspectorRow& row : section.rows) {
      EXPECT_FALSE(row.value.empty()) << row.name;
      values.insert(row.value);
    }
  }
  EXPECT_TRUE(titles.contains("Selected element"));
  EXPECT_TRUE(values.contains("p[0, 1, 14]"));
  EXPECT_TRUE(values.contains("warp 0 · lane 11 · y1.lo"));
  EXPECT_TRUE(values.contains("differs: r0 and t2 are swapped"));
}

}  // namespace
}  // namespace lanescope::views
