// Any step of any block: from checkpoints, in the window.

#include <fmt/format.h>

#include <fstream>

#include "kernels/compile/compile.h"
#include "tests/app/gui/fixture.h"

namespace lanescope::gui {
namespace {

constexpr const char* long_kernel = R"(/*
[lanescope]
grid = 3
block = 64

[buffers]
p = "u32 i:64"
q = "u32 i:192 = zeros"
*/
__global__ void spin(const unsigned *p, unsigned *q)
{{
    unsigned sum = blockIdx.x;
#pragma unroll 1
    for (unsigned k = 0; k < {}u; ++k) {{
        sum = sum * 3 + k;
    }}
    q[blockIdx.x * 64 + threadIdx.x] = sum + p[threadIdx.x];
}}
)";

class HistoryInTheWindow : public ExplorerTest {
 protected:
  /// `rounds` of the kernel's loop, whose 4 steps each of two warps executes.
  void open_long(std::uint64_t history_bytes, unsigned rounds = 150'000) {
    const std::string file = folder() + "/spin.cu";
    std::ofstream(file) << fmt::format(fmt::runtime(long_kernel), rounds);
    ExplorerOptions options = options_for(file);
    options.history_bytes = history_bytes;
    open(options);
  }
  void go_to(const std::string& where) { script("command step.go_to\ntype " + where + "\nkey Enter\nwait\n"); }
  std::string registers() {
    std::string all;
    for (const auto& grid : app().results.moment.grids)
      for (const auto& cell : grid.cells) all += std::to_string(cell.value) + ",";
    return all;
  }
};

TEST_F(HistoryInTheWindow, ALateStepOfAnotherBlockAndBackShowsTheSame) {
  if (!compile::toolchain().nvrtc) GTEST_SKIP() << "NVRTC is not installed";
  open_long(std::uint64_t{64} << 20);
  EXPECT_NE(fact("history.checkpoints"), "0");
  go_to("0:5000");
  EXPECT_EQ(fact("recorded.first_step"), "0");
  const std::string early = registers();
  EXPECT_EQ(app().navigation.selection.step, 4999);
  go_to("2:1234567");
  EXPECT_EQ(fact("recorded.block"), "2");
  EXPECT_EQ(fact("history.replayed"), "yes");
  const auto first = std::stoll(fact("recorded.first_step"));
  EXPECT_GT(first, 1'000'000);
  EXPECT_EQ(app().navigation.selection.step + first, 1'234'566);
  const std::string late = registers();
  EXPECT_FALSE(late.empty());
  EXPECT_NE(late, early);
  go_to("0:5000");
  EXPECT_EQ(fact("recorded.block"), "0");
  EXPECT_EQ(registers(), early);
  go_to("2:1234567");
  EXPECT_EQ(registers(), late);
  script("command step.earlier_part\nwait\nexpect recorded.first_step 0\ncommand step.later_part\nwait\n");
  EXPECT_EQ(fact("recorded.block"), "2");
  EXPECT_NE(fact("recorded.first_step"), "0");
}

TEST_F(HistoryInTheWindow, ABlockIsShownFromCheckpointsOrByARun) {
  if (!compile::toolchain().nvrtc) GTEST_SKIP() << "NVRTC is not installed";
  open_long(std::uint64_t{64} << 20, 20'000);
  script("command block.next\nwait\nexpect recorded.block 1\nexpect history.replayed yes\n");
  open_long(0, 20'000);
  script(
      "command block.next\nwait\nexpect recorded.block 1\nexpect history.replayed no\nexpect history.checkpoints 0\n");
  // A wrong place is refused, and nothing moves.
  script("command step.go_to\ntype 7:1\nkey Enter\n");
  EXPECT_EQ(fact("recorded.block"), "1");
}

}  // namespace
}  // namespace lanescope::gui
