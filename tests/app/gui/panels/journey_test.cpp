// Elements that are followed: by clicks and keys alone, in every picture, across runs and sessions.

#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/gui/state/pins.h"
#include "app/gui/state/session_file.h"
#include "tests/app/gui/fixture.h"

namespace lanescope::gui {
namespace {

class JourneyPanelTest : public ExplorerTest {
 protected:
  std::size_t flags(const std::string& panel, scene::Id::Kind kind) {
    const scene::Scene& s = frames->stage().scenes.at(panel).scene;
    return static_cast<std::size_t>(std::ranges::count_if(
        s.outlines, [&](const scene::Box& b) { return b.id.kind == kind && b.fill == app().shell.theme().selected; }));
  }
};

/// From p to q through both transposes: two clicks (the element, the first place of its path) and seven keys.
TEST_F(JourneyPanelTest, AnElementIsFollowedThroughBothTransposesWithoutAMenu) {
  open_kernel("half2_transposes.cu");
  script("wait\nclick scene registers " + cell(1, 0, 0, 0));
  script("expect selection.element 0/64\nkey K\nwait\nexpect pins p[64]\nexpect front.journey yes");
  script("expect journey.arrives q[8]\nexpect active registers");
  EXPECT_EQ(flags("registers", scene::Id::Kind::register_cell), 3u) << "y0 of lane 4, y1 of lane 0, tmp of lane 4";
  script("click scene journey journey_station/0/0\nwait\nexpect selection.line 28\nexpect selection.address 0/128");
  EXPECT_EQ(flags("global", scene::Id::Kind::memory_word), 1u);
  const std::vector<std::pair<int, std::string>> path{{28, "x1"}, {41, "y1"}, {52, "tmp"}, {53, "tmp"}, {54, "y0"}};
  for (const auto& [line, name] : path) {
    script("key J\nwait\nexpect selection.line " + std::to_string(line));
    const auto& place = app().navigation.selection.place;
    ASSERT_TRUE(place);
    const results::RegisterArray& f = app().results.summary.families[static_cast<std::size_t>(place->family)];
    EXPECT_EQ(f.registers[static_cast<std::size_t>(place->reg)], name);
    // The moment shows the element there.
    const results::RegisterGrid* grid = nullptr;
    for (const results::RegisterGrid& g : app().results.moment.grids)
      if (g.family == place->family) grid = &g;
    ASSERT_TRUE(grid) << name;
    EXPECT_EQ(grid->at(place->warp - grid->first_warp, place->reg, place->part, place->lane).element, 64u) << name;
  }
  script("key J\nwait\nexpect selection.line 68\nexpect selection.address 1/16");
  script("expect inspector.arrived p[0, 4, 0], stored at line 68 by warp 0, lane 4");
  script(
      "expect text q[8] holds p[0, 4, 0]\nkey J\nexpect selection.line 68\nkey Shift+J\nwait\nexpect selection.line "
      "54");
}

TEST_F(JourneyPanelTest, RowsOfMemoryWithAFollowedElementAreNotFolded) {
  open_kernel("half2_transposes.cu");
  script("wait\nclick scene registers " + cell(1, 0, 0, 0) + "\nkey K\nwait\nline 71\nwait");
  // The last store is of other lines; q[8] is in the first, which is shown nevertheless.
  EXPECT_GT(app().results.moment.access->addresses[0], 128u);
  script("expect scene global contains memory_word/1/4");
  EXPECT_EQ(flags("global", scene::Id::Kind::memory_word), 1u);
  // Nor where transfers are drawn.
  script("set global transactions\nframes 2\nexpect scene global contains memory_word/1/4");
  script("key Ctrl+Alt+K\nwait\nexpect pins none\nframes 2\nexpect scene global not contains memory_word/1/4");
  script("set global bytes\nframes 2");
  EXPECT_EQ(flags("global", scene::Id::Kind::memory_word), 0u);
  script("key J\nexpect remark No element is followed. Select one and press K, or click it with Ctrl held down.");
}

TEST_F(JourneyPanelTest, TheBlockThatAccessesAnElementIsRecordedByAButton) {
  open_kernel("axpy_rows.cu");
  app().navigation.selection.element = {{0, 64 * 63 + 40}};
  ASSERT_EQ(app().results.summary.buffers[0].name, "x");
  script("key K\nwait\nframes 2");
  EXPECT_EQ(block_of_journey(app()), std::optional<std::uint32_t>(15));
  script("key Ctrl+Alt+J\nwait\nframes 2\nwait\nexpect recorded.block 15");
  ASSERT_EQ(app().results.journeys.all.size(), 1u);
  EXPECT_FALSE(app().results.journeys.all[0].stations.empty());
  EXPECT_FALSE(block_of_journey(app()).has_value());
}

TEST_F(JourneyPanelTest, AClickWithControlFollowsAndEndsIt) {
  open_kernel("shared_transpose_padded.cu");
  script("wait");
  std::string id;
  for (const scene::Box& b : frames->stage().scenes.at("shared").scene.boxes)
    if (b.id.kind == scene::Id::Kind::shared_word && id.empty() && b.id.a > 40) id = scene::to_string(b.id);
  ASSERT_FALSE(id.empty());
  const auto with_control = [&] {
    ImGui::GetIO().AddKeyEvent(ImGuiMod_Ctrl, true);
    script("click scene shared " + id + "\nwait");
    ImGui::GetIO().AddKeyEvent(ImGuiMod_Ctrl, false);
    script("wait");
  };
  with_control();
  ASSERT_EQ(app().navigation.selection.pins.size(), 1u);
  EXPECT_EQ(flags("shared", scene::Id::Kind::shared_word), 1u);
  with_control();
  script("expect pins none");
}

TEST_F(JourneyPanelTest, PinsStayByTheNameOfTheirBuffer) {
  open_kernel("half2_transposes.cu");
  script("wait\nclick scene registers " + cell(1, 0, 0, 0) + "\nkey K\nwait");
  script("edit y0 = (laneId & 0x4) ? tmp : y0; => y0 = (laneId & 0x4) ? tmp  : y0;\nwait\nexpect pins p[64]");
  script("expect journey.arrives q[8]");
  const std::string path = folder() + "/session.json";
  ASSERT_TRUE(write_session(path, app()));
  const auto saved = read_session(path);
  ASSERT_TRUE(saved);
  ASSERT_EQ(saved->pins.size(), 1u);
  EXPECT_EQ(saved->pins[0].buffer, "p");
  open_kernel("copy_float.cu");
  script("wait\nexpect pins none");
  ASSERT_TRUE(apply_session(app(), *saved, true));
  script("wait\nexpect pins p[64]\nexpect journey.arrives q[8]");
}

}  // namespace
}  // namespace lanescope::gui
