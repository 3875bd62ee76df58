// The roofline with a roof for each memory: every line has its name beside it, and no words lie on others.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <vector>

#include "tests/viz/cost_fixtures.h"
#include "tests/viz/scene_queries.h"
#include "viz/paint/paint.h"
#include "viz/views/costs/occupancy.h"

namespace lanescope::views {
namespace {

using scene::Id;

struct RooflineWords {
  scene::Rect rect;
  std::string text;
};

std::vector<RooflineWords> roofline_words(const scene::Scene& scene) {
  std::vector<RooflineWords> out;
  for (const scene::Label& l : scene.labels) {
    if (l.text.empty()) continue;
    const float wide = paint::text_width(l.face, l.size, l.text);
    out.push_back({{left_of(l, wide), l.at.y - l.size * 0.36f, wide, l.size * 0.72f}, l.text});
  }
  return out;
}

bool words_apart(const scene::Rect& a, const scene::Rect& b) {
  return a.x + a.w <= b.x + 0.5f || b.x + b.w <= a.x + 0.5f || a.y + a.h <= b.y + 0.5f || b.y + b.h <= a.y + 0.5f;
}

/// A kernel and a GPU at random: bandwidths from equal to a hundredfold, any memory the lowest or not used at all.
OccupancyInfo random_roofs(std::mt19937& random) {
  OccupancyInfo info = fixtures::occupancy_info();
  const auto between = [&](double least, double most) {
    return least * std::pow(most / least, static_cast<double>(random() % 1001) / 1000);
  };
  const double peak = between(300, 150000), dram = between(50, 8000);
  info.roofs = {{.memory = "device memory", .gb_per_s = dram, .source = "the table"}};
  if (random() % 3 != 0)
    info.roofs.push_back({.memory = "L2",
                          .gb_per_s = std::min(dram * between(1, 6), 40000.0),
                          .source = "measured on a GPU of this name"});
  info.roofs.push_back(
      {.memory = "shared memory", .gb_per_s = std::min(dram * between(1, 100), 60000.0), .source = "computed"});
  const double operations = between(1e3, 1e12);
  for (RoofInfo& roof : info.roofs) {
    if (roof.memory == "shared memory" && random() % 3 == 0) continue;
    roof.bytes = operations / between(0.01, 1000);
    roof.operations_per_byte = operations / roof.bytes;
    roof.attainable_gop_per_s = std::min(peak, roof.operations_per_byte * roof.gb_per_s);
    if (random() % 2 == 0) roof.achieved_gb_per_s = roof.gb_per_s * 0.9;
  }
  std::ranges::min_element(info.roofs, {}, [](const RoofInfo& r) {
    return r.attainable_gop_per_s > 0 ? r.attainable_gop_per_s : 1e300;
  })->lowest = true;
  RooflineInfo& r = *info.roofline;
  r.peak_gop_per_s = peak, r.bandwidth_gb_per_s = dram, r.ridge_operations_per_byte = peak / dram;
  r.operations_per_byte = info.roofs[0].operations_per_byte;
  r.attainable_gop_per_s = info.roofs[0].attainable_gop_per_s;
  r.compute_bound = r.attainable_gop_per_s >= peak;
  return info;
}

TEST(Roofline, EveryRoofHasItsNameAtItsLine) {
  std::mt19937 random(7);
  for (int round = 0; round < 120; ++round) {
    const OccupancyInfo info = random_roofs(random);
    const Theme& theme = *themes()[static_cast<std::size_t>(round) % themes().size()];
    const float width = std::vector{380.0f, 420.0f, 620.0f, 900.0f, 1280.0f}[random() % 5];
    const scene::Scene s = roofline_view(info, {.width = width}, theme);
    std::map<double, float> height_of;  // of each name, by bandwidth: the faster, the higher
    for (std::size_t n = 0; n < info.roofs.size(); ++n) {
      const Id id{.kind = Id::Kind::roofline_roof, .a = static_cast<std::int32_t>(n)};
      const auto stroke = std::ranges::find_if(s.lines, [&](const auto& l) { return l.id == id; });
      ASSERT_NE(stroke, s.lines.end()) << info.roofs[n].memory;
      // The name ends where the stroke begins, and the stroke ends where a line of the roof's colour begins.
      const auto name = std::ranges::find_if(s.labels, [&](const auto& l) {
        return l.id == id && l.text == info.roofs[n].memory && l.align == scene::Align::right;
      });
      ASSERT_NE(name, s.labels.end()) << info.roofs[n].memory;
      EXPECT_LT(name->at.x, stroke->from.x);
      EXPECT_EQ(name->at.y, stroke->from.y);
      EXPECT_TRUE(std::ranges::any_of(s.lines, [&](const auto& l) {
        return !(l.id == id) && l.from.x == stroke->to.x && l.from.y == stroke->to.y && l.color == stroke->color &&
               l.to.x > l.from.x;
      })) << info.roofs[n].memory;
      height_of[info.roofs[n].gb_per_s] = name->at.y;
    }
    float above = 1e9f;
    for (const auto& [bandwidth, y] : height_of) {
      EXPECT_LT(y, above) << bandwidth;
      above = y;
    }
  }
}

TEST(Roofline, NoWordsLieOnOthersOrAreCut) {
  std::mt19937 random(8);
  for (int round = 0; round < 120; ++round) {
    const OccupancyInfo info = random_roofs(random);
    for (const float width : {380.0f, 420.0f, 620.0f, 1280.0f}) {
      const scene::Scene s = roofline_view(info, {.width = width}, light_theme());
      const std::vector<RooflineWords> all = roofline_words(s);
      for (std::size_t a = 0; a < all.size(); ++a) {
        EXPECT_GE(all[a].rect.x, -0.5f) << width << ": " << all[a].text;
        EXPECT_LE(all[a].rect.x + all[a].rect.w, s.width + 0.5f) << width << ": " << all[a].text;
        for (std::size_t b = 0; b < a; ++b)
          EXPECT_TRUE(words_apart(all[a].rect, all[b].rect))
              << width << ": \"" << all[a].text << "\" over \"" << all[b].text << "\"";
      }
      for (const scene::Label& l : s.labels)
        EXPECT_EQ(paint::fitted(l.face, l.size, l.text, l.max_width), l.text) << width << ": cut";
    }
  }
}

}  // namespace
}  // namespace lanescope::views
