#pragma once
// A picture that is painted is not blank. With LANESCOPE_KEEP_PICTURES, a folder, it is also written there, for looking at it.

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <string>

#include "tests/viz/scene_queries.h"
#include "viz/paint/paint.h"
#include "viz/views/base/theme.h"

namespace lanescope::views {

/// More than one pixel in 200 has another colour than the panel.
inline void expect_ink(const Picture& p, const Theme& theme) {
  const auto image = paint::to_image(p.scene, theme.paper());
  ASSERT_TRUE(image) << p.name;
  std::size_t inked = 0;
  for (std::size_t n = 0; n < image->rgba.size(); n += 4) {
    const std::uint32_t pixel =
        image->rgba[n] << 24 | image->rgba[n + 1] << 16 | image->rgba[n + 2] << 8 | image->rgba[n + 3];
    inked += pixel != theme.panel.rgba;
  }
  EXPECT_GT(inked, image->rgba.size() / 4 / 200) << p.name;
  const char* keep = std::getenv("LANESCOPE_KEEP_PICTURES");
  if (keep == nullptr) return;
  const auto png = paint::to_png(p.scene, theme.paper(), 1.5f);
  ASSERT_TRUE(png) << p.name;
  std::ofstream file(std::string(keep) + "/" + p.name + "_" + std::string(theme.name) + ".png", std::ios::binary);
  file.write(reinterpret_cast<const char*>(png->data()), static_cast<std::streamsize>(png->size()));
}

}  // namespace lanescope::views
