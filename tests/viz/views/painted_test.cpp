// Views as pictures: nothing overflows, nothing is blank, every format is well formed.

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/viz/fixtures.h"
#include "tests/viz/picture_ink.h"
#include "tests/viz/scene_queries.h"
#include "viz/paint/paint.h"
#include "viz/views/base/selection.h"
#include "viz/views/base/theme.h"
#include "viz/views/costs/timeline.h"
#include "viz/views/memory/banks.h"
#include "viz/views/memory/global.h"
#include "viz/views/registers/registers.h"

namespace lanescope::views {
namespace {

std::vector<Picture> pictures(const Theme& theme) {
  const Summary s = fixtures::summary();
  const Moment m = fixtures::moment();
  const Selection selected = fixtures::selection_of(0, 1, 0, 11);
  const auto [tile, tile_moment] = fixtures::shared_tile();
  Moment strided = m;
  strided.access = fixtures::strided_load();
  return {{"registers", registers_view(s, m, selected, {.width = 800}, theme)},
          {"registers_values", registers_view(s, m, selected, {.label = LabelMode::value}, theme)},
          {"registers_tags", registers_view(s, m, selected, {.width = 600, .label = LabelMode::tag}, theme)},
          {"registers_nothing", registers_view(s, Moment{}, {}, {}, theme)},
          {"global", global_view(s, m, selected, {}, theme)},
          {"global_strided", global_view(s, strided, selected, {}, theme)},
          {"shared", shared_view(tile, tile_moment, {}, {}, theme)},
          {"shared_none", shared_view(s, m, {}, {}, theme)},
          {"timeline", timeline_view(s, m, selected, {.most_warps = 4}, theme)},
          {"assignment", assignment_view(s, m, {}, {.width = 470}, theme)}};
}

TEST(PaintedViews, LabelsFitTheirRoomAndTheScene) {
  for (const Picture& p : pictures(dark_theme())) {
    for (const scene::Label& label : p.scene.labels) {
      const std::string text = paint::fitted(label.face, label.size, label.text, label.max_width);
      const float width = paint::text_width(label.face, label.size, text);
      EXPECT_LE(width, label.max_width > 0 ? label.max_width + 0.01f : p.scene.width) << p.name << ": " << label.text;
      EXPECT_EQ(text, label.text) << p.name << ": cut";  // a view has its room: nothing it writes need be cut
      const float left = label.at.x - (label.align == scene::Align::left     ? 0
                                       : label.align == scene::Align::center ? width / 2
                                                                             : width);
      EXPECT_GE(left, -0.5f) << p.name << ": " << label.text;
      EXPECT_LE(left + width, p.scene.width + 0.5f) << p.name << ": " << label.text;
    }
  }
}

TEST(PaintedViews, JsonIsValid) {
  for (const Picture& p : pictures(dark_theme()))
    EXPECT_TRUE(nlohmann::json::accept(scene::to_json(p.scene))) << p.name;
}

TEST(PaintedViews, PicturesAreNotBlank) {
  for (const Theme* theme : themes()) {
    for (const Picture& p : pictures(*theme)) expect_ink(p, *theme);
  }
}

}  // namespace
}  // namespace lanescope::views
