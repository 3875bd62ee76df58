// The window itself: panels, themes, scale, arrangements, sessions.

#include <set>
#include <utility>

#include "app/gui/commands/command.h"

#include "tests/app/gui/fixture.h"

namespace lanescope::gui {
namespace {

class WindowTest : public ExplorerTest {
 protected:
  /// Number of different colours, and whether a colour covers most of the picture's edge.
  static std::size_t colours(const Picture& p) {
    std::set<std::uint32_t> seen;
    for (std::size_t i = 0; i < p.rgba.size(); i += 4)
      seen.insert(p.rgba[i] << 16 | p.rgba[i + 1] << 8 | p.rgba[i + 2]);
    return seen.size();
  }
};

TEST_F(WindowTest, PanelsAreMaximisedAndRestored) {
  open_kernel("half2_transposes.cu");
  const std::string target = cell(0, 0, 0, 0);
  script("click scene registers " + target + "\nkey M\nexpect maximised registers\nexpect scene registers contains " +
         target +
         "\n"
         "expect scene timeline not contains timeline_row/0\nkey F11\nexpect maximised none");
  script("click item \"Maximise timeline\"\nexpect maximised timeline\nkey Escape\nexpect maximised none");
}

TEST_F(WindowTest, PanelsAreHiddenAndComeBack) {
  open_kernel("half2_transposes.cu");
  script(
      "key Ctrl+7\nexpect hidden.timeline no\nexpect active timeline\nkey Ctrl+7\nexpect hidden.timeline yes\n"
      "expect scene timeline not contains timeline_row/0\nkey Ctrl+7\nexpect hidden.timeline no");
  script("key Ctrl+1 2\nexpect hidden.source yes\nkey Ctrl+2 2\nexpect hidden.assignment yes");
  for (const PanelId id : all_panels)
    if (id != PanelId::registers && !app().shell.view.hidden[static_cast<int>(id)]) app().shell.hide_panel(id);
  script(
      "key Ctrl+3 2\nexpect hidden.registers no\n"
      "expect remark This is the only visible panel. Show another one first.\ncommand panel.all\nexpect hidden.source "
      "no");
}

TEST_F(WindowTest, ArrangementsShowWhatTheyAreFor) {
  open_kernel("shared_transpose_naive.cu");
  for (const char* name : {"Debug", "Profile", "Learn"}) {
    script("click item " + std::string(name) + "\nexpect arrangement " + name +
           "\nexpect scene shared contains shared_word/0");
  }
}

TEST_F(WindowTest, SplittersMove) {
  open_kernel("half2_transposes.cu");
  const float before = frames->stage().scenes.at("registers").area.w;
  script("drag item \"splitter 1\" 120 0");
  EXPECT_NEAR(frames->stage().scenes.at("registers").area.w, before - 120 * 0.728f, 14);
  script("double item \"splitter 1\"");
  EXPECT_NEAR(frames->stage().scenes.at("registers").area.w, before, 1);
}

TEST_F(WindowTest, ThemesAndScalesRedrawEverything) {
  open_kernel("half2_transposes.cu");
  frames->settle();
  const Picture dark = frames->platform().read_back();
  EXPECT_GT(colours(dark), 200u);
  script("key T\nexpect theme light");
  const Picture light = frames->platform().read_back();
  EXPECT_LT(dark.rgba[0], 64);
  EXPECT_GT(light.rgba[0], 192);
  script("key T\nkey T\nexpect theme dark");
  EXPECT_EQ(frames->platform().read_back().rgba, dark.rgba) << "the same state is the same picture";
  const float size = std::stof(fact("font.px"));
  script("key Ctrl++ 4\nexpect scale 1.5");
  EXPECT_NEAR(std::stof(fact("font.px")), size * 1.5f, 1.0f);
  script("key F5\nexpect presentation yes\nkey F5\nkey Ctrl+0\nexpect scale 1");
  script("set scale 9\nexpect scale 3\nset scale 0.1\nexpect scale 0.75");
}

TEST_F(WindowTest, EveryCommandRunsOrSaysWhyNot) {
  open_kernel("copy_float.cu");
  for (const Command& c : commands()) {
    if (c.id == "app.quit" || c.id == "file.new" || c.id == "file.save") continue;
    run_command(app(), c.id);
    frames->settle(2);
    app().shell.overlay = Overlay::none;
  }
  EXPECT_TRUE(wait_until_settled(*frames));
}

TEST_F(WindowTest, SmallWindowsStillDraw) {
  ExplorerOptions o = options_for(kernel("shared_transpose_padded.cu"));
  o.width = 640;
  o.height = 400;
  o.scale = 2;
  open(o);
  EXPECT_GT(colours(frames->platform().read_back()), 50u);
}

TEST_F(WindowTest, SessionsComeBackAsTheyWere) {
  ExplorerOptions o = options_for(kernel("half2_transposes.cu"));
  o.no_session = false;
  o.session = folder() + "/session.json";
  open(o);
  script(
      "edit uint laneId => uint  laneId\nwait\nkey Home\nkey Right 5\nwait\nset theme light\nset scale 1.25\nkey "
      "F3\nkey Ctrl+7 2\ndrag item \"splitter 1\" 60 0");
  const std::string text = app().document.text(), step = fact("selection.step");
  const auto shares = app().shell.view.shares;
  frames->save_session();
  frames.reset();

  o.file.clear();
  open(o);
  EXPECT_EQ(app().document.text(), text);
  EXPECT_EQ(app().shell.view.shares, shares);
  script(
      "expect edited yes\nexpect theme light\nexpect scale 1.25\nexpect arrangement Debug\nexpect hidden.timeline "
      "yes\nexpect selection.step " +
      step);
}

TEST_F(WindowTest, DamagedAndNewerSessionsAreRefusedWithTheReason) {
  ExplorerOptions o = options_for("");
  o.no_session = false;
  o.session = folder() + "/session.json";
  for (const auto& [text, reason] : {std::pair{"{\"version\": 99}", "newer"},
                                     {"{\"version\": 1, \"file\":", "damaged"},
                                     {"{\"version\": 1}", "damaged"}}) {
    ASSERT_TRUE(write_text(o.session, text));
    open(o);
    script(std::string("expect text ") + reason + "\nexpect file half2_transposes.cu");
    EXPECT_EQ(*read_text(o.session), text) << "it is left alone";
    frames.reset();
  }
}

}  // namespace
}  // namespace lanescope::gui
