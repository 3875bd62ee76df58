// Whole ways through the designer, each by one kind of event only, with the actions counted.

#include <algorithm>
#include <cstdio>
#include <set>

#include "kernels/base/text.h"
#include "tests/app/gui/fixture.h"

namespace lanescope::gui {
namespace {

class WholeRuns : public ExplorerTest {
 protected:
  /// Runs a script that has only these actions beside waiting and looking; prints how many they were.
  void run(const std::string& name, const std::set<std::string>& actions, const std::string& text) {
    int count = 0;
    for (const std::string_view line : split_lines(text)) {
      const std::string verb(line.substr(0, line.find(' ')));
      if (verb.empty() || verb == "wait" || verb == "expect" || verb == "frames") continue;
      ASSERT_TRUE(actions.contains(verb)) << line;
      ++count;
    }
    script(text);
    std::printf("%s: %d actions\n", name.c_str(), count);
    RecordProperty("actions", count);
  }
  const std::set<std::string> mouse{"click", "double", "drag", "hover", "scroll", "right"}, keyboard{"key", "type"};
};

TEST_F(WholeRuns, FromNothingToACheckedHeaderByMouse) {
  open_kernel("copy_float.cu");
  app().shell.view.export_folder = folder();  // else the folder where the program was started
  run("mouse only, new layout to header", mouse, R"(
click item Menu
click item File
click item "New layout"
wait
drag scene designer layout_chip/1/0/0 onto scene designer layout_chip/1/1/1
wait
expect design.steps s0 <-> r1
expect design.step.cost 4 byte permutes
drag scene designer layout_chip/1/1/0 onto scene designer layout_chip/1/2/4
wait
expect design.plan.cost not none
expect design.check right
click item "Export function…"
click item "Write the file"
expect text all 256 elements are right
)");
  const std::string written = read_text(folder() + "/transpose.cuh").value_or("");
  EXPECT_NE(written.find("__shfl_xor_sync"), std::string::npos);
  EXPECT_EQ(written, app().designer.header());
}

TEST_F(WholeRuns, FromNothingToACheckedHeaderByKeyboard) {
  open_kernel("copy_float.cu");
  run("keyboard only, new layout to header", keyboard, R"(
key Ctrl+Shift+N
wait
key Shift+F6
expect design.focus layout_chip/1/2/4
key Enter
key Up
expect design.focus layout_chip/1/1/1
key Enter
wait
expect design.steps not none
key Escape
expect design.check right
key Ctrl+Shift+E
key Ctrl+A
type )" + folder() + R"(/by_keys.cuh
key Enter
expect text all 256 elements are right
)");
  EXPECT_EQ(read_text(folder() + "/by_keys.cuh").value_or(""), app().designer.header());
  EXPECT_NE(app().designer.header().find("__shfl_xor_sync"), std::string::npos);
}

/// Loads side by side; its comment claims the two registers the other way round and two lane bits exchanged.
constexpr const char* wrong_claim = R"(/*
Two words a thread.

[lanescope]
grid = 1
block = 32

[buffers]
p = "u32 i:64"
q = { type = "u32", axes = "i:64", init = "zeros" }
*/
__global__ void copy(const unsigned *p, unsigned *q)
{
    unsigned x0 = p[threadIdx.x];
    unsigned x1 = p[threadIdx.x + 32];

    // x has the following register assignment:
    //   register:  r0              <->  i0
    //   thread:    t4 t3 t2 t1 t0  <->  i4 i3 i2 i1 i5

    q[threadIdx.x] = x0;
    q[threadIdx.x + 32] = x1;
}
)";

TEST_F(WholeRuns, FromAWrongClaimToARightKernelByBothWays) {
  const std::string path = folder() + "/wrong.cu";
  const auto begin = [&] {
    ASSERT_TRUE(write_text(path, wrong_claim));
    open(options_for(path));
    script("expect results.claims 0 hold, 1 differ, 0 unchecked");
  };
  begin();
  run("wrong claim to right comment", {"key", "click", "hover"}, R"(
key F
wait
key Alt+Enter
hover item "Write the true assignment of x"
click item "Write the true assignment of x"
wait
expect results.claims 1 hold, 0 differ, 0 unchecked
key Ctrl+S
expect edited no
)");
  EXPECT_NE(read_text(path).value_or("").find("<->  i5\n"), std::string::npos) << read_text(path).value_or("");
  begin();
  run("wrong claim to right code", {"key", "click", "hover"}, R"(
key F
wait
key Alt+Enter
hover item "Convert x to what the comment says"
click item "Convert x to what the comment says"
wait
expect results.claims 4 hold, 0 differ, 0 unchecked
expect results.failed no
key Ctrl+S
expect edited no
)");
  EXPECT_NE(read_text(path).value_or("").find("    rearrange_x(x0, x1);\n\n    // x has the following"),
            std::string::npos)
      << read_text(path).value_or("");
}

/// Two words a thread that change places by two shuffles, though one suffices.
constexpr const char* wasteful_turn = R"(/*
[lanescope]
grid = 1
block = 32

[buffers]
p = "u32 i:64"
q = { type = "u32", axes = "i:64", init = "zeros" }
*/
__global__ void turn(const unsigned *p, unsigned *q)
{
    unsigned lane = threadIdx.x;
    unsigned x0 = p[lane], x1 = p[lane + 32];

    // x has the following register assignment:
    //   register:  r0              <->  i5
    //   thread:    t4 t3 t2 t1 t0  <->  i4 i3 i2 i1 i0

    unsigned other0 = __shfl_xor_sync(~0u, x0, 1);
    unsigned other1 = __shfl_xor_sync(~0u, x1, 1);
    unsigned y0 = lane & 1 ? other1 : x0;
    unsigned y1 = lane & 1 ? x1 : other0;

    // y has the following register assignment:
    //   register:  r0              <->  i0
    //   thread:    t4 t3 t2 t1 t0  <->  i4 i3 i2 i1 i5

    q[lane] = y0;
    q[lane + 32] = y1;
}
)";

