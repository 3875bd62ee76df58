// The explorer on real kernels: one Selection links all views, keys step, clicks select.

#include <algorithm>

#include "tests/app/gui/fixture.h"

namespace lanescope::gui {
namespace {

TEST_F(ExplorerTest, EveryViewShowsTheMoment) {
  open_kernel("half2_transposes.cu");
  script(R"(
expect results.have yes
expect results.claims 3 hold, 0 differ, 0 unchecked
expect file half2_transposes.cu
expect moment.moves not 0
expect scene assignment contains assignment_chip/1/0
expect scene timeline contains timeline_claim/0
expect text 3 of 3 claims hold
expect text grid 1 · block 32×16
)");
  script("expect scene registers contains " + cell(0, 0, 0, 0) + "\nexpect scene registers contains " +
         cell(3, 0, 31, 1));
}

TEST_F(ExplorerTest, ArrowKeysStepAndEveryViewFollows) {
  open_kernel("half2_transposes.cu");
  script("key Home\nwait\nexpect selection.warp 0");
  const std::string first = fact("selection.step");
  EXPECT_EQ(fact("moment.step"), first);
  script("key Right 3\nwait");
  const std::string fourth = fact("selection.step");
  EXPECT_NE(fourth, first);
  EXPECT_EQ(fact("moment.step"), fourth);
  script("expect scene timeline contains timeline_step/" + fourth);
  script("key Left 3\nwait\nexpect selection.step " + first);
  script("key End\nwait\nexpect selection.line not -1\nkey Right\nexpect remark This is the warp's last step.");
}

TEST_F(ExplorerTest, LinesClaimsAndWarpsHaveKeys) {
  open_kernel("half2_transposes.cu");
  const int first_claim = app().results.summary.claims[0].claim.first_line;
  const int second_claim = app().results.summary.claims[1].claim.first_line;
  script("key Home\nwait\nkey N\nwait\nexpect selection.line " + std::to_string(first_claim));
  script("key N\nwait\nexpect selection.line " + std::to_string(second_claim));
  script("key P\nwait\nexpect selection.line " + std::to_string(first_claim));
  script("key Down\nwait\nexpect selection.warp 1");
  EXPECT_NE(cell(0, 1, 0, 0), "none");
  script("key Up\nexpect selection.warp 0");
  script("key F\nexpect remark No claim differs from the actual assignment.");
}

TEST_F(ExplorerTest, ClickingARegisterCellSelectsItsElementEverywhere) {
  open_kernel("half2_transposes.cu");
  script("key Home\nkey N\nwait");
  script("click scene registers " + cell(0, 0, 3, 1) +
         "\nwait\nexpect selection.place not none\nexpect selection.element not none");
  // Lane 3 of x0.hi holds p[0,0,7].
  const auto element = app().navigation.selection.element;
  ASSERT_TRUE(element);
  script("expect hovered " + cell(0, 0, 3, 1));
  ASSERT_TRUE(app().navigation.selection.place);
  EXPECT_EQ(app().navigation.selection.place->lane, 3);
  EXPECT_EQ(app().navigation.selection.place->part, 1);
  script("key Escape\nexpect selection.place none");
}

TEST_F(ExplorerTest, ClickingTheTimelineGoesThere) {
  open_kernel("half2_transposes.cu");
  const auto& timeline = app().results.summary.timeline;
  const auto at = std::find_if(timeline.begin(), timeline.end(),
                               [](const auto& m) { return m.warp == 0 && m.kind == trace::StepKind::shuffle; });
  ASSERT_NE(at, timeline.end());
  const std::string step = std::to_string(at->step);
  script("click scene timeline timeline_step/" + step + "\nwait\nexpect selection.step " + step +
         "\nexpect moment.step " + step + "\nexpect selection.line " + std::to_string(at->line));
}

TEST_F(ExplorerTest, DraggingTheTimelineScrubs) {
  open_kernel("half2_transposes.cu");
  script("key Home\nwait");
  const std::string first = fact("selection.step");
  script("drag scene timeline timeline_step/" + first + " 300 0\nwait\nexpect selection.step not " + first);
  EXPECT_EQ(fact("selection.warp"), "0");
}

TEST_F(ExplorerTest, WheelZoomsAtTheCursorAndDoubleClickFits) {
  open_kernel("half2_transposes.cu");
  const std::string before = fact("zoom.registers");
  const DrawnScene& drawn = frames->stage().scenes.at("registers");
  const ImVec2 was = drawn.to_screen({0, 0});
  const std::string target = cell(1, 0, 8, 0);
  script("scroll scene registers " + target + " 4\nexpect zoom.registers not " + before);
  EXPECT_NE(frames->stage().scenes.at("registers").to_screen({0, 0}).x, was.x);
  // The cell under the cursor is still under it.
  script("expect hovered " + target);
  script("double scene registers " + target + "\nexpect zoom.registers " + before);
}

TEST_F(ExplorerTest, SharedMemoryShowsItsConflict) {
  open_kernel("shared_transpose_naive.cu");
  script("expect scene shared contains shared_word/0\nexpect text 32-way bank conflict");
}

TEST_F(ExplorerTest, PanelOfSharedMemoryGivesWayWhereThereIsNone) {
  open_kernel("copy_float.cu");
  script("expect scene shared not contains shared_word/0\nexpect scene global contains memory_word/0/0");
}

TEST_F(ExplorerTest, PaletteFindsAndRunsACommand) {
  open_kernel("half2_transposes.cu");
  script("key Ctrl+P\nexpect overlay palette\ntype next theme\nkey Enter\nexpect overlay none\nexpect theme light");
  script("key Ctrl+P\nkey Escape\nexpect overlay none\nexpect theme light");
  // The last ones of the list of names.
  script("command app.picture_notes\nexpect overlay picture_notes\nkey Escape\nexpect overlay none");
  script("command app.welcome\nexpect overlay welcome\nkey Escape\nexpect overlay none");
  script(
      "key Ctrl+K\nexpect overlay kernels\ntype copy_float4\nkey Enter\nwait\nexpect file copy_float4.cu\nexpect "
      "results.have yes");
}

TEST_F(ExplorerTest, PlainKeysDoNothingWhileAnOverlayTakesThem) {
  open_kernel("half2_transposes.cu");
  const std::string step = fact("selection.step");
  script("key Ctrl+P\ntype t\nkey Right\nexpect theme dark\nexpect selection.step " + step + "\nkey Escape");
}

TEST_F(ExplorerTest, PlayGoesOnByItself) {
  open_kernel("copy_float.cu");
  script("key Home\nwait");
  const std::string first = fact("selection.step");
  script("key Space\nexpect playing yes");
  const double until = frames->seconds() + 10;
  while (fact("selection.step") == first && frames->seconds() < until) frames->frame();
  script("expect selection.step not " + first + "\nkey Space");
}

TEST_F(ExplorerTest, AScriptThatFailsNamesItsLine) {
  open_kernel("copy_float.cu");
  const ScriptResult result = run_script(*frames, "wait\n# a remark\nexpect theme light\n", "s.txt");
  EXPECT_FALSE(result.ok);
  EXPECT_NE(result.message.find("s.txt:3: theme is 'dark', expected 'light'"), std::string::npos) << result.message;
  EXPECT_FALSE(run_script(*frames, "jump").ok);
}

}  // namespace
}  // namespace lanescope::gui
