// Heat stands beside the source for any name of the file and its folder.

#include "kernels/compile/compile.h"
#include "tests/app/gui/fixture.h"
#include "viz/views/costs/heat.h"

namespace lanescope::gui {
namespace {

TEST_F(ExplorerTest, HeatOfAFileOfAnyName) {
  if (!compile::toolchain().nvrtc) GTEST_SKIP() << "NVRTC is not installed";
  const auto lines_of = [&](const std::string& path) {
    std::filesystem::create_directories(std::filesystem::path(path).parent_path());
    std::filesystem::copy_file(kernel("shared_transpose_naive.cu"), path);
    frames.reset();
    open(options_for(path));
    script("set heat bank_conflicts\nwait\nexpect heat bank_conflicts");
    const views::HeatColumn column = views::heat(app().results.summary, "bank_conflicts", app().shell.theme());
    std::vector<int> lines;
    for (const auto& cell : column.cells) lines.push_back(cell.line);
    return lines;
  };
  const std::vector<int> expected = lines_of(folder() + "/plain/k.cu");
  ASSERT_FALSE(expected.empty());
  for (const char* name : {"/grün/k.cu", "/plain/größe \"2\".cu", "/a\\b\nc/100%.cu", "/plain/lanescope-probe.cu"})
    EXPECT_EQ(lines_of(folder() + name), expected) << name;
}

}  // namespace
}  // namespace lanescope::gui
