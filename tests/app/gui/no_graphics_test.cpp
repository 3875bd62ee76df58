// A machine on which nothing can be drawn: a message reports it, and the status is 3.
// A library is hidden by an empty file of its name, which the dynamic loader finds first and does not take.

#include <algorithm>

#include "tests/app/cli/program.h"

namespace lanescope::gui {
namespace {

/// A variable of the environment, as long as this lives.
class Set {
 public:
  Set(std::string name, const std::string& value) : name_(std::move(name)) {
    if (const char* before = std::getenv(name_.c_str())) before_ = before, had_ = true;
    ::setenv(name_.c_str(), value.c_str(), 1);
  }
  ~Set() { had_ ? ::setenv(name_.c_str(), before_.c_str(), 1) : ::unsetenv(name_.c_str()); }
  Set(const Set&) = delete;
  Set& operator=(const Set&) = delete;

 private:
  std::string name_, before_;
  bool had_ = false;
};

class NoGraphics : public cli::ProgramTest {
 protected:
  void SetUp() override {
    cli::ProgramTest::SetUp();
#ifndef LANESCOPE_PROGRAM
    GTEST_SKIP() << "SKIPPED LOUDLY: the program was not built";
#endif
  }

  /// A folder whose libraries of these names cannot be opened.
  std::string without(std::initializer_list<const char*> libraries) const {
    const std::string folder = path("without");
    std::filesystem::create_directories(folder);
    for (const char* library : libraries) write(std::string("without/") + library, "");
    const char* others = std::getenv("LD_LIBRARY_PATH");
    return others != nullptr && *others != '\0' ? folder + ":" + others : folder;
  }

  /// One line of words that has all of `parts`, nothing else anywhere, and the status of what cannot be done here.
  static void expect_refused(const Result& r, std::initializer_list<const char*> parts) {
    EXPECT_EQ(r.status, 3) << r.err;
    EXPECT_EQ(std::count(r.err.begin(), r.err.end(), '\n'), 1) << r.err;
    for (const char* part : parts) EXPECT_NE(r.err.find(part), std::string::npos) << part << "\n" << r.err;
    EXPECT_EQ(r.out, "");
  }

  /// Output and exit status of the program itself: xvfb-run sometimes fails when it ends its server.
  Result window(const std::string& prefix) const {
    const std::string inner = fmt::format("\"$0\" --no-session assets/kernels/copy_float.cu > {} 2> {}; echo $? > {}",
                                          path("out"), path("err"), path("status"));
    const std::string command = fmt::format("cd '{}' && {} sh -c '{}' '{}' > /dev/null 2>&1", LANESCOPE_SOURCE_DIR,
                                            prefix, inner, cli::program);
    std::filesystem::remove(path("status"));
    static_cast<void>(std::system(command.c_str()));
    const std::string status = cli::slurp(path("status"));
    return {status.empty() ? -1 : std::atoi(status.c_str()), cli::slurp(path("out")), cli::slurp(path("err"))};
  }
};

const std::string offscreen = "--offscreen --no-session assets/kernels/copy_float.cu";
constexpr auto libgl = {"libGL.so", "libGL.so.1", "libGL.so.3"};

TEST_F(NoGraphics, OffscreenWithoutLibGl) {
  const Set hidden("LD_LIBRARY_PATH", without(libgl));
  expect_refused(run(offscreen), {"libGL.so.1 cannot be opened", "install libgl1", "render"});
}

TEST_F(NoGraphics, OffscreenWithoutEgl) {
  const Set hidden("LD_LIBRARY_PATH", without({"libEGL.so.1"}));
  expect_refused(run(offscreen), {"libEGL.so.1 cannot be opened", "install libegl1"});
}

TEST_F(NoGraphics, OffscreenWithoutADriver) {
  const Set none("__EGL_VENDOR_LIBRARY_FILENAMES", "/dev/null");
  expect_refused(run(offscreen), {"EGL finds no device to draw with", "libgl1-mesa-dri"});
}

TEST_F(NoGraphics, OffscreenWhereOpenGlIsOld) {
  const char* mesa = "/usr/share/glvnd/egl_vendor.d/50_mesa.json";
  if (!std::filesystem::exists(mesa)) GTEST_SKIP() << "SKIPPED LOUDLY: only Mesa can be determined to be old";
  const Set only("__EGL_VENDOR_LIBRARY_FILENAMES", mesa);
  const Set old("MESA_GL_VERSION_OVERRIDE", "2.1");
  expect_refused(run(offscreen), {"OpenGL 3.3", "driver"});
}

TEST_F(NoGraphics, NoDisplay) {
  expect_refused(run("--no-session assets/kernels/copy_float.cu"),
                 {"the window could not be opened", "DISPLAY", "--offscreen"});
}

TEST_F(NoGraphics, AWindowWithoutLibGlOrWithAnOldOne) {
  if (std::system("command -v xvfb-run xauth Xvfb > /dev/null 2>&1") != 0)
    GTEST_SKIP() << "SKIPPED LOUDLY: xvfb-run is needed; apt-get install xvfb xauth";
  const std::string folder = without(libgl);
  expect_refused(window("xvfb-run -a env -u WAYLAND_DISPLAY LD_LIBRARY_PATH='" + folder + "'"),
                 {"libGL.so.1 cannot be opened", "install libgl1"});
  expect_refused(window("xvfb-run -a env -u WAYLAND_DISPLAY LIBGL_ALWAYS_SOFTWARE=1 __GLX_VENDOR_LIBRARY_NAME=mesa "
                        "MESA_GL_VERSION_OVERRIDE=2.1"),
                 {"3.3", "driver"});
}

// Machines without graphics are where most kernels run.
TEST_F(NoGraphics, CommandsNeedNone) {
  const Set hidden("LD_LIBRARY_PATH",
                   without({"libGL.so", "libGL.so.1", "libGL.so.3", "libEGL.so.1", "libOpenGL.so.0", "libGLX.so.0"}));
  const Result figures = run("figures");
  EXPECT_EQ(figures.status, 0) << figures.err;
  const Result picture = run("render assets/kernels/copy_float.cu --view registers -o '" + path("x.svg") + "'");
  EXPECT_EQ(picture.status, 0) << picture.err;
  const Result doctor = run("doctor");
  EXPECT_NE((doctor.out + doctor.err).find("libGL.so.1 and libEGL.so.1 cannot be opened"), std::string::npos);
}

}  // namespace
}  // namespace lanescope::gui
