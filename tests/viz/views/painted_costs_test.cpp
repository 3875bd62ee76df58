// The views of costs as pictures: every text is measured, in a narrow and in a wide panel, and stays inside the scene.

#include <set>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "profiling/access/patterns.h"
#include "tests/viz/cost_fixtures.h"
#include "tests/viz/picture_ink.h"
#include "tests/viz/scene_queries.h"
#include "viz/paint/paint.h"
#include "viz/views/base/theme.h"
#include "viz/views/costs/grid.h"
#include "viz/views/costs/heat.h"
#include "viz/views/costs/occupancy.h"
#include "viz/views/costs/warps.h"
#include "viz/views/memory/banks.h"
#include "viz/views/memory/calculator.h"
#include "viz/views/memory/global.h"

namespace lanescope::views {
namespace {

Moment strided_moment() {
  Moment m = fixtures::moment();
  m.access = fixtures::strided_load();
  return m;
}

void add_memory(std::vector<Picture>& all, const Theme& theme, float width) {
  const Summary s = fixtures::profiled();
  const auto [tile, tile_moment] = fixtures::shared_tile();
  const auto padding = WhatIf{.kind = WhatIf::Kind::padding};
  const auto swizzle = WhatIf{.kind = WhatIf::Kind::swizzle};
  all.push_back({"traffic", traffic_view(s, fixtures::moment(), {}, {.width = width}, theme)});
  all.push_back(
      {"traffic_classic", traffic_view(s, strided_moment(), {},
                                       {.width = width, .arch = "sm_35", .memory = access::classic_memory()}, theme)});
  all.push_back({"traffic_strided", traffic_view(s, strided_moment(), {}, {.width = width}, theme)});
  all.push_back({"totals", traffic_totals_view(s, fixtures::totals(), {}, {.width = width}, theme)});
  all.push_back({"banks_played", shared_view(tile, tile_moment, {}, {.width = width, .wavefront = 2}, theme)});
  all.push_back(
      {"banks_padding", shared_view(tile, tile_moment, {},
                                    {.width = width, .most_rows = 34, .wavefront = 0, .what_if = padding}, theme)});
  all.push_back({"banks_swizzle", shared_view(tile, tile_moment, {}, {.width = width, .what_if = swizzle}, theme)});
  access::Access pattern = *access::make_pattern({.shape = access::Shape::misaligned, .amount = 12});
  pattern.mask = 0xfff0ffff;
  all.push_back({"calculator", calculator_view(pattern, {.width = width, .selected_lane = 3}, theme)});
  access::MemoryModel half_warps = access::h200_memory();
  half_warps.half_warps = access::HalfWarps::segments;
  all.push_back({"calculator_half_warps",
                 calculator_view(pattern, {.width = width, .arch = "sm_13", .memory = half_warps}, theme)});
  all.push_back({"calculator_constant", calculator_view(*access::make_pattern({.shape = access::Shape::stride,
                                                                               .space = trace::MemorySpace::constant,
                                                                               .mask = 0xffff00ff,
                                                                               .amount = 2}),
                                                        {.width = width}, theme)});
  all.push_back(
      {"calculator_shared",
       calculator_view(
           *access::make_pattern(
               {.shape = access::Shape::stride, .space = trace::MemorySpace::shared, .width_bytes = 8, .amount = 4}),
           {.width = width, .what_if = {.kind = WhatIf::Kind::padding, .padding_words = 2}}, theme)});
}

void add_profile(std::vector<Picture>& all, const Theme& theme, float width) {
  const Summary s = fixtures::profiled();
  const Moment m = fixtures::moment();
  for (const auto heat : {BlockHeat::instructions, BlockHeat::inactive_lanes, BlockHeat::bank_conflicts}) {
    const auto [grid, problems] = fixtures::grid_of_blocks(24, 10);
    all.push_back({"grid_" + std::to_string(static_cast<int>(heat)),
                   grid_view(grid, problems, {.width = width, .height = 400, .heat = heat}, theme)});
  }
  Selection selected;
  selected.line = 34;
  const std::vector<std::string> source(
      60, "    t = __shfl_sync(~0u, t, lane ^ 4) + some_function_with_a_long_name(x, y);");
  all.push_back({"heat", heat_view(heat(s, "instructions", theme), source, selected, {.width = width}, theme)});
  all.push_back({"heat_ratio", heat_view(heat(s, "sectors_per_request", theme), {}, {}, {.width = width}, theme)});
  all.push_back({"heat_unknown", heat_view(heat(s, "nonsense", theme), {}, {}, {.width = width}, theme)});
  all.push_back({"ptx", ptx_view(s, m, selected, {.width = width}, theme)});
  all.push_back({"ptx_sectors", ptx_view(s, m, {}, {.width = width, .first = 0, .counter = "global_sectors"}, theme)});
  all.push_back({"divergence", divergence_view(s, m, selected, {.width = width}, theme)});
  all.push_back({"divergence_long", divergence_view(fixtures::profiled(4, 5000), m, {}, {.width = width}, theme)});
  all.push_back({"occupancy", occupancy_view(fixtures::occupancy_info(), {.width = width}, theme)});
  all.push_back({"occupancy_none", occupancy_view({}, {.width = width}, theme)});
}

std::vector<Picture> cost_pictures(const Theme& theme, float width) {
  std::vector<Picture> all;
  add_memory(all, theme, width);
  add_profile(all, theme, width);
  return all;
}

TEST(PaintedCosts, LabelsFitTheirRoomAndTheScene) {
  for (const float width : {0.0f, 480.0f, 900.0f, 1400.0f}) {
    for (const Picture& p : cost_pictures(dark_theme(), width)) {
      for (const scene::Label& label : p.scene.labels) {
        const std::string text = paint::fitted(label.face, label.size, label.text, label.max_width);
        const float wide = paint::text_width(label.face, label.size, text);
        EXPECT_EQ(text, label.text) << p.name << " " << width << ": cut";
        const float left = label.at.x - (label.align == scene::Align::left     ? 0
                                         : label.align == scene::Align::center ? wide / 2
                                                                               : wide);
        EXPECT_GE(left, -0.5f) << p.name << " " << width << ": " << label.text;
        EXPECT_LE(left + wide, p.scene.width + 0.5f) << p.name << " " << width << ": " << label.text;
        EXPECT_GE(label.at.y - label.size / 2, -0.5f) << p.name << " " << width << ": " << label.text;
        EXPECT_LE(label.at.y + label.size / 2, p.scene.height + 0.5f) << p.name << " " << width << ": " << label.text;
      }
    }
  }
}

// Texts must not run into each other; those hidden at this zoom do not count.
TEST(PaintedCosts, LabelsDoNotOverlap) {
  for (const float width : {480.0f, 900.0f}) {
    for (const Picture& p : cost_pictures(dark_theme(), width)) {
      struct Placed {
        scene::Rect rect;
        const scene::Label* label;
      };
      std::vector<Placed> placed;
      for (const scene::Label& l : p.scene.labels) {
        if (l.min_scale > 1 || l.text.empty()) continue;
        const float wide = paint::text_width(l.face, l.size, l.text);
        const float left = l.at.x - (l.align == scene::Align::left     ? 0
                                     : l.align == scene::Align::center ? wide / 2
                                                                       : wide);
        const scene::Rect rect{left, l.at.y - l.size * 0.36f, wide, l.size * 0.72f};
        for (const Placed& other : placed) {
          const bool apart = rect.x + rect.w <= other.rect.x + 0.5f || other.rect.x + other.rect.w <= rect.x + 0.5f ||
                             rect.y + rect.h <= other.rect.y + 0.5f || other.rect.y + other.rect.h <= rect.y + 0.5f;
          EXPECT_TRUE(apart) << p.name << " " << width << ": \"" << l.text << "\" over \"" << other.label->text << "\"";
        }
        placed.push_back({rect, &l});
      }
    }
  }
}

TEST(PaintedCosts, IdsAreUniqueAndReadBack) {
  for (const Picture& p : cost_pictures(dark_theme(), 900)) {
    std::set<std::string> seen;
    for (const scene::Box& box : p.scene.boxes) {
      if (box.id.kind == scene::Id::Kind::none) continue;
      const std::string text = scene::to_string(box.id);
      EXPECT_TRUE(seen.insert(text).second) << p.name << ": " << text;
      EXPECT_EQ(scene::parse_id(text), box.id) << text;
    }
    EXPECT_TRUE(nlohmann::json::accept(scene::to_json(p.scene))) << p.name;
  }
}

TEST(PaintedCosts, TextIsReadableOnWhatItStandsOn) {
  for (const Theme* theme : themes()) {
    for (const Picture& p : cost_pictures(*theme, 900)) {
      for (const scene::Label& label : p.scene.labels) {
        Color ground = theme->panel;
        for (const scene::Box& box : p.scene.boxes) {
          if ((box.fill.rgba & 0xff) == 0xff && box.rect.contains(label.at)) ground = box.fill;
        }
        if (label.color == theme->text_faint) continue;  // what is absent, said quietly on purpose
        EXPECT_GE(contrast(label.color, ground), 3.0) << theme->name << " " << p.name << ": " << label.text;
      }
    }
  }
}

TEST(PaintedCosts, PicturesAreNotBlank) {
  for (const Theme* theme : themes()) {
    for (const Picture& p : cost_pictures(*theme, 0)) expect_ink(p, *theme);
  }
}

}  // namespace
}  // namespace lanescope::views
