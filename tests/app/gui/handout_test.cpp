// A handout from the window: what is written is the run on show, unsaved edits included, and no frame waits for it.

#include <csignal>
#include <filesystem>
#include <fstream>
#include <thread>
#include <vector>

#include <unistd.h>

#include "app/document/file_io.h"
#include "app/engine/remote/engine.h"
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

/// Processes whose parent is this one, and that run `lanescope worker`.
std::vector<int> workers() {
  std::vector<int> out;
  for (const auto& each : std::filesystem::directory_iterator("/proc")) {
    std::ifstream status(each.path() / "status"), command(each.path() / "cmdline");
    std::string line, words;
    std::getline(command, words);
    bool own = false;
    while (std::getline(status, line)) own = own || line == "PPid:\t" + std::to_string(::getpid());
    if (own && words.find("worker") != std::string::npos) out.push_back(std::stoi(each.path().filename().string()));
  }
  return out;
}

// A kernel that harms the engine which runs it for a handout does not harm the window.
TEST_F(HandoutTest, TheEngineIsAChildWhoseEndIsReported) {
  HandoutExport handout;
  handout.make_engine = [] { return engine::engine_behind({.command = {LANESCOPE_PROGRAM, "worker"}}); };
  HandoutExport::Wanted wanted{.path = folder() + "/k.html", .theme = "light"};
  wanted.request.file = folder() + "/k.cu";
  wanted.request.text =
      "/*\n[lanescope]\nblock = 32\n[buffers]\np = \"u32 i:32\"\n*/\n"
      "__global__ void k(volatile unsigned* p) { for (int i = 0; i < 1000000000; ++i) p[threadIdx.x] += i; }\n";
  ASSERT_TRUE(handout.begin(wanted));
  std::vector<int> children;
  for (int i = 0; i < 20'000 && children.empty() && handout.under_way(); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    children = workers();
  }
  ASSERT_EQ(children.size(), 1u);
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  ::kill(children.front(), SIGKILL);
  std::optional<HandoutExport::Ended> ended;
  for (int i = 0; i < 20'000 && !ended; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    ended = handout.advance();
  }
  ASSERT_TRUE(ended);
  EXPECT_FALSE(ended->good);
  EXPECT_NE(ended->words.find("The worker stopped"), std::string::npos) << ended->words;
  EXPECT_FALSE(std::filesystem::exists(wanted.path));
}

// The window's own handout goes the way of its engine.
TEST_F(HandoutTest, IsWrittenByAnEngineElsewhere) {
  ExplorerOptions options = options_for(kernel("copy_float.cu"));
  options.in_process = false;
  options.via = std::string(LANESCOPE_PROGRAM) + " worker";
  open(options);
  const std::string path = folder() + "/copy.html";
  script("wait\nkey Ctrl+Alt+H\ntype " + path + "\nkey Enter\nwait");
  EXPECT_TRUE(std::filesystem::exists(path)) << app().shell.status_text;
  EXPECT_NE(app().shell.status_text.find("Saved " + path), std::string::npos) << app().shell.status_text;
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