TEST_F(WholeRuns, FromCodeBetweenTwoClaimsToABetterPlan) {
  const std::string path = folder() + "/turn.cu";
  const auto begin = [&] {
    ASSERT_TRUE(write_text(path, wasteful_turn));
    open(options_for(path));
    script("expect results.claims 2 hold, 0 differ, 0 unchecked");
  };
  begin();
  run("keyboard only, plan this better", keyboard, R"(
key Ctrl+G
type 20
key Enter
key Ctrl+Shift+B
wait
expect better.own.shuffles 2
expect better.planned.shuffles 1
key Enter
wait
expect results.failed no
key Ctrl+S
expect edited no
)");
  const std::string by_keys = read_text(path).value_or("");
  EXPECT_NE(by_keys.find("plan_y(x0, x1, y0, y1);"), std::string::npos) << by_keys;
  begin();
  run("mouse only, plan this better", mouse, R"(
click item "Source text"
right item "Source text"
click item "Plan this better…"
wait
expect better.planned.shuffles 1
click item "Write the better plan"
wait
expect results.failed no
click item Menu
click item File
click item Save
expect edited no
)");
  EXPECT_EQ(read_text(path).value_or(""), by_keys);
}

TEST_F(WholeRuns, FromElementsTypeAndThreadsToACoalescedLoad) {
  open_kernel("copy_float.cu");
  run("elements, type and threads to a coalesced load with its code", {"key", "type", "click"}, R"(
key Ctrl+Shift+N
click item Type
key Ctrl+A
type u8
click item Elements
key Ctrl+A
type 4096
click item Threads
key Ctrl+A
type 128
click item "Coalesced"
wait
expect design.from simd: i1 i0; register: i11 i3 i2; thread: i8 i7 i6 i5 i4; warp: i10 i9
expect text "2 loads of 16 bytes: 32 sectors, 100 % used"
expect design.check right
key Ctrl+Shift+K
key Ctrl+A
type )" + folder() + R"(/load.cu
key Enter
expect text elements are right
)");
  EXPECT_EQ(read_text(folder() + "/load.cu").value_or(""), app().designer.kernel());
}

}  // namespace
}  // namespace lanescope::gui
