// Where files are found: in folders made for each test, and those that the build itself uses.

#include "kernels/resources/resources.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <random>

namespace lanescope::resources {
namespace {

namespace fs = std::filesystem;

class Resources : public testing::Test {
 protected:
  Resources()
      : folder_(fs::temp_directory_path() /
                ("lanescope_resources_" + std::to_string(::getpid()) + "_" + std::to_string(std::random_device{}()))) {
    fs::create_directories(folder_);
  }
  ~Resources() override { fs::remove_all(folder_); }
  fs::path make(const fs::path& relative) const {
    const fs::path file = folder_ / relative;
    fs::create_directories(file.parent_path());
    std::ofstream(file) << "x";
    return file;
  }
  fs::path folder_;
};

TEST_F(Resources, AssetsAreThoseChosenElseBesideTheProgramElseAsConfigured) {
  const fs::path program = folder_ / "prefix/bin/lanescope", configured = folder_ / "source/assets";
  EXPECT_EQ(find_assets(nullptr, program, configured), configured) << "nothing is installed";
  fs::create_directories(folder_ / "prefix/share/lanescope/kernels");
  EXPECT_EQ(find_assets(nullptr, program, configured), configured) << "a folder without the table of GPUs";
  make("prefix/share/lanescope/gpus.toml");
  EXPECT_EQ(find_assets(nullptr, program, configured), folder_ / "prefix/share/lanescope");
  EXPECT_EQ(find_assets("", program, configured), folder_ / "prefix/share/lanescope") << "an empty variable is none";
  EXPECT_EQ(find_assets("/elsewhere", program, configured), "/elsewhere") << "taken even where it is missing";
  EXPECT_EQ(find_assets(nullptr, folder_ / "other/bin/lanescope", configured), configured);
  EXPECT_EQ(find_assets(nullptr, "", configured), configured) << "without /proc";
}

TEST_F(Resources, TheAssetsOfThisBuildAreThere) {
  EXPECT_TRUE(fs::exists(assets_directory() / "gpus.toml")) << assets_directory();
  EXPECT_TRUE(fs::exists(assets_directory() / "kernels/half2_transposes.cu"));
}

TEST_F(Resources, ADocumentLiesAmongTheAssetsOrBesideThem) {
  const fs::path assets = folder_ / "assets";
  EXPECT_EQ(find_document(assets, "glossary.md"), folder_ / "docs/glossary.md");
  make("docs/glossary.md");
  EXPECT_EQ(find_document(assets, "glossary.md"), folder_ / "docs/glossary.md");
  const fs::path installed = make("assets/glossary.md");
  EXPECT_EQ(find_document(assets, "glossary.md"), installed);
}

TEST_F(Resources, TheFirstFolderThatHoldsAFontWins) {
  const std::vector<fs::path> folders{folder_ / "missing", folder_ / "own", folder_ / "system"};
  for (const Font each : all_fonts) EXPECT_EQ(find_font(each, folders), "");
  const fs::path system = make("system/Inter-Regular.otf");
  EXPECT_EQ(find_font(Font::sans, folders), system.string());
  EXPECT_EQ(find_font(Font::sans_bold, folders), "") << "another face is another file";
  const fs::path own = make("own/Inter-Regular.ttf");
  EXPECT_EQ(find_font(Font::sans, folders), own.string());
}

TEST_F(Resources, EveryFontOfThisMachineIsInAFolderThatIsSearched) {
  const std::vector<fs::path> folders = font_folders();
  for (const Font each : all_fonts) {
    EXPECT_TRUE(fs::exists(font(each))) << font(each) << ": install fonts-inter and fonts-jetbrains-mono";
    EXPECT_EQ(font(each), find_font(each, folders));
  }
}

}  // namespace
}  // namespace lanescope::resources
