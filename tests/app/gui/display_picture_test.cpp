// A screenshot of a real window is what the window shows: on a display of its own it is compared with the same script
// drawn without a display.

#include "tests/app/cli/program.h"

#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_STATIC
#define STBI_ONLY_PNG
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#pragma GCC diagnostic ignored "-Wunused-function"
#include <stb/stb_image.h>
#pragma GCC diagnostic pop

namespace lanescope::gui {
namespace {

struct Pixels {
  int width = 0, height = 0;
  std::string rgb;
};

Pixels read_png(const std::string& path) {
  Pixels p;
  int channels = 0;
  if (stbi_uc* data = stbi_load(path.c_str(), &p.width, &p.height, &channels, 3)) {
    p.rgb.assign(reinterpret_cast<const char*>(data), static_cast<std::size_t>(p.width) * p.height * 3);
    stbi_image_free(data);
  }
  return p;
}

using DisplayPicture = cli::ProgramTest;

TEST_F(DisplayPicture, IsThatOfTheSameScriptWithoutADisplay) {
#ifndef LANESCOPE_PROGRAM
  GTEST_SKIP() << "SKIPPED LOUDLY: the program was not built";
#endif
  if (std::system("command -v xvfb-run xauth Xvfb > /dev/null 2>&1") != 0)
    GTEST_SKIP() << "SKIPPED LOUDLY: xvfb-run is needed; apt-get install xvfb xauth";
  const auto picture = [&](const std::string& name, const std::string& prefix, const std::string& option) {
    write("script", fmt::format("hover at 600 20\nwait\nframes 3\nscreenshot {}\nquit\n", path(name)));
    const std::string command = fmt::format(
        "cd '{}' && env -u WAYLAND_DISPLAY LIBGL_ALWAYS_SOFTWARE=1 {} '{}' --no-session --size 1000x700 {} --script "
        "'{}' "
        "assets/kernels/copy_float.cu > '{}' 2>&1",
        LANESCOPE_SOURCE_DIR, prefix, cli::program, option, path("script"), path("log"));
    EXPECT_EQ(std::system(command.c_str()), 0) << command << "\n" << cli::slurp(path("log"));
    return read_png(path(name));
  };
  const Pixels shown = picture("shown.png", "xvfb-run -a -s '-screen 0 1000x700x24'", "");
  const Pixels drawn = picture("drawn.png", "", "--offscreen");
  ASSERT_EQ(shown.rgb.size(), std::size_t{1000 * 700 * 3});
  ASSERT_EQ(shown.rgb.size(), drawn.rgb.size());
  std::size_t different = 0;
  for (std::size_t n = 0; n < shown.rgb.size(); ++n) {
    const int a = static_cast<unsigned char>(shown.rgb[n]), b = static_cast<unsigned char>(drawn.rgb[n]);
    different += std::abs(a - b) > 16;
  }
  EXPECT_LT(different, shown.rgb.size() / 100) << "a black picture differs nearly everywhere";
}

}  // namespace
}  // namespace lanescope::gui
