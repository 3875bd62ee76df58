// The histogram of times: every bin in its place, none outside, as high as its share.

#include "viz/views/measured/measured.h"

#include <gtest/gtest.h>

#include <random>

#include "results/times.h"

namespace lanescope::views {
namespace {

using scene::Id;

TEST(TimesView, BarsAreAsHighAsTheirBins) {
  std::mt19937 random(3);
  for (int round = 0; round < 60; ++round) {
    results::TimingInfo t;
    const int count = 1 + static_cast<int>(random() % 120);
    for (int n = 0; n < count; ++n)
      t.samples_us.push_back(10 + static_cast<double>(random() % 1000) / 500 + (random() % 30 == 0 ? 90 : 0));
    const results::TimeStatistics s = results::statistics(t.samples_us);
    scene::Scene scene;
    const scene::Rect area{12, 30, 200 + static_cast<float>(random() % 500), times_height};
    EXPECT_EQ(draw_times(scene, t, area, dark_theme()), area.y + times_height);
    std::vector<float> heights(s.bins.size(), 0);
    for (const scene::Box& b : scene.boxes) {
      ASSERT_EQ(b.id.kind, Id::Kind::time_bin);
      ASSERT_GE(b.rect.x, area.x - 0.01f);
      ASSERT_LE(b.rect.x + b.rect.w, area.x + area.w + 0.5f);
      ASSERT_LE(b.rect.y + b.rect.h, area.y + area.h);
      if (b.fill.rgba != 0) heights[static_cast<std::size_t>(b.id.a)] = b.rect.h;
    }
    for (std::size_t a = 0; a < heights.size(); ++a) {
      EXPECT_EQ(heights[a] > 0, s.bins[a] > 0);
      for (std::size_t b = 0; b < heights.size(); ++b)
        if (s.bins[a] > s.bins[b]) {
          EXPECT_GE(heights[a], heights[b]);
        }
      EXPECT_EQ(time_tooltip(t, {.kind = Id::Kind::time_bin, .a = static_cast<std::int32_t>(a)})
                    .find(std::to_string(s.bins[a]) + " of " + std::to_string(count)),
                0u);
    }
  }
}

TEST(TimesView, WithoutSamplesThereIsNothing) {
  scene::Scene scene;
  EXPECT_EQ(draw_times(scene, {}, {0, 5, 300, times_height}, dark_theme()), 5);
  EXPECT_TRUE(scene.boxes.empty() && scene.labels.empty());
  EXPECT_EQ(time_tooltip({}, {.kind = Id::Kind::time_bin}), "");
}

}  // namespace
}  // namespace lanescope::views
