// Tabs: panels that share a place, by script as a person would, and in the session file.

#include <nlohmann/json.hpp>

#include "app/gui/model/arrangement.h"
#include "app/gui/state/session_file.h"
#include "tests/app/gui/fixture.h"

namespace lanescope::gui {
namespace {

constexpr PanelId new_panels[] = {
    PanelId::ptx,      PanelId::divergence, PanelId::occupancy, PanelId::calculator, PanelId::metrics, PanelId::stalls,
    PanelId::compare,  PanelId::host_calls, PanelId::sass,      PanelId::live,       PanelId::buffers, PanelId::options,
    PanelId::designer, PanelId::plans,      PanelId::elements,  PanelId::code,       PanelId::lanes,   PanelId::tree,
    PanelId::journey,  PanelId::lesson,     PanelId::moments,   PanelId::barriers,   PanelId::claims};

class TabsTest : public ExplorerTest {};

TEST_F(TabsTest, LearnHidesThemUntilTheyAreAskedFor) {
  open_kernel("half2_transposes.cu");
  for (const PanelId id : new_panels) {
    const std::string name(panel_name(id));
    script("expect hidden." + name + " yes\nexpect front." + name + " no");
    script("command panel." + name + "\nexpect hidden." + name + " no\nexpect front." + name + " yes\nexpect active " +
           name);
    const bool scene = id != PanelId::options && id != PanelId::lesson && id != PanelId::moments;
    if (scene && !is_design_panel(id)) {  // rows with buttons; no layout is open
      EXPECT_TRUE(frames->stage().scenes.contains(name)) << "it draws something";
    }
    script("command panel." + name + "\nexpect hidden." + name + " yes");
    EXPECT_FALSE(frames->stage().scenes.contains(name));
  }
  script("expect front.source yes\nexpect front.registers yes");
}

TEST_F(TabsTest, ClicksAndKeysSwitchThem) {
  open_kernel("shared_transpose_naive.cu");
  script("key F4\nwait\nexpect front.source yes\nexpect front.ptx no");
  script("click item \"Tab ptx\"\nexpect front.ptx yes\nexpect front.source no\nexpect active ptx");
  script("key Ctrl+PageDown\nexpect front.source yes\nkey Ctrl+PageUp\nexpect front.ptx yes");
  script(
      "click item \"Tab occupancy\"\nkey Ctrl+PageDown\nexpect active calculator\nkey Ctrl+PageDown\nexpect active "
      "shared");
  script(
      "click item \"Maximise timeline\"\nkey Escape\nkey Ctrl+PageDown\nexpect remark The active panel has no "
      "other tabs.");
}

TEST_F(TabsTest, ThePanelBehindDoesNotTakeWhatIsTyped) {
  open_kernel("copy_float.cu");
  script(
      "key F4\nwait\nkey Ctrl+E\nexpect typing yes\nclick item \"Tab ptx\"\nexpect typing no\nkey T\nexpect theme "
      "light");
  // Typing in the source brings it back.
  script("key Ctrl+E\nexpect front.source yes\nexpect typing yes\nexpect edited no");
}

TEST_F(TabsTest, AMaximisedPanelKeepsItsTabs) {
  open_kernel("copy_float.cu");
  script(
      "key F4\nwait\nclick item \"Tab ptx\"\nkey M\nexpect maximised ptx\nclick item \"Tab source\"\nexpect maximised "
      "source");
  script("command panel.divergence\nexpect maximised none\nexpect front.divergence yes");
}

TEST_F(TabsTest, NarrowTitlesListThem) {
  ExplorerOptions o = options_for(kernel("shared_transpose_naive.cu"));
  o.width = 900;
  o.height = 700;
  open(o);
  script("key F4\nwait\nclick item \"Tabs of shared\"\nclick item \"Tab calculator\"\nexpect front.calculator yes");
}

TEST_F(TabsTest, SessionsKeepThem) {
  ExplorerOptions o = options_for(kernel("shared_transpose_naive.cu"));
  o.no_session = false;
  o.session = folder() + "/session.json";
  open(o);
  script("key F4\nwait\nclick item \"Tab ptx\"\nclick item \"Tab occupancy\"\ncommand panel.registers");
  const ViewOptions before = app().shell.view;
  frames->save_session();
  frames.reset();
  o.file.clear();
  open(o);
  EXPECT_EQ(app().shell.view.front, before.front);
  EXPECT_EQ(app().shell.view.hidden, before.hidden);
  script("expect front.ptx yes\nexpect front.occupancy yes\nexpect front.registers yes\nexpect front.divergence no");
}

TEST_F(TabsTest, OlderSessionsAreReadAndDamagedOnesRefused) {
  ExplorerOptions o = options_for(kernel("copy_float.cu"));
  o.no_session = false;
  o.session = folder() + "/session.json";
  open(o);
  frames->save_session();
  nlohmann::json j = nlohmann::json::parse(*read_text(o.session));
  nlohmann::json& view = j.at("view");
  // As it was written before there were tabs.
  view.erase("panels");
  view.erase("front");
  view["arrangement"] = "Profile";
  view["hidden"] = {"timeline", "a panel of tomorrow"};
  view["shares"][2][0] = 0.5;
  ASSERT_TRUE(write_text(o.session, j.dump()));
  const auto old = read_session(o.session);
  ASSERT_TRUE(old) << to_string(old.error().front());
  for (const PanelId id : all_panels) {
    const bool then =
        id != PanelId::movement && std::find(std::begin(new_panels), std::end(new_panels), id) == std::end(new_panels);
    EXPECT_EQ(old->view.hidden[static_cast<int>(id)],
              then ? id == PanelId::timeline : default_hidden(Arrangement::profile)[static_cast<int>(id)])
        << panel_name(id);
  }
  EXPECT_EQ(old->view.shares[2][0], 0) << "it had other splits";

  view["panels"] = {"source"};
  view["front"] = "ptx";
  ASSERT_TRUE(write_text(o.session, j.dump()));
  EXPECT_FALSE(read_session(o.session));
}

}  // namespace
}  // namespace lanescope::gui
