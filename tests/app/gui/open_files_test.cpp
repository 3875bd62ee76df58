// Opening files: the dialog of the desktop, the list of files and folders, and files dropped on the window.

#include <sys/stat.h>

#include <chrono>
#include <cstdlib>
#include <thread>

#include "app/desktop/open_dialog.h"
#include "app/gui/platform/platform.h"
#include "app/gui/shell/overlay.h"
#include "tests/app/gui/fixture.h"

namespace lanescope::gui {
namespace {

/// Sets a variable of the environment while it lives.
class Setting {
 public:
  Setting(const char* name, const std::string& value) : name_(name) {
    if (const char* old = std::getenv(name)) old_ = old;
    ::setenv(name, value.c_str(), 1);
  }
  ~Setting() { old_ ? ::setenv(name_, old_->c_str(), 1) : ::unsetenv(name_); }

 private:
  const char* name_;
  std::optional<std::string> old_;
};

class OpenFilesTest : public ExplorerTest {
 protected:
  /// A stand-in for zenity: runs these shell lines.
  std::string program(const std::string& lines) {
    const std::string path = folder() + "/zenity";
    EXPECT_TRUE(write_text(path, "#!/bin/sh\n" + lines + "\n"));
    ::chmod(path.c_str(), 0755);
    return path;
  }
  void wait_for_dialog() {
    const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (app().open_dialog.is_open() && std::chrono::steady_clock::now() < until) {
      frames->settle(1);
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    ASSERT_FALSE(app().open_dialog.is_open());
    ASSERT_TRUE(wait_until_settled(*frames));
  }
};

TEST_F(OpenFilesTest, TheDialogOfTheDesktopOpensAFile) {
  open_kernel("copy_float.cu");
  app().shell.has_desktop = true;
  const Setting dialog("LANESCOPE_FILE_DIALOG",
                       program("echo \"$@\" > " + folder() + "/arguments; echo " + kernel("copy_int.cu")));
  script("key Ctrl+O\nexpect overlay none");
  wait_for_dialog();
  script("expect file copy_int.cu");
  const std::string arguments = *read_text(folder() + "/arguments");
  EXPECT_NE(arguments.find("--filename=" + kernel("")), std::string::npos)
      << "it begins beside the open file: " << arguments;
  EXPECT_NE(arguments.find("*.cu"), std::string::npos);
}

TEST_F(OpenFilesTest, WhileTheDialogIsOpenTheWindowGoesOn) {
  open_kernel("copy_float.cu");
  app().shell.has_desktop = true;
  const Setting dialog("LANESCOPE_FILE_DIALOG",
                       program("while [ ! -e " + folder() + "/go ]; do sleep 0.02; done; exit 1"));
  script("key Ctrl+O\nkey T\nexpect theme light\nkey Ctrl+O\nexpect text \"open already\"");
  EXPECT_LE(app().due_in(app().shell.now), 0.11) << "its answer is looked for";
  ASSERT_TRUE(write_text(folder() + "/go", ""));
  wait_for_dialog();
  script("expect file copy_float.cu\nexpect overlay none");
}

TEST_F(OpenFilesTest, WithoutADialogThereIsAList) {
  open_kernel("copy_float.cu");
  app().shell.has_desktop = true;
  {
    const Setting dialog("LANESCOPE_FILE_DIALOG", program("exit 7"));
    script("key Ctrl+O");
    wait_for_dialog();
    script("expect overlay open_path\nkey Escape");
  }
  {
    const Setting dialog("LANESCOPE_FILE_DIALOG", "none");
    script("key Ctrl+O\nexpect overlay open_path\nkey Escape");
  }
  {
    const Setting dialog("LANESCOPE_FILE_DIALOG", folder() + "/no such program");
    script("key Ctrl+O\nexpect overlay open_path\nkey Escape");
  }
  app().shell.has_desktop = false;
  script("key Ctrl+O\nexpect overlay open_path");
}

TEST_F(OpenFilesTest, TheListGoesThroughFoldersAndKnowsRecentFiles) {
  std::filesystem::create_directories(folder() + "/inner/deep");
  for (const char* name : {"/one.cu", "/inner/two.cu", "/inner/deep/three.cu"})
    ASSERT_TRUE(write_text(folder() + name, *read_text(kernel("copy_float.cu"))));
  ASSERT_TRUE(write_text(folder() + "/notes.txt", "no kernel"));
  open(options_for(folder() + "/inner/deep/three.cu"));
  app().editor.open(folder() + "/one.cu");
  ASSERT_TRUE(wait_until_settled(*frames));
  script("key Ctrl+Shift+O\nexpect overlay open_path\nexpect text one.cu\nexpect text inner/\nexpect text ../");
  script("expect text not notes.txt\nexpect text three.cu\nexpect text \"recent folder\"");
  script("click item inner/\nexpect overlay open_path\nexpect text two.cu\nexpect text deep/");
  script("click item ../\nexpect text one.cu\nclick item inner/\nclick item two.cu\nexpect overlay none");
  ASSERT_TRUE(wait_until_settled(*frames));
  script("expect file two.cu");
  script(
      "key Ctrl+Shift+O\ntype de\nexpect text deep/\nexpect text not ../\nkey Enter\nexpect text three.cu\nkey Escape");
}

TEST_F(OpenFilesTest, FilesAndFoldersAreDropped) {
  open_kernel("copy_float.cu");
  script("drop " + kernel("copy_int.cu") + "\nwait\nexpect file copy_int.cu");
  script("drop " + std::string(LANESCOPE_SOURCE_DIR) +
         "/assets/kernels\nexpect overlay open_path\nexpect text copy_int4.cu");
  script("key Escape\ndrop " + folder() + "/no such file.cu\nexpect text \"Could not open\"\nexpect file copy_int.cu");
  frames->platform().on_drop({kernel("copy_int2.cu"), kernel("copy_int4.cu")});
  frames->settle(2);
  ASSERT_TRUE(wait_until_settled(*frames));
  script("expect file copy_int2.cu\nexpect text \"Of 2 dropped files the first is opened\"");
}

TEST_F(OpenFilesTest, EditsAreNotLostToADroppedFile) {
  open_kernel("copy_float.cu");
  script("edit float => double\nwait\ndrop " + kernel("copy_int.cu") +
         "\nexpect overlay discard\nexpect file copy_float.cu");
  script("key Escape\nexpect edited yes");
}

TEST(OpenDialogTest, ProgramsAreFoundByTheirDesktop) {
  const std::string folder =
      std::filesystem::temp_directory_path() / ("lanescope_dialogs" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder);
  for (const char* name : {"zenity", "kdialog"}) {
    ASSERT_TRUE(write_text(folder + "/" + name, "#!/bin/sh\n"));
    ::chmod((folder + "/" + name).c_str(), 0755);
  }
  ::unsetenv("LANESCOPE_FILE_DIALOG");
  const Setting path("PATH", folder), wayland("WAYLAND_DISPLAY", "");
  {
    const Setting display("DISPLAY", ":7"), desktop("XDG_CURRENT_DESKTOP", "GNOME");
    EXPECT_EQ(desktop::open_dialog_command("/tmp").front(), "zenity");
    EXPECT_EQ(desktop::open_dialog_command("/tmp").back(), "--filename=/tmp/");
  }
  {
    const Setting display("DISPLAY", ":7"), desktop("XDG_CURRENT_DESKTOP", "KDE");
    EXPECT_EQ(desktop::open_dialog_command("/tmp").front(), "kdialog");
  }
  {
    const Setting display("DISPLAY", "");
    EXPECT_TRUE(desktop::open_dialog_command("/tmp").empty()) << "nothing could be shown";
  }
  std::filesystem::remove_all(folder);
}

TEST(ReadableScale, GrowsWithThePixels) {
  EXPECT_EQ(readable_scale(1280, 800), 1);
  EXPECT_EQ(readable_scale(1600, 1000), 1);
  EXPECT_EQ(readable_scale(1920, 1080), 1);
  EXPECT_EQ(readable_scale(2560, 1440), 1.25f);
  EXPECT_EQ(readable_scale(3840, 2160), 2);
  EXPECT_EQ(readable_scale(3840, 1080), 1) << "wide, not large";
  EXPECT_EQ(readable_scale(100000, 100000), 3);
}

TEST_F(OpenFilesTest, LargeDisplaysStartAtAReadableScale) {
  ExplorerOptions o = options_for(kernel("copy_float.cu"));
  o.width = 3840, o.height = 2160;
  open(o);
  script("expect scale 2");
  o.scale = 1.5f;
  open(o);
  script("expect scale 1.5");
  // The scale that was chosen last time stays.
  app().shell.set_scale(1.25f);
  o.scale = 0, o.no_session = false, o.session = folder() + "/session.json";
  open(o);
  app().shell.set_scale(1.25f);
  frames->save_session();
  open(o);
  script("expect scale 1.25");
}

TEST_F(OpenFilesTest, TheCatalogueIsSearchedByWhatKernelsShow) {
  open_kernel("copy_float.cu");
  const auto labels = [&](const std::string& query) {
    std::vector<std::string> out;
    for (const Choice& c : kernel_choices(app(), query)) out.push_back(c.label);
    return out;
  };
  EXPECT_EQ(labels("histogram race").front(), "histogram_race.cu");
  EXPECT_EQ(labels("bank-conflict rmse"), std::vector<std::string>{"rmse_modulo.cu"});
  EXPECT_EQ(labels("cpyflt4").front(), "copy_float4.cu") << "letters of a name, as before";
  EXPECT_GT(labels("").size(), 80u);
  for (const Choice& c : kernel_choices(app(), "histogram race")) {
    EXPECT_FALSE(c.more.empty()) << c.label;
    EXPECT_FALSE(c.detail.empty()) << c.label;
  }
  script("key Ctrl+K\nexpect overlay kernels\ntype lost count zero\nkey Enter\nwait\nexpect file count_zeros_race.cu");
}

}  // namespace
}  // namespace lanescope::gui
