// Rows of shared memory with an element that is followed are drawn in every layout that is tried, however few there is room for.

#include <gtest/gtest.h>

#include "tests/viz/scene_queries.h"
#include "viz/views/memory/banks.h"

namespace lanescope::views {
namespace {

TEST(PinnedRows, AreNotFoldedInALayoutThatIsTried) {
  access::Access column{.space = trace::MemorySpace::shared};
  for (std::size_t lane = 0; lane < 32; ++lane) column.addresses[lane] = lane * 128;  // 32 rows
  const AccessInfo info = results::priced(column);
  const auto draws = [](const scene::Scene& scene, scene::Id id) {
    return std::ranges::any_of(scene.boxes, [&](const scene::Box& b) { return b.id == id; });
  };
  const results::PinnedPlace place{.journey = 0,
                                   .place = {.kind = results::JourneyPlace::Kind::shared, .byte = 40 * 128 + 12}};
  for (const WhatIf& layout : {WhatIf{.kind = WhatIf::Kind::padding, .row_words = 32, .padding_words = 1},
                               WhatIf{.kind = WhatIf::Kind::swizzle, .row_words = 32, .unit_words = 1}})
    for (const float height : {0.0f, 180.0f}) {
      SharedOptions options{
          .width = 900, .height = height, .most_rows = 3, .what_if = layout, .controlled = height > 0};
      const int word = 40 * 32 + 3, there = static_cast<int>(apply(std::uint64_t{word} * 4, layout) / 4);
      const scene::Id before{.kind = scene::Id::Kind::shared_word, .a = word},
          after{.kind = scene::Id::Kind::what_if_word, .a = there};
      EXPECT_NE(there, word);
      scene::Scene scene = banks_view(info, {}, options, dark_theme());
      EXPECT_FALSE(draws(scene, before) || draws(scene, after)) << "the room holds three rows";
      options.pinned = {place};
      scene = banks_view(info, {}, options, dark_theme());
      EXPECT_TRUE(draws(scene, before)) << words(layout) << " height " << height;
      EXPECT_TRUE(draws(scene, after)) << words(layout) << " height " << height;
    }
}

}  // namespace
}  // namespace lanescope::views
