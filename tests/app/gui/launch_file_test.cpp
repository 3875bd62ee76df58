// A bare PTX file with its launch in a file of its own, and the words of the explorer's command line.

#include "app/gui/shell/explorer_options.h"
#include "tests/app/gui/fixture.h"

namespace lanescope::gui {
namespace {

std::string data(const std::string& name) { return std::string(LANESCOPE_SOURCE_DIR) + "/tests/data/engine/" + name; }

TEST_F(ExplorerTest, PtxIsLaunchedAsItsLaunchFileSays) {
  ExplorerOptions options = options_for(data("copy.ptx"));
  options.launch_file = data("copy.toml");
  open(options);
  ASSERT_TRUE(app().results.have);
  EXPECT_EQ(app().results.summary.block, (trace::Dim3{64, 1, 1}));
  ASSERT_EQ(app().results.summary.buffers.size(), 2u);
  EXPECT_EQ(app().results.summary.buffers[0].name, "a");
}

TEST_F(ExplorerTest, ALaunchFileThatCannotBeUsedIsSaid) {
  ExplorerOptions options = options_for(data("copy.ptx"));
  options.launch_file = data("no_such_file.toml");
  EXPECT_FALSE(Frames::open(options, nullptr));
  options = options_for(kernel("warp_sum.cu"));
  options.launch_file = data("copy.toml");
  const auto opened = Frames::open(options, nullptr);
  ASSERT_FALSE(opened);
  EXPECT_NE(opened.error().front().message.find("--launch needs a .ptx file"), std::string::npos);
}

TEST(ExplorerArguments, ThemesAreTakenAsTheHelpSpellsThemAndNoOthers) {
  const auto parsed = [](const std::string& option, const std::string& value) {
    return parse_explorer_arguments(std::vector<std::string>{option, value}).has_value();
  };
  for (const char* theme : {"dark", "light", "high contrast", "high-contrast"}) EXPECT_TRUE(parsed("--theme", theme));
  EXPECT_FALSE(parsed("--theme", "pink"));
  EXPECT_TRUE(parsed("--arrangement", "Debug"));
  EXPECT_FALSE(parsed("--arrangement", "banana"));
  EXPECT_TRUE(parsed("--launch", "copy.toml"));
}

}  // namespace
}  // namespace lanescope::gui
