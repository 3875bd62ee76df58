// One smoke test through a real X server: key presses shorter than a frame arrive.

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <string>
#include <thread>

#include "app/gui/model/document.h"
#include "tests/shell_word.h"

namespace lanescope::gui {
namespace {

using namespace std::chrono_literals;

bool installed(const std::string& program) {
  return std::system(("command -v " + program + " > /dev/null 2>&1").c_str()) == 0;
}

pid_t start(const std::string& command) {
  const pid_t pid = fork();
  if (pid == 0) {
    execl("/bin/sh", "sh", "-c", ("exec " + command).c_str(), nullptr);
    _exit(127);
  }
  return pid;
}

void end(pid_t pid) {
  kill(pid, SIGTERM);
  int status = 0;
  waitpid(pid, &status, 0);
}

bool eventually(const std::string& command, std::chrono::seconds most) {
  const auto until = std::chrono::steady_clock::now() + most;
  while (std::chrono::steady_clock::now() < until) {
    if (std::system(command.c_str()) == 0) return true;
    std::this_thread::sleep_for(20ms);
  }
  return false;
}

/// Whether the process ends, with `again` after each of its 200 ms in which it does not.
bool ends(pid_t pid, const std::function<void()>& again = {}) {
  for (int tries = 0; tries < 200; ++tries) {
    for (int i = 0; i < 20; ++i, std::this_thread::sleep_for(10ms))
      if (int status = 0; waitpid(pid, &status, WNOHANG) == pid) return true;
    if (again) again();
  }
  end(pid);
  return false;
}

TEST(RealDisplay, ShortKeyPressesArriveAndTheWindowCloses) {
  if (!installed("Xvfb") || !installed("xdotool")) {
    GTEST_SKIP() << "SKIPPED LOUDLY: Xvfb and xdotool are needed for the one test through a real display; apt-get "
                    "install xvfb xdotool";
  }
#ifndef LANESCOPE_PROGRAM
  GTEST_SKIP() << "SKIPPED LOUDLY: the program was not built";
#else
  const std::string display = ":" + std::to_string(200 + getpid() % 400);
  const std::string folder =
      (std::filesystem::temp_directory_path() / ("lanescope_x" + std::to_string(getpid()))).string();
  std::filesystem::create_directories(folder);
  const pid_t server = start("Xvfb " + display + " -screen 0 1280x800x24 -nolisten tcp -noreset > " +
                             shell_word(folder + "/x.log") + " 2>&1");
  const std::string on = "DISPLAY=" + display + " ", quiet = " > /dev/null 2>&1";
  ASSERT_TRUE(eventually(on + "xdotool getdisplaygeometry" + quiet, 20s)) << "Xvfb did not start";
  const std::string session = folder + "/session.json";
  const pid_t program =
      start("env " + on + "LIBGL_ALWAYS_SOFTWARE=1 " + shell_word(LANESCOPE_PROGRAM) + " --session " +
            shell_word(session) + " " + shell_word(LANESCOPE_SOURCE_DIR "/assets/kernels/copy_float.cu") + " > " +
            shell_word(folder + "/program.log") + " 2>&1");
  // Its title is set by its first frame.
  EXPECT_TRUE(eventually(on + "xdotool search --name copy_float" + quiet, 60s)) << "no window appeared";
  // The usual size is larger than this display.
  EXPECT_TRUE(eventually(
      on + "sh -c 'xdotool search --name copy_float getwindowgeometry | grep -qx \"  Geometry: 1280x800\"'", 5s))
      << "the window does not fit the display";
  // There is no window manager: the focus is given by hand, and asked back. Then each key is down for no time at all. The
  // events of a window arrive in order: the program takes the focus before the first key, and each key before the last one.
  const std::string focus =
      on +
      "sh -c 'w=$(xdotool search --name copy_float | tail -1); xdotool mousemove 1100 700 windowfocus $w; "
      "[ \"$(xdotool getwindowfocus)\" = \"$w\" ]'" +
      quiet;
  EXPECT_TRUE(eventually(focus, 30s)) << "the window did not take the focus";
  for (const char* key : {"t", "F3", "ctrl+equal", "ctrl+7", "ctrl+q"})
    EXPECT_EQ(std::system((on + "xdotool key --delay 0 " + key + quiet).c_str()), 0);
  EXPECT_TRUE(ends(program)) << "Ctrl+Q did not close it";
  const auto text = read_text(session);
  EXPECT_TRUE(text) << "no session was written";
  if (text) {
    EXPECT_NE(text->find("\"theme\": \"light\""), std::string::npos) << "the key T was lost";
    EXPECT_NE(text->find("\"arrangement\": \"Debug\""), std::string::npos) << "the key F3 was lost";
    EXPECT_NE(text->find("\"scale\": 1.125"), std::string::npos) << "Ctrl and + were lost";
    EXPECT_NE(text->find("\"timeline\""), std::string::npos) << "Ctrl+7 was lost";
  }
  end(server);
  std::filesystem::remove_all(folder);
#endif
}

/// The desktop's own dialog, as it is installed: a name with blanks and quotes arrives, and Escape changes nothing.
class RealDialog : public ::testing::TestWithParam<const char*> {};

TEST_P(RealDialog, NamesArriveAsTheyAreAndEscapeCancels) {
  const std::string dialog = GetParam();
  if (!installed("Xvfb") || !installed("xdotool") || !installed(dialog))
    GTEST_SKIP() << "SKIPPED LOUDLY: Xvfb, xdotool and " << dialog << " are needed";
#ifndef LANESCOPE_PROGRAM
  GTEST_SKIP() << "SKIPPED LOUDLY: the program was not built";
#else
  const std::string display = ":" + std::to_string(600 + getpid() % 300);
  const std::string folder =
      (std::filesystem::temp_directory_path() / ("lanescope dialog " + std::to_string(getpid()))).string();
  std::filesystem::create_directories(folder);
  // kdialog reads a double quote that is typed as the beginning of a list of names.
  const std::string name = dialog == "kdialog" ? "it's a $kernel.cu" : "it's a \"$kernel\".cu";
  std::filesystem::copy_file(LANESCOPE_SOURCE_DIR "/assets/kernels/copy_float.cu", folder + "/" + name);
  std::filesystem::copy_file(LANESCOPE_SOURCE_DIR "/assets/kernels/copy_int.cu", folder + "/first.cu");
  const pid_t server = start("Xvfb " + display + " -screen 0 1280x800x24 -nolisten tcp -noreset > /dev/null 2>&1");
  const std::string on = "DISPLAY=" + display + " XDG_RUNTIME_DIR=" + shell_word(folder) + " ";
  const std::string quiet = " > /dev/null 2>&1", window = "xdotool search --name 'Open a kernel'";
  ASSERT_TRUE(eventually(on + "xdotool getdisplaygeometry" + quiet, 20s)) << "Xvfb did not start";
  for (const bool chooses : {true, false}) {
    write_text(folder + "/script", "wait\nkey Ctrl+O\nframes 300\nwait\nprint file\nquit\n");
    const pid_t program = start("env " + on + "LIBGL_ALWAYS_SOFTWARE=1 LANESCOPE_FILE_DIALOG=" + dialog + " " +
                                shell_word(LANESCOPE_PROGRAM) + " --size 1200x760 --no-session --script " +
                                shell_word(folder + "/script") + " " + shell_word(folder + "/first.cu") + " > " +
                                shell_word(folder + "/said") + " 2>&1");
    EXPECT_TRUE(eventually(on + window + quiet, 30s)) << "no dialog";
    EXPECT_TRUE(eventually(on +
                               "sh -c 'w=$(xdotool search --name \"Open a kernel\" | tail -1); xdotool windowfocus $w; "
                               "[ \"$(xdotool getwindowfocus)\" = \"$w\" ]'" +
                               quiet,
                           30s))
        << "the dialog did not take the focus";
    const auto press = [&](const std::string& key) { std::system((on + "xdotool key " + key + quiet).c_str()); };
    if (chooses && dialog == "zenity") press("ctrl+l"), press("ctrl+a");
    if (chooses) std::system((on + "xdotool type --delay 20 " + shell_word(folder + "/" + name) + quiet).c_str());
    // A dialog that still completes the name takes the next one.
    const std::string last = chooses ? "Return" : "Escape";
    press(last);
    EXPECT_TRUE(ends(program, [&] { press(last); })) << "the dialog stays";
    EXPECT_EQ(read_text(folder + "/said").value_or(""), "file " + (chooses ? name : "first.cu") + "\n");
  }
  end(server);
  std::filesystem::remove_all(folder);
#endif
}

INSTANTIATE_TEST_SUITE_P(Programs, RealDialog, ::testing::Values("zenity", "kdialog"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace lanescope::gui
