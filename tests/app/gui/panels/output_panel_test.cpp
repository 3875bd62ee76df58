// The Output panel: what the kernel printed, the way to its steps, and the marks beside the source.

#include "app/gui/model/document.h"
#include "kernels/compile/compile.h"
#include "tests/app/gui/fixture.h"

namespace lanescope::gui {
namespace {

class OutputPanelTest : public ExplorerTest {
 protected:
  void open_text(const std::string& text) {
    if (!compile::toolchain().nvrtc) GTEST_SKIP() << "NVRTC is not installed";
    const std::string file = folder() + "/k.cu";
    ASSERT_TRUE(write_text(file, text));
    open(options_for(file));
  }
};

constexpr const char* prints = R"(/*
[lanescope]
grid = 3
block = 64

[buffers]
p = "f32 i:192"
*/
__global__ void k(float *p) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = p[i];
  if (threadIdx.x % 32 == 3) printf("x = %g\n", x);
  p[i] = 2 * x;
  if (i == 70) printf("two\nlines \x01\n");
}
)";

TEST_F(OutputPanelTest, ListsLinesAndGoesToTheirSteps) {
  open_text(prints);
  if (IsSkipped()) return;
  script("command panel.output\nexpect output.count 8\nexpect output.lines 8\nexpect output.chosen none\n");
  EXPECT_TRUE(find_item("printed 1"));
  script("command output.next\n");
  const auto& s = app().results.summary;
  const int chosen = app().output.chosen;
  ASSERT_GE(chosen, 0);
  EXPECT_EQ(app().navigation.selection.step, s.printed[static_cast<std::size_t>(chosen)].step);
  EXPECT_EQ(app().navigation.selection.line, 12);
  EXPECT_EQ(app().navigation.selection.warp, s.printed[static_cast<std::size_t>(chosen)].warp);
  EXPECT_EQ(fact("output.chosen"), "x = " + std::to_string(app().navigation.selection.warp * 32 + 3));
}

TEST_F(OutputPanelTest, ALineOfAnotherBlockIsRecordedFirst) {
  open_text(prints);
  if (IsSkipped()) return;
  ASSERT_EQ(app().results.summary.recorded_block, 0u);
  script("command panel.output\nclick item \"printed 8\"\nwait\n");
  EXPECT_EQ(app().results.summary.recorded_block, 2u) << fact("output.chosen");
  const auto& p = app().results.summary.printed.at(static_cast<std::size_t>(app().output.chosen));
  EXPECT_EQ(p.block, 2u);
  EXPECT_GE(p.step, 0);
  EXPECT_EQ(app().navigation.selection.step, p.step);
  EXPECT_EQ(app().navigation.selection.line, 12);
}

TEST_F(OutputPanelTest, TheMarkBesideTheLineFiltersTheList) {
  open_text(prints);
  if (IsSkipped()) return;
  script("frames 2\n");  // widgets are noted while a script runs
  EXPECT_TRUE(find_item("printed at line 12"));
  EXPECT_FALSE(find_item("printed at line 11"));
  script("click item \"printed at line 14\"\nexpect output.lines 2\nexpect output.filter line 14\n");
  EXPECT_TRUE(app().shell.in_front(PanelId::output));
  script("command output.of_line\n");
  EXPECT_NE(fact("output.filter"), "line 14");
  app().output.filter = "lane 6";
  script("expect output.lines 2\n");
  app().output.filter = "no such text";
  script("expect output.lines 0\n");
}

// Printed text is read, not guessed, in the narrow column too.
TEST_F(OutputPanelTest, ALongLineIsBrokenNotCut) {
  if (!compile::toolchain().nvrtc) GTEST_SKIP() << "NVRTC is not installed";
  const std::string file = folder() + "/k.cu";
  ASSERT_TRUE(write_text(file, R"(/*
[lanescope]
grid = 1
block = 32

[buffers]
p = "f32 i:32"
*/
__global__ void k(float *p) {
  if (threadIdx.x == 3) printf("thread %d of block %d loads %f\n", threadIdx.x, blockIdx.x, 1.5f * p[threadIdx.x]);
}
)"));
  ExplorerOptions options = options_for(file);
  options.width = 1280, options.height = 800;
  open(options);
  for (const char* arrangement : {"Learn", "Debug", "Profile"})
    script("set arrangement " + std::string(arrangement) +
           "\ncommand panel.output\nwait\nexpect text.cut none\n"
           "expect text \"4.500000\"\ncommand panel.inspector\n");
}

TEST_F(OutputPanelTest, ALineOfAHeaderHasItsName) {
  if (!compile::toolchain().nvrtc) GTEST_SKIP() << "NVRTC is not installed";
  ASSERT_TRUE(write_text(folder() + "/part.h",
                         "#pragma once\n__global__ void k(float *p) {\n  if (threadIdx.x % 16 == 3)\n"
                         "    printf(\"at %d\\n\", threadIdx.x);\n  p[threadIdx.x] = 1;\n}\n"));
  ASSERT_TRUE(write_text(folder() + "/k.cu",
                         "/*\n[lanescope]\nblock = 32\n[buffers]\np = \"f32 i:32\"\n*/\n#include \"part.h\"\n"));
  open(options_for(folder() + "/k.cu"));
  script("command panel.output\nwait\nexpect output.lines 2\nexpect text \"part.h:4\"");
  // The mark is beside the header's line, and not beside that line of the file.
  script(
      "click item \"printed 1\"\nwait\nclick item \"printed at line 4\"\nwait\nexpect output.filter part.h:4\n"
      "expect output.lines 2");
  app().navigation.shown_file = 0;
  script("frames 3");
  EXPECT_FALSE(find_item("printed at line 4"));
}

TEST_F(OutputPanelTest, AKernelThatPrintsNothingSaysSo) {
  open_kernel("shared_transpose_naive.cu");
  script("command panel.output\nexpect output.count 0\n");
  const auto said = texts();
  EXPECT_TRUE(
      std::ranges::any_of(said, [](const std::string& t) { return t.find("printed nothing") != std::string::npos; }));
  EXPECT_FALSE(run_script(*frames, "command output.next\n").ok);
}

}  // namespace
}  // namespace lanescope::gui
