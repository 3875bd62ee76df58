// Lanes of a warp as a picture: what is filled are the active lanes, no more and no fewer.

#include "viz/views/costs/warps.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <map>

#include "tests/viz/cost_fixtures.h"
#include "tests/viz/scene_queries.h"

namespace lanescope::views {
namespace {

TEST(LanesViews, FilledCellsAreTheActiveLanes) {
  const Summary s = fixtures::profiled();
  for (const Theme* theme : themes()) {
    const Scene scene = lanes_view(s, fixtures::moment(), {}, {.width = 2400, .warp = 0}, *theme);
    std::map<int, float> filled;  // by step: height
    for (const scene::Box& b : scene.boxes)
      if (b.id.kind == Id::Kind::timeline_step && (b.fill.rgba & 0xff) != 0 && !b.hatched)
        filled[b.id.a] += b.rect.h + 1;
    int seen = 0;
    for (std::size_t n = 0; n < s.timeline.size(); ++n) {
      if (s.timeline[n].warp != 0) continue;
      ++seen;
      ASSERT_TRUE(filled.contains(static_cast<int>(s.timeline[n].step)));
      // 8 pixels a lane where there is no height to keep to.
      EXPECT_NEAR(filled[static_cast<int>(s.timeline[n].step)] / 8, std::popcount(s.active_masks[n]), 0.01);
    }
    EXPECT_EQ(static_cast<std::size_t>(seen), filled.size());
  }
}

TEST(LanesViews, SayWhoWaitsForWhom) {
  Summary s = fixtures::profiled();
  s.waits.push_back({.warp = 1, .lanes = ~0u, .from = 9, .until = 30, .line = 12, .last_warp = 3, .last_lanes = ~0u});
  s.group_changes.push_back({.step = 5, .warp = 1, .lanes = ~0u, .part = 0xff});
  const Scene scene = lanes_view(s, fixtures::moment(), {}, {.width = 900, .warp = 1}, dark_theme());
  EXPECT_TRUE(says(scene,
                   "All lanes of warp 1 wait at barrier 0 of line 12 from step 10 to step 31: the last to come are "
                   "warp 3, all lanes"));
  EXPECT_TRUE(says(scene, "Lanes 0–7 and lanes 8–31 of warp 1 part at"));
  EXPECT_TRUE(says(scene, "8|24"));
  EXPECT_TRUE(says(scene, "diverges once · waits once"));
  EXPECT_NE(lane_group_tooltip(s, {.kind = Id::Kind::wait, .a = 0}).find("barrier 0"), std::string::npos);
  const Scene other = lanes_view(s, fixtures::moment(), {}, {.width = 900, .warp = 0}, dark_theme());
  EXPECT_TRUE(says(other, "never part"));
}

// However many instructions share a column, it says of each lane whether it was active in all, in some or in none.
TEST(LanesViews, ColumnsOfManyInstructionsAreExact) {
  const Summary s = fixtures::profiled(2, 4000);
  const Scene scene = lanes_view(s, fixtures::moment(), {}, {.width = 400, .warp = 0}, dark_theme());
  const int columns = count(scene, Id::Kind::timeline_step);
  EXPECT_GT(columns, 10);
  EXPECT_LT(columns, 1000);
  EXPECT_FALSE(says(scene, "nan"));
}

}  // namespace
}  // namespace lanescope::views
