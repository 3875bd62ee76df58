// Headers in the window: the Source panel shows the file that the current line is in.

#include <fstream>

#include "kernels/compile/compile.h"
#include "tests/app/gui/fixture.h"

namespace lanescope::gui {
namespace {

class HeaderFilesTest : public ExplorerTest {
 protected:
  void SetUp() override {
    if (!compile::toolchain().nvrtc) GTEST_SKIP() << "NVRTC is not installed";
  }
  void write(const std::string& name, const std::string& text) {
    std::ofstream(folder() + "/" + name, std::ios::binary) << text;
  }
  static std::string header(const std::string& x) {
    return "#pragma once\n__device__ __noinline__ unsigned part(const unsigned *d) {\n  unsigned x = " + x +
           ";\n  // x has register assignment:\n  //   simd:   t2 t1 t0\n  //   thread: t7 t6 t5 t4 t3\n"
           "  return x;\n}\n";
  }
  void open_pair(const std::string& x) {
    write("part.hpp", header(x));
    write("k.cu",
          "/*\n[lanescope]\nblock = 32\n[buffers]\nd = \"u4 t:256\"\nq = \"u32 i:32 = zeros\"\n*/\n"
          "#include \"part.hpp\"\n__global__ void __launch_bounds__(32) k(const unsigned *d, unsigned *q) {\n"
          "  q[threadIdx.x] = part(d);\n}\n");
    open(options_for(folder() + "/k.cu"));
  }
};

TEST_F(HeaderFilesTest, ProblemsJumpIntoThem) {
  open_pair("d[threadIdx.x ^ 1]");
  script("expect results.have yes\nexpect results.claims 0 hold, 1 differ, 0 unchecked");
  script("click item \"file 0\"\nwait\nexpect source.file k.cu");
  script("key F8\nwait\nexpect problem x differs part.hpp:5\nexpect source.file part.hpp");
  EXPECT_EQ(fact("source.line"), "5");
  script(
      "click item \"file 0\"\nwait\nexpect source.file k.cu\nclick item \"file 1\"\nwait\nexpect source.file part.hpp");
  script("command edit.next_file\nwait\nexpect source.file k.cu\ncommand edit.next_file\nexpect source.file part.hpp");
}

TEST_F(HeaderFilesTest, WhatIsTypedGoesIntoTheFileItself) {
  open_pair("d[threadIdx.x]");
  script(
      "expect source.file part.hpp\nkey Ctrl+E\nwait\nexpect source.file k.cu\nexpect "
      "typing yes");
}

TEST_F(HeaderFilesTest, AHeaderThatChangesOnDiskRunsAgain) {
  open_pair("d[threadIdx.x ^ 1]");
  script("expect results.claims 0 hold, 1 differ, 0 unchecked");
  app().editor.watch_file();  // as once a second
  EXPECT_TRUE(app().settled()) << "nothing changed yet";
  write("part.hpp", header("d[threadIdx.x]"));
  app().editor.watch_file();
  EXPECT_FALSE(app().settled());
  ASSERT_TRUE(wait_until_settled(*frames));
  script("expect results.claims 1 hold, 0 differ, 0 unchecked");
}

TEST_F(HeaderFilesTest, ErrorsInThemAreShownThere) {
  open_pair("absent");
  script("expect results.failed yes\nkey F8\nwait\nexpect source.file part.hpp");
}

TEST_F(HeaderFilesTest, TheShownHeaderCanBeOpened) {
  open_pair("d[threadIdx.x]");
  script("expect source.file part.hpp\ncommand file.open_header\nwait\nexpect source.file part.hpp");
  EXPECT_TRUE(app().document.file().ends_with("part.hpp"));
}

}  // namespace
}  // namespace lanescope::gui
