// Views as pictures: nothing overflows, nothing is blank, every format is well formed.

#include <cstdlib>
#include <fstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/viz/fixtures.h"
#include "tests/viz/scene_queries.h"
#include "viz/paint/paint.h"
#include "viz/views/base/selection.h"
#include "viz/views/base/theme.h"
#include "viz/views/costs/timeline.h"
#include "viz/views/memory/global.h"
#include "viz/views/memory/shared.h"
#include "viz/views/registers/assignment.h"
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
      EXPECT_EQ(text, label.text) << p.name << ": cut";  // a view knows its room: nothing it writes need be cut
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
  const char* keep = std::getenv("LANESCOPE_KEEP_PICTURES");  // a folder, for looking at them
  for (const Theme* theme : themes()) {
    for (const Picture& p : pictures(*theme)) {
      const auto image = paint::to_image(p.scene, theme->paper());
      ASSERT_TRUE(image) << p.name;
      std::size_t inked = 0;
      for (std::size_t n = 0; n < image->rgba.size(); n += 4) {
        const std::uint32_t pixel =
            image->rgba[n] << 24 | image->rgba[n + 1] << 16 | image->rgba[n + 2] << 8 | image->rgba[n + 3];
        inked += pixel != theme->panel.rgba;
      }
      EXPECT_GT(inked, image->rgba.size() / 4 / 200) << p.name;
      if (keep == nullptr) continue;
      const auto png = paint::to_png(p.scene, theme->paper(), 1.5f);
      std::ofstream file(std::string(keep) + "/" + p.name + "_" + std::string(theme->name) + ".png", std::ios::binary);
      file.write(reinterpret_cast<const char*>(png->data()), static_cast<std::streamsize>(png->size()));
    }
  }
}

}  // namespace
}  // namespace lanescope::views
