// The view of a buffer's elements: one cell each, both values where GPU and emulator differ, the first difference named;
// rows and columns in the buffer's own shape; words that fit; and the same rows as CSV.

#include <bit>
#include <cstdlib>
#include <fstream>
#include <map>
#include <random>
#include <set>

#include <gtest/gtest.h>

#include "tests/viz/buffer_fixtures.h"
#include "viz/paint/paint.h"
#include "viz/views/base/csv.h"
#include "viz/views/buffers/buffers.h"
#include "viz/views/tooltips.h"

namespace lanescope::views {
namespace {

using scene::Id;
using Elements = std::vector<std::uint64_t>;

Id element_id(int buffer, std::uint64_t element) {
  return {.kind = Id::Kind::buffer_element, .a = buffer, .b = static_cast<int>(element)};
}
std::vector<std::string> words_in(const scene::Scene& scene, const Id& id) {
  std::vector<std::string> words;
  for (const scene::Label& l : scene.labels)
    if (l.id == id) words.push_back(l.text);
  return words;
}
bool says(const scene::Scene& scene, std::string_view words) {
  return std::any_of(scene.labels.begin(), scene.labels.end(),
                     [&](const auto& l) { return l.text.find(words) != l.text.npos; });
}

struct BufferPicture {
  std::string name;
  scene::Scene scene;
};
std::vector<BufferPicture> buffer_pictures(const Theme& theme, float width) {
  const Summary s = fixtures::buffers_summary();
  const BuffersOptions plain{.width = width};
  Selection selected;
  selected.element = {{0, 41}};
  Moment moment;
  moment.access.emplace();
  moment.access->kind = trace::AccessKind::store, moment.access->buffer = 0, moment.access->mask = 0xffff;
  for (std::uint64_t lane = 0; lane < 32; ++lane) moment.access->addresses[lane] = 96 * 4 + lane * 4;
  const Measured none, some = fixtures::compared(false), pair = fixtures::compared(true);
  Summary bare;
  bare.ok = true;
  Measured wide = pair;
  wide.trace->pair = fixtures::access_pair(std::uint64_t{1} << 24);
  Measured alone = pair;
  alone.trace->pair->gpu.clear(), alone.trace->pair->gpu_mask = 0, alone.trace->pair->gpu_places.clear();
  const auto of = [&](int buffer, std::uint64_t first, std::uint64_t count, const Elements& different = {},
                      bool gpu = false) { return fixtures::contents(s, buffer, first, count, different, gpu); };
  return {{"f32", buffers_view(s, moment, of(0, 0, 1024), none, selected, plain, theme)},
          {"f32_differs", buffers_view(s, {}, of(0, 0, 1024, {37, 40, 300}), some, {}, plain, theme)},
          {"f32_pair", buffers_view(s, {}, of(0, 0, 256, {37, 40, 300}), pair, {}, plain, theme)},
          {"f32_wide", buffers_view(s, {}, of(0, 256, 64, {37, 40, 300}), wide, {}, plain, theme)},
          {"f32_alone", buffers_view(s, {}, of(0, 256, 64, {37, 40, 300}), alone, {}, plain, theme)},
          {"u8", buffers_view(s, {}, of(1, 100, 1024), none, {}, plain, theme)},
          {"u8_equal", buffers_view(s, {}, of(1, 0, 512, {}, true), some, {}, plain, theme)},
          {"b1", buffers_view(s, {}, of(2, 0, 1024, {70}), some, {}, plain, theme)},
          {"f16_points", buffers_view(s, {}, of(3, 0, 1024), none, {}, plain, theme)},
          {"u4", buffers_view(s, {}, of(4, 0, 1024), none, {}, plain, theme)},
          {"f64", buffers_view(s, {}, of(5, 0, 1024), none, {}, plain, theme)},
          {"s32_padded", buffers_view(s, {}, of(6, 0, 1024), none, {}, plain, theme)},
          {"small",
           buffers_view(s, {}, of(0, 0, 1024, {37, 40, 300}), some, selected,
                        {.width = width, .most_numbers = 100, .note = "of the text before the last edits"}, theme)},
          {"no_contents", buffers_view(s, {}, {}, none, {}, plain, theme)},
          {"no_buffers", buffers_view(bare, {}, {}, none, {}, plain, theme)},
          {"no_run", buffers_view({}, {}, {}, none, {}, plain, theme)}};
}

float left_of(const scene::Label& l, float wide) {
  return l.at.x - (l.align == scene::Align::left ? 0 : l.align == scene::Align::center ? wide / 2 : wide);
}

TEST(BuffersView, LabelsFitAndDoNotOverlapAndIdsAreUnique) {
  for (const float width : {0.0f, 420.0f, 900.0f, 1500.0f}) {
    for (const BufferPicture& p : buffer_pictures(dark_theme(), width)) {
      std::vector<std::pair<scene::Rect, std::string>> placed;
      std::set<std::string> seen;
      for (const scene::Label& l : p.scene.labels) {
        EXPECT_EQ(paint::fitted(l.face, l.size, l.text, l.max_width), l.text) << p.name << " " << width << ": cut";
        const float wide = paint::text_width(l.face, l.size, l.text), left = left_of(l, wide);
        EXPECT_GE(left, -0.5f) << p.name << " " << width << ": " << l.text;
        EXPECT_LE(left + wide, p.scene.width + 0.5f) << p.name << " " << width << ": " << l.text;
        EXPECT_LE(l.at.y + l.size / 2, p.scene.height + 0.5f) << p.name << " " << width << ": " << l.text;
        const scene::Rect rect{left, l.at.y - l.size * 0.36f, wide, l.size * 0.72f};
        for (const auto& [other, words] : placed) {
          const bool apart = rect.x + rect.w <= other.x + 0.5f || other.x + other.w <= rect.x + 0.5f ||
                             rect.y + rect.h <= other.y + 0.5f || other.y + other.h <= rect.y + 0.5f;
          EXPECT_TRUE(apart) << p.name << " " << width << ": \"" << l.text << "\" over \"" << words << "\"";
        }
        placed.emplace_back(rect, l.text);
      }
      for (const scene::Box& box : p.scene.boxes) {
        EXPECT_LE(box.rect.x + box.rect.w, p.scene.width + 0.5f) << p.name << " " << width;
        if (box.id.kind == Id::Kind::none) continue;
        const std::string text = scene::to_string(box.id);
        EXPECT_TRUE(seen.insert(text).second) << p.name << ": " << text;
        EXPECT_EQ(scene::parse_id(text), box.id) << text;
      }
    }
  }
}

// To look at them: LANESCOPE_PICTURES=folder.
TEST(BuffersView, IsPainted) {
  const char* folder = std::getenv("LANESCOPE_PICTURES");
  for (const Theme* theme : themes()) {
    if (folder == nullptr && theme != &light_theme()) continue;
    for (const BufferPicture& p : buffer_pictures(*theme, 0)) {
      const auto png = paint::to_png(p.scene, theme->paper(), 1);
      ASSERT_TRUE(png) << p.name;
      if (folder == nullptr) continue;
      std::ofstream out(fmt::format("{}/buffers_{}_{}.png", folder, p.name, theme->name), std::ios::binary);
      out.write(reinterpret_cast<const char*>(png->data()), static_cast<std::streamsize>(png->size()));
    }
  }
}

// For any buffer, range and width.
TEST(BuffersView, EachElementOfTheRangeHasOneCellAndBothValuesWhereTheyDiffer) {
  const Summary s = fixtures::buffers_summary();
  std::mt19937 random(17);
  for (int round = 0; round < 120; ++round) {
    const int buffer = static_cast<int>(random() % s.buffers.size());
    const std::uint64_t elements = s.buffers[static_cast<std::size_t>(buffer)].elements;
    const std::uint64_t first = random() % 4 == 0 ? 0 : random() % elements;
    Elements different;
    for (std::uint64_t n = random() % 6; n > 0; --n) different.push_back(random() % elements);
    const Contents c = fixtures::contents(s, buffer, first, 1 + random() % 700, different, true);
    const scene::Scene scene =
        buffers_view(s, {}, c, {}, {}, {.width = static_cast<float>(300 + random() % 1200)}, dark_theme());
    std::set<std::uint64_t> cells;
    for (const scene::Box& box : scene.boxes)
      if (box.id.kind == Id::Kind::buffer_element) {
        EXPECT_EQ(box.id.a, buffer);
        EXPECT_TRUE(cells.insert(static_cast<std::uint64_t>(box.id.b)).second);
      }
    ASSERT_EQ(cells.size(), c.count);
    EXPECT_EQ(*cells.begin(), c.first);
    EXPECT_EQ(*cells.rbegin(), c.first + c.count - 1);
    std::int64_t least = -1;
    for (const std::uint64_t e : different)
      if (least < 0 || static_cast<std::int64_t>(e) < least) least = static_cast<std::int64_t>(e);
    EXPECT_EQ(first_difference(c, {}), least);
    for (std::uint64_t n = 0; n < c.count; ++n) {
      const bool other = std::find(different.begin(), different.end(), c.first + n) != different.end();
      EXPECT_EQ(differs(c, n), other);
      const auto words = words_in(scene, element_id(buffer, c.first + n));
      ASSERT_EQ(words.size(), other ? 2u : 1u) << c.name << " " << n;
      EXPECT_EQ(words[0], c.emulated[n]);
      if (other) {
        EXPECT_EQ(words[1], c.gpu[n]);
      }
    }
  }
}

TEST(BuffersView, TheFirstDifferenceIsMarkedAndNamed) {
  const Summary s = fixtures::buffers_summary();
  const Contents c = fixtures::contents(s, 0, 0, 1024, {300, 37, 40});
  const scene::Scene scene = buffers_view(s, {}, c, {}, {}, {.width = 900}, dark_theme());
  EXPECT_TRUE(says(scene, "First mismatching element: y[1, 5] (element 37) is " + c.emulated[37] +
                              " in the emulator and " + c.gpu[37] + " on the GPU; 3 elements differ in total."));
  std::map<int, float> strokes;
  for (const scene::Box& o : scene.outlines)
    if (o.id.kind == Id::Kind::buffer_element) strokes[o.id.b] = std::max(strokes[o.id.b], o.stroke_width);
  ASSERT_EQ(strokes.size(), 3u);
  EXPECT_GT(strokes[37], strokes[40]);
  EXPECT_EQ(strokes[40], strokes[300]);
  // Out of sight it is named nonetheless: by the comparison, too, where the contents are the emulator's alone.
  const Contents later = fixtures::contents(s, 0, 512, 100, {300, 37, 40});
  EXPECT_TRUE(says(buffers_view(s, {}, later, {}, {}, {.width = 900}, dark_theme()), "It is not among those shown."));
  const Contents alone = fixtures::contents(s, 0, 0, 100);
  EXPECT_EQ(first_difference(alone, fixtures::compared(false)), 37);
  EXPECT_EQ(words_in(buffers_view(s, {}, alone, fixtures::compared(false), {}, {.width = 900}, dark_theme()),
                     element_id(0, 37)),
            (std::vector<std::string>{alone.emulated[37], "7"}));
  EXPECT_TRUE(says(buffers_view(s, {}, alone, fixtures::compared(false), {}, {.width = 900}, dark_theme()),
                   "is 1.5 in the emulator and 7 on the GPU"));
}

TEST(BuffersView, WhatTheLaunchesChangedIsBoldAndFilled) {
  const Summary s = fixtures::buffers_summary();
  const Contents c = fixtures::contents(s, 0, 0, 200);
  const Theme& theme = light_theme();
  const scene::Scene scene = buffers_view(s, {}, c, {}, {}, {}, theme);
  std::uint64_t filled = 0;
  for (std::uint64_t n = 0; n < c.count; ++n) {
    const scene::Box* box = scene::find(scene, element_id(0, n));
    ASSERT_NE(box, nullptr);
    EXPECT_EQ(box->fill == theme.cell_plain, changed(c, n));
    filled += box->fill == theme.cell_plain;
    for (const scene::Label& l : scene.labels)
      if (l.id == box->id) {
        EXPECT_EQ(l.face == scene::Face::mono_bold, changed(c, n));
      }
  }
  EXPECT_GT(filled, 0u);
  EXPECT_LT(filled, c.count);
}

TEST(BuffersView, AnElementIsSelectedEverywhereByItsCell) {
  const Summary s = fixtures::buffers_summary();
  const Selection of_mask = select(s, {}, element_id(2, 70), {});
  EXPECT_EQ(of_mask.element, (std::pair{2, std::uint64_t{70}}));
  EXPECT_EQ(of_mask.address, (std::pair{2, std::uint64_t{8}}));
  const Selection of_f32 = select(s, {}, element_id(0, 41), {});
  EXPECT_EQ(of_f32.address, (std::pair{0, std::uint64_t{164}}));
  const auto ringed = [&](const Selection& selection) {
    const scene::Scene scene = buffers_view(s, {}, fixtures::contents(s, 0, 0, 100), {}, selection, {}, dark_theme());
    std::set<int> elements;
    for (const scene::Box& o : scene.outlines) elements.insert(o.id.b);
    return elements;
  };
  EXPECT_EQ(ringed(of_f32), std::set<int>{41});
  EXPECT_EQ(ringed(of_mask), std::set<int>{});
  const Contents c = fixtures::contents(s, 2, 64, 64, {70});
  EXPECT_EQ(tooltip_text(s, {}, element_id(2, 70)), "mask[1, 6] (element 70), byte 8 bit 6");
  EXPECT_NE(buffers_tooltip(s, c, {}, element_id(2, 70)).find("on the GPU: differs"), std::string::npos);
  EXPECT_TRUE(buffers_tooltip(s, c, {}, element_id(2, 5)).empty()) << "not in the range";
  EXPECT_EQ(buffer_of_row(s, fixtures::compared(false), 2), 2);
  EXPECT_EQ(buffer_of_row(s, fixtures::compared(false), 3), -1);
}

// Rows and columns are a numbering of the elements: no two in one place, in order, within the width, and back.
TEST(BufferShape, NumbersTheElements) {
  std::mt19937 random(5);
  for (int round = 0; round < 300; ++round) {
    std::vector<source::Axis> axes;
    std::uint64_t elements = 1;
    for (std::size_t n = random() % 4; n > 0; --n) {
      axes.push_back({"a" + std::to_string(n), 1 + random() % 9, 0});
      elements *= axes.back().extent;
    }
    if (axes.empty()) elements = 1 + random() % 500;
    const BufferInfo info = fixtures::buffer("b", "u8", 8, axes, elements);
    const std::uint64_t fits = 1 + random() % 40;
    const BufferShape shape(info, fits);
    ASSERT_LE(shape.columns(), fits);
    std::pair<std::uint64_t, std::uint64_t> last{};
    for (std::uint64_t e = 0; e < elements; ++e) {
      const std::pair at{shape.row_of(e), shape.column_of(e)};
      ASSERT_LT(at.second, shape.columns());
      if (e > 0) {
        ASSERT_LT(last, at);
      }
      ASSERT_EQ(shape.first_of(at.first) + at.second, e);
      last = at;
    }
  }
}

TEST(BufferShape, KeepsRunsOfTheInnermostAxisTogether) {
  const BufferInfo points = fixtures::buffer("p", "f32", 32, {{"n", 12, 0}, {"xyz", 3, 0}}, 36);
  const BufferShape p(points, 20);  // 6 runs would fit, and 6 divides 12
  EXPECT_EQ(p.columns(), 18u);
  EXPECT_EQ(p.heading(), "n ↓  xyz →");
  EXPECT_EQ(p.row_text(1), "6");
  EXPECT_EQ(p.column_text(4), "1");
  const BufferInfo image = fixtures::buffer("i", "f32", 32, {{"i", 4, 0}, {"j", 24, 0}}, 96);
  const BufferShape wrapped(image, 20);  // 12 divides 24 and fits
  EXPECT_EQ(wrapped.columns(), 12u);
  EXPECT_EQ(wrapped.heading(), "i, j ↓");
  EXPECT_EQ(wrapped.row_text(3), "1, 12");
  EXPECT_EQ(wrapped.column_text(4), "+4");
  EXPECT_TRUE(wrapped.parts_before(2));
  EXPECT_FALSE(wrapped.parts_before(3));
  EXPECT_EQ(BufferShape(fixtures::buffer("v", "u8", 8, {}, 1000), 20).columns(), 16u);
}

TEST(AccessPair, LanesThatDifferAreThoseWithOtherPlaces) {
  std::mt19937 random(23);
  for (int round = 0; round < 50; ++round) {
    AccessPair p;
    p.emulated_mask = static_cast<std::uint32_t>(random()), p.gpu_mask = static_cast<std::uint32_t>(random());
    std::uint32_t expected = p.emulated_mask ^ p.gpu_mask;
    for (int lane = 0; lane < 32; ++lane) {
      const auto place = [&](std::uint32_t mask) {
        return (mask >> lane & 1) != 0 ? "y + " + std::to_string(random() % 2) : std::string();
      };
      p.emulated_places.push_back(place(p.emulated_mask));
      p.gpu_places.push_back(place(p.gpu_mask));
      if (p.emulated_places.back() != p.gpu_places.back()) expected |= 1u << lane;
    }
    EXPECT_EQ(differing_lanes(p), expected);
    scene::Scene scene;
    scene.width = static_cast<float>(300 + random() % 900);
    draw_trace(scene, {.pair = p}, 0, dark_theme());
    EXPECT_EQ(scene.outlines.size(), static_cast<std::size_t>(std::popcount(expected)));
    EXPECT_EQ(std::count_if(scene.boxes.begin(), scene.boxes.end(),
                            [](const auto& b) { return b.id.kind == Id::Kind::access_lane; }),
              64);
  }
}

TEST(BuffersView, CsvHasTheRowsOfTheRange) {
  const Summary s = fixtures::buffers_summary();
  for (int buffer = 0; buffer < static_cast<int>(s.buffers.size()); ++buffer) {
    const Contents c = fixtures::contents(s, buffer, 10, 300, {12, 20});
    const auto rows = csv::parse(buffers_csv(s, c));
    ASSERT_EQ(rows.size(), c.count + 1);
    EXPECT_EQ(rows[0],
              (std::vector<std::string>{"buffer", "element", "indices", "before", "emulated", "gpu", "different"}));
    for (std::uint64_t n = 0; n < c.count; ++n) {
      const auto& row = rows[n + 1];
      ASSERT_EQ(row.size(), 7u);
      EXPECT_EQ(row[0], c.name);
      EXPECT_EQ(row[1], std::to_string(c.first + n));
      EXPECT_EQ(row[3], c.before[n]);
      EXPECT_EQ(row[4], c.emulated[n]);
      EXPECT_EQ(row[5], c.gpu[n]);
      EXPECT_EQ(row[6], c.emulated[n] == c.gpu[n] ? "false" : "true");
    }
  }
  EXPECT_EQ(csv::parse(buffers_csv(s, fixtures::contents(s, 0, 40, 1)))[1][2], "1 8");
  EXPECT_EQ(csv::parse(buffers_csv(s, fixtures::contents(s, 0, 40, 1)))[1][6], "");
}

}  // namespace
}  // namespace lanescope::views
