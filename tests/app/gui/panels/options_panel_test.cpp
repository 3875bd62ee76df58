// The panel Options: what the compiler is given, changed by hand and kept.

#include <fstream>

#include "app/gui/state/session_file.h"
#include "kernels/compile/compile.h"
#include "tests/app/gui/fixture.h"

namespace lanescope::gui {
namespace {

class OptionsPanelTest : public ExplorerTest {
 protected:
  std::string project() {
    std::filesystem::create_directories(folder() + "/.git");
    std::ofstream(folder() + "/.lanescope.toml") << "[compile]\ndefine = [\"X=1\", \"Y\"]\n";
    std::ofstream(folder() + "/k.cu") << "__global__ void k(int* p) { p[threadIdx.x] = X; }\n";
    return folder() + "/k.cu";
  }
  void SetUp() override {
    if (!compile::toolchain().nvrtc) GTEST_SKIP() << "NVRTC is not installed";
  }
};

TEST_F(OptionsPanelTest, ShowsOptionsAndChangesThemForThisFile) {
  ExplorerOptions o = options_for(project());
  o.compiler_options = {"-DZ=3"};
  open(o);
  script("expect options.used -DZ=3 -DX=1 -DY\ncommand panel.options\nframes 2\nexpect text Defines\n");
  script(
      "click item Option\ntype -DX=2 -O3\nframes 2\nclick item \"Add options\"\nwait\nexpect options.used -DX=2 -DZ=3 "
      "-DY\n");
  script("frames 2\nexpect text Not\nclick item \"Remove -DY\"\nwait\nexpect options.used -DX=2 -DZ=3\n");
  script("frames 2\nclick item \"Edit -DX=2\"\nwait\nexpect options.used -DZ=3 -DX=1\n");
  script("frames 2\nclick item \"Add options\"\nwait\nexpect options.used -DX=2 -DZ=3\n");
  script(
      "click item Command\ntype nvcc -DW k.cu\nframes 2\nclick item \"Use command\"\nwait\nexpect options.used -DX=2 "
      "-DZ=3 -DW\n");
  // They are of this file, and kept with the session.
  const std::string session = folder() + "/session.json";
  ASSERT_TRUE(write_session(session, app()));
  const auto saved = read_session(session);
  ASSERT_TRUE(saved) << to_string(saved.error().front());
  EXPECT_EQ(saved->choices.at(app().document.file()).removed, (std::vector<std::string>{"-DY"}));
  EXPECT_EQ(saved->choices.at(app().document.file()).nvcc_command, "nvcc -DW k.cu");
  script("command run.reset_options\nwait\nexpect options.used -DZ=3 -DX=1 -DY\n");
}

/// A session is a file, perhaps of another user: options that only a user may give are typed again.
TEST_F(OptionsPanelTest, ASessionGivesWhatAFileMayGive) {
  open(options_for(project()));
  const std::string session = folder() + "/session.json";
  auto& choices = app().settings.choices;
  choices["/a.cu"] = {.added = {"-DX=1", "--create-pch=x"}, .removed = {}, .nvcc_command = {}};
  choices["/b.cu"] = {.added = {}, .removed = {}, .nvcc_command = "nvcc -Xptxas --options-file=x b.cu"};
  choices["/c.cu"] = {.added = {"-Xptxas", "-O1"}, .removed = {}, .nvcc_command = "nvcc -O3 -DW c.cu -o c"};
  ASSERT_TRUE(write_session(session, app()));
  const auto saved = read_session(session);
  ASSERT_TRUE(saved) << to_string(saved.error().front());
  EXPECT_TRUE(saved->choices.at("/a.cu").added.empty());
  EXPECT_EQ(saved->choices.at("/b.cu").nvcc_command, "");
  EXPECT_EQ(saved->choices.at("/c.cu").added, choices["/c.cu"].added);
  EXPECT_EQ(saved->choices.at("/c.cu").nvcc_command, choices["/c.cu"].nvcc_command);
  EXPECT_EQ(saved->refused, (std::vector<std::string>{"--create-pch=x", "-Xptxas --options-file=x"}));
}

TEST(CompilerChoices, AreAddedAndTakenAway) {
  CompilerChoices c;
  EXPECT_TRUE(add_options(c, " -I include  -D'X=a b' "));
  EXPECT_EQ(c.added, (std::vector<std::string>{"-I", "include", "-DX=a b"}));
  EXPECT_FALSE(add_options(c, "  "));
  EXPECT_FALSE(add_options(c, "-D'X"));
  options::UsedOption o;
  o.written = "-I include";
  o.origin = options::Origin::window;
  EXPECT_TRUE(remove_option(c, o));
  EXPECT_EQ(c.added, (std::vector<std::string>{"-DX=a b"}));
  EXPECT_FALSE(remove_option(c, o));
  o.origin = options::Origin::header;
  EXPECT_FALSE(remove_option(c, o));
  o.origin = options::Origin::project_file;
  EXPECT_TRUE(remove_option(c, o));
  EXPECT_TRUE(remove_option(c, o));
  EXPECT_EQ(c.removed, (std::vector<std::string>{"-I include"}));
}

}  // namespace
}  // namespace lanescope::gui
