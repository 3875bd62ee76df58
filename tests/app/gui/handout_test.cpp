// A handout from the window: what is written is the run on show, unsaved edits included, and no frame waits for it.

#include <filesystem>
#include <fstream>

#include "app/document/file_io.h"
#include "kernels/resources/resources.h"
#include "tests/app/gui/fixture.h"

namespace lanescope::gui {
namespace {

using HandoutTest = ExplorerTest;

TEST_F(HandoutTest, IsWrittenInTheBackgroundAndSaysSo) {
  open_kernel("half2_transposes.cu");
  const std::string path = folder() + "/half2";
  script("line 58\nwait\nkey Ctrl+Alt+H\nexpect overlay export_handout");
  script("type " + path + ".html\nkey Enter\nexpect overlay none\nwait");
  const auto html = document::read_text(path + ".html");
  ASSERT_TRUE(html);
  EXPECT_NE(html->find("__shfl_sync(~0u, tmp, laneId ^ 0x4)"), std::string::npos);
  EXPECT_NE(app().shell.status_text.find("Saved " + path + ".html (25 steps"), std::string::npos)
      << app().shell.status_text;
  // This moment as a picture.
  script("key Ctrl+Alt+H\ntype " + path + ".svg\nkey Enter\nwait");
  const auto svg = document::read_text(path + ".svg");
  ASSERT_TRUE(svg);
  EXPECT_NE(svg->find("line 58"), std::string::npos);
}

TEST_F(HandoutTest, MomentsOfTheKernelAreWrittenWithTheirCaptions) {
  std::filesystem::copy(resources::assets_directory() / "kernels/half2_transposes.cu", folder() + "/own.cu");
  std::ofstream(folder() + "/own.moments.toml")
      << "[[moment]]\nname = \"one\"\nline = 53\ncaption = \"It brings <p[8]> over.\"\n\n[[moment]]\nname = \"two\"\n"
         "line = 55\n";
  open(options_for(folder() + "/own.cu"));
  script("command picture.export_moments\ntype " + folder() + "/m.html\nkey Enter\nwait");
  const auto html = document::read_text(folder() + "/m.html");
  ASSERT_TRUE(html) << (app().shell.notices.empty() ? "" : app().shell.notices.back().text);
  EXPECT_NE(html->find("It brings &lt;p[8]&gt; over."), std::string::npos);
  EXPECT_NE(html->find("line 55 of own.cu"), std::string::npos);
}

TEST_F(HandoutTest, WhatCannotBeWrittenIsSaid) {
  open_kernel("copy_float.cu");
  script("wait\nkey Ctrl+Alt+H\ntype " + folder() + "/a.docx\nkey Enter\nwait");
  ASSERT_FALSE(app().shell.notices.empty());
  EXPECT_NE(app().shell.notices.back().text.find(".html"), std::string::npos);
  script("key Ctrl+Alt+H\ntype /no/such/folder/a.html\nkey Enter\nwait");
  EXPECT_NE(app().shell.notices.back().text.find("a.html"), std::string::npos) << app().shell.notices.back().text;
}

}  // namespace
}  // namespace lanescope::gui
