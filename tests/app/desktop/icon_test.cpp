#include "app/desktop/icon.h"

#include <gtest/gtest.h>

#include <set>

#include "viz/paint/paint.h"

namespace lanescope::desktop {
namespace {

TEST(Icon, EachElementOnceInEveryRowAndColumn) {
  const scene::Scene s = icon();
  ASSERT_EQ(s.boxes.size(), 17u) << "the ground and 16 cells";
  std::set<std::uint32_t> all;
  for (int row = 0; row < 4; ++row) {
    std::set<std::uint32_t> in_row, in_column;
    for (int n = 0; n < 4; ++n) {
      in_row.insert(s.boxes[1 + row * 4 + n].fill.rgba);
      in_column.insert(s.boxes[1 + n * 4 + row].fill.rgba);
    }
    EXPECT_EQ(in_row.size(), 4u);
    EXPECT_EQ(in_column.size(), 4u);
    all.merge(in_row);
  }
  EXPECT_EQ(all.size(), 4u);
}

TEST(Icon, HasTheSizesAskedForAndClearCorners) {
  for (const int side : icon_sizes) {
    const auto image = paint::to_image(icon(), icon_paper(), static_cast<float>(side) / icon_side);
    ASSERT_TRUE(image);
    EXPECT_EQ(image->width, side);
    EXPECT_EQ(image->height, side);
    const auto alpha = [&](int x, int y) { return image->rgba[(static_cast<std::size_t>(y) * side + x) * 4 + 3]; };
    EXPECT_LT(alpha(0, 0), 128) << side;
    EXPECT_EQ(alpha(side / 2, side / 2), 255) << side;
    for (std::size_t n = 0; n < image->rgba.size(); n += 4) {
      if (image->rgba[n + 3] != 0 && image->rgba[n + 3] != 255) {
        EXPECT_EQ(image->rgba[n], 0x19) << "an edge pixel in another colour than the ground's is a fringe";
      }
    }
  }
}

}  // namespace
}  // namespace lanescope::desktop
