// "Plan this better" and "Insert into the kernel", as one does them.

#include "app/gui/commands/command.h"
#include "tests/app/gui/fixture.h"

namespace lanescope::gui {
namespace {

/// Two words a thread; r0 and t0 change places by two shuffles, though one suffices.
constexpr const char* wasteful = R"(/*
[lanescope]
grid = 2
block = 32

[buffers]
p = "u32 i:64"
q = { type = "u32", axes = "i:64", init = "zeros" }
*/
__global__ void turn(const unsigned *p, unsigned *q)
{
    unsigned lane = threadIdx.x;
    unsigned x0 = p[lane];
    unsigned x1 = p[lane + 32];

    // x has the following register assignment:
    //   register:  r0              <->  i5
    //   thread:    t4 t3 t2 t1 t0  <->  i4 i3 i2 i1 i0

    // Exchanges r0 and t0.
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

class BetterPlanTest : public ExplorerTest {
 protected:
  void open_text(const std::string& text) {
    const std::string path = folder() + "/turn.cu";
    ASSERT_TRUE(write_text(path, text));
    open(options_for(path));
  }
};

TEST_F(BetterPlanTest, TheLinesGiveWayAfterAPreviewAndTheClaimsAreJudgedAgain) {
  open_text(wasteful);
  script(
      "expect results.claims 2 hold, 0 differ, 0 unchecked\nkey Ctrl+G\ntype 22\nkey Enter\nkey Ctrl+Shift+B\nwait\n"
      "expect overlay better\nexpect better.from x 17\nexpect better.to y 27\nexpect better.lines 21 to 24\n"
      "expect better.own.shuffles 2\nexpect better.planned.shuffles 1\nexpect better.refusal none\n"
      "expect text \"unsigned other0 = __shfl_xor_sync(~0u, x0, 1);\"\nexpect text \"plan_y(x0, x1, y0, y1);\"");
  EXPECT_EQ(app().document.text(), wasteful) << "nothing is written before it is confirmed";
  script(
      "key Enter\nwait\nexpect overlay none\nexpect edited yes\nexpect results.failed no\n"
      "expect text \"The claims are judged again.\"");
  EXPECT_TRUE(fact("results.claims").ends_with("0 differ, 0 unchecked")) << fact("results.claims");
  EXPECT_EQ(app().document.text().find("other0"), std::string::npos);
  EXPECT_NE(app().document.text().find("    plan_y(x0, x1, y0, y1);\n\n    // y has"), std::string::npos)
      << app().document.text();
  script("key Escape\nkey Ctrl+Z\nwait");
  EXPECT_EQ(app().document.text(), wasteful) << "one step of undo";
}

TEST_F(BetterPlanTest, ByTheMouseFromTheMenuOfTheRightButtonBesideTheCode) {
  open_text(wasteful);
  script(
      "key Ctrl+G\ntype 27\nkey Enter\nkey Escape\ncommand design.better\nwait\nclick item \"Other way\"\nwait\n"
      "expect better.way insert\nexpect better.refusal none\nclick item \"Write the better plan\"\nwait\n"
      "expect overlay none\nexpect results.failed no");
  EXPECT_NE(app().document.text().find("unsigned y_planned[2];"), std::string::npos) << app().document.text();
  EXPECT_TRUE(fact("results.claims").ends_with("0 differ, 0 unchecked")) << fact("results.claims");
}

TEST_F(BetterPlanTest, AnyTwoClaimsCanBeChosen) {
  open_kernel("half2_transposes.cu");
  script(
      "key Ctrl+G\ntype 38\nkey Enter\nkey Ctrl+Shift+B\nwait\nexpect better.from x 33\nexpect better.to y 45\n"
      "expect better.refusal none\nkey Down\nwait\nexpect better.to y 63\nexpect better.refusal none\n"
      "expect better.own.shuffles 2\nexpect better.planned.shuffles 2\nkey Shift+Down\nwait\nexpect better.from y 45\n"
      "expect better.refusal none\nkey Shift+Down\nexpect better.from y 45\n"
      "click item \"First claim\"\nclick item \"x, line 33\"\nwait\nexpect better.from x 33\nkey Escape\n"
      "expect overlay none\nexpect edited no");
}

/// The planner's own code between the claims: there is nothing left to gain, which is reported.
TEST_F(BetterPlanTest, CodeThatIsAsGoodIsSaidToBe) {
  std::string text = wasteful;
  const std::size_t first = text.find("    unsigned other0"), last = text.find("    // y has");
  text.replace(first, last - first,
               "    unsigned kept = lane & 1 ? x1 : x0, sent = lane & 1 ? x0 : x1;\n"
               "    unsigned other = __shfl_xor_sync(~0u, sent, 1);\n"
               "    unsigned y0 = lane & 1 ? other : kept;\n    unsigned y1 = lane & 1 ? kept : other;\n\n");
  open_text(text);
  script(
      "expect results.claims 2 hold, 0 differ, 0 unchecked\nkey Ctrl+G\ntype 22\nkey Enter\nkey Ctrl+Shift+B\nwait\n"
      "expect better.own.shuffles 1\nexpect better.planned.shuffles 1\nexpect better.refusal none\n"
      "expect text \"There is nothing to gain:\"\nkey Escape");
  open_text(wasteful);
  script(
      "key Ctrl+G\ntype 22\nkey Enter\nkey Ctrl+Shift+B\nwait\nexpect text \"The planner's code has fewer shuffles\"\n"
      "key Escape");
}

TEST_F(BetterPlanTest, ATransposeWithBankConflictsGivesWayToOneWithout) {
  open_kernel("shared_transpose_naive.cu");
  script(
      "key Ctrl+G\ntype 27\nkey Enter\nkey Escape\ncommand design.better\nwait\nexpect better.refusal none\n"
      "expect better.way replace\nexpect text \"wavefronts of shared memory\"");
  EXPECT_GT(std::stod(fact("better.own.wavefronts")), 30);
  EXPECT_LE(std::stod(fact("better.planned.wavefronts")), 4);
  script("key Enter\nwait\nexpect results.failed no");
  EXPECT_TRUE(fact("results.claims").ends_with("0 differ, 0 unchecked")) << fact("results.claims");
}

TEST_F(BetterPlanTest, WhatDoesMoreThanMoveDataIsNotReplaced) {
  std::string text = wasteful;
  text.replace(text.find("    q[lane] = y0;"), 17, "    q[lane] = y0 + other0 - other0;");
  open_text(text);
  script(
      "key Ctrl+G\ntype 22\nkey Enter\nkey Ctrl+Shift+B\nwait\nexpect better.way insert\n"
      "expect text \"The lines cannot be replaced. `other0` gets a value\"\nkey Tab\n"
      "expect better.refusal `other0` gets a value in these lines and is used in line 30.\n"
      "key Enter\nexpect edited no\nkey Escape");
}

TEST_F(BetterPlanTest, WithoutTwoClaimsTheCommandSaysSo) {
  open_kernel("copy_float.cu");
  EXPECT_NE(refusal_of(app(), *find_command("design.better")), "");
}

TEST_F(BetterPlanTest, AConversionIsPutAtTheCursorAsOneChange) {
  open_text(wasteful);
  script(
      "key Ctrl+G\ntype 20\nkey Enter\nkey Escape\nkey Ctrl+Shift+N\nwait\nclick item \"Type\"\nkey Ctrl+A\ntype u32\n"
      "click item \"From notation\"\nkey Ctrl+A\ntype \"simd: -; register: i5; thread: i4 i3 i2 i1 i0\"\n"
      "click item \"To notation\"\nkey Ctrl+A\ntype \"simd: -; register: i3; thread: i4 i5 i2 i1 i0\"\nwait\n"
      "expect design.check right\nkey Ctrl+Shift+I\nwait\nexpect results.failed no\n"
      "expect text \"transpose converts x at line\"");
  EXPECT_NE(app().document.text().find("    transpose(x0, x1);\n\n    // x has the following register assignment:"),
            std::string::npos)
      << app().document.text();
  script("key Ctrl+Z\nwait");
  EXPECT_EQ(app().document.text(), wasteful);
}

}  // namespace
}  // namespace lanescope::gui
