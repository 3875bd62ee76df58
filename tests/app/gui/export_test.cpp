// Panels as files: the file has the picture on screen, and errors of writing are reported.

#include <fstream>

#include "app/gui/panels/panel.h"
#include "tests/app/gui/fixture.h"
#include "viz/paint/paint.h"
#include "viz/views/base/csv.h"

namespace lanescope::gui {
namespace {

using ExportTest = ExplorerTest;

TEST_F(ExportTest, ThePictureOnScreenIsThePictureInTheFile) {
  open_kernel("shared_transpose_naive.cu");
  script("line 28\nwait");
  for (const char* panel : {"registers", "shared", "global", "timeline", "assignment"}) {
    const std::string path = folder() + "/" + panel;
    app().shell.active_panel = *panel_named(panel);
    script("key Ctrl+Alt+S\nexpect overlay export_path");
    script("type " + path + ".svg\nkey Enter\nexpect overlay none\nexpect remark Saved " + path + ".svg.");
    EXPECT_EQ(*read_text(path + ".svg"),
              paint::to_svg(frames->stage().scenes.at(panel).scene, app().shell.theme().paper()));
  }
  app().shell.active_panel = PanelId::shared;
  script("key Ctrl+Alt+P");
  script("type " + folder() + "/shared.png\nkey Enter");
  std::ifstream png(folder() + "/shared.png", std::ios::binary);
  std::string signature(4, ' ');
  png.read(signature.data(), 4);
  EXPECT_EQ(signature, "\x89PNG");
}

TEST_F(ExportTest, EveryPanelOnScreenGivesItsNumbersOrSaysThatItHasNone) {
  open_kernel("shared_transpose_naive.cu");
  script("line 28\nwait");
  for (const PanelId id : {PanelId::source, PanelId::registers, PanelId::global, PanelId::shared, PanelId::timeline,
                           PanelId::assignment, PanelId::inspector}) {
    const std::string path = folder() + "/" + std::string(panel_name(id)) + ".csv";
    const auto saved = export_panel(app(), frames->stage(), frames->window().panel(id), path);
    ASSERT_TRUE(saved) << to_string(saved.error().front());
    const auto rows = views::csv::parse(*read_text(path));
    ASSERT_GT(rows.size(), 1u) << path;
    for (const auto& row : rows) EXPECT_EQ(row.size(), rows.front().size()) << path;
  }
  // The source gives the column beside it; shared memory what is played.
  script("set heat bank_conflicts\nset what_if padding 32 1\nwait");
  EXPECT_EQ(frames->window().panel(PanelId::source).csv(app()), "line,bank_conflicts,share_of_largest\n28,992,1\n");
  const auto lanes = views::csv::parse(frames->window().panel(PanelId::shared).csv(app()));
  EXPECT_EQ(lanes.size(), 1u + 2 * 32) << "each lane in both layouts";
}

TEST_F(ExportTest, WhatCannotBeWrittenIsSaid) {
  open_kernel("copy_float.cu");
  const auto refused = [&](PanelId id, const std::string& name) {
    const auto saved = export_panel(app(), frames->stage(), frames->window().panel(id), folder() + name);
    return saved ? std::string("saved") : to_string(saved.error().front());
  };
  EXPECT_NE(refused(PanelId::registers, "/a.jpg").find("panels are not saved as .jpg"), std::string::npos);
  EXPECT_NE(refused(PanelId::registers, "/a").find("no suffix"), std::string::npos);
  EXPECT_NE(refused(PanelId::source, "/a.svg").find("has no picture now"), std::string::npos);
  EXPECT_NE(refused(PanelId::shared, "/a.svg").find("has no picture now"), std::string::npos) << "it is not there";
  EXPECT_NE(refused(PanelId::registers, "/no/such/folder/a.svg"), "saved");
  script("command picture.save_png");
  script("type " + folder() + "/no/such/folder/a.png\nkey Enter\nexpect text \"Could not save the panel\"");
}

}  // namespace
}  // namespace lanescope::gui
