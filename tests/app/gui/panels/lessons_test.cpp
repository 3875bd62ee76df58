// A lesson is played from its first question to its last one, and moments are prepared and presented, all with keys and
// clicks.

#include <algorithm>
#include <array>
#include <fstream>

#include "app/document/file_io.h"
#include "app/lessons/lesson.h"
#include "tests/app/gui/fixture.h"

namespace lanescope::gui {
namespace {

#ifndef LANESCOPE_PROGRAM
#error "these tests need the program"
#endif

class Lessons : public ExplorerTest {
 protected:
  void open_lesson(const std::string& session = "") {
    ExplorerOptions o = options_for("");
    o.width = 1280, o.height = 800;
    if (!session.empty()) o.session = session, o.no_session = false;
    o.lesson = LANESCOPE_TEST_DATA_DIR "/lessons/01-first";
    frames.reset();
    auto opened = Frames::open(o);
    ASSERT_TRUE(opened) << to_string(opened.error().front());
    frames = std::move(*opened);
    app().lecture.program = LANESCOPE_PROGRAM;
    app().open_lesson(o.lesson);
    ASSERT_TRUE(wait_until_settled(*frames));
  }
  /// The first lesson of the program, at a page from 1. Answers are the program's: never of this test, which would run
  /// itself.
  void open_hierarchy_lesson(int page) {
    ExplorerOptions o = options_for("");
    o.width = 1280, o.height = 800;
    o.lesson = "01";
    frames.reset();
    auto opened = Frames::open(o);
    ASSERT_TRUE(opened) << to_string(opened.error().front());
    frames = std::move(*opened);
    app().lecture.program = LANESCOPE_PROGRAM;
    app().open_lesson(app().lecture.lesson()->folder);
    app().lecture.go_to_page(page - 1);
    ASSERT_TRUE(wait_until_settled(*frames));
  }
  std::string kernel_copy() {
    const std::string path = folder() + "/own.cu";
    std::filesystem::copy_file(kernel("half2_transposes.cu"), path);
    return path;
  }
};

/// Two clicks, a digit and Enter; what comes to lie under the mouse that clicked is not explained over the question.
TEST_F(Lessons, FromTheWelcomePageToTheFirstRightAnswer) {
  ExplorerOptions first = options_for("");
  first.width = 1280, first.height = 800;
  first.no_session = false, first.session = folder() + "/session.json";
  open(first);
  app().lecture.program = LANESCOPE_PROGRAM;
  script("wait\nclick item \"Begin the first lesson\"\nwait\nexpect lesson.page 1 of 9\nframes 90");
  script("expect text not One execution of a kernel");
  script("click item \"Answer warps-of-256-threads\"\ntype 8\\n\nwait\nexpect question.warps-of-256-threads right");
}

/// Wrong and right replies of each kind, each reported as what it is; progress is kept over a restart.
TEST_F(Lessons, PlaysFromStartToEnd) {
  const std::string session = folder() + "/session.json";
  open_lesson(session);
  script("expect lesson.page 1 of 3\nexpect lesson.answered 0 of 4\nexpect question.stride-2 open");
  script("expect text Answer first, then look.\nexpect text not Each lane sends the half-words");
  // One click, what is typed, Enter: the first answer.
  script("click item \"Answer stride-2\"\ntype 7\\n\nwait\nexpect question.stride-2 wrong\nexpect text Hint: 32 lanes");
  script("click item \"Answer stride-2\"\nkey Ctrl+A\ntype eight\\n\nwait\nexpect question.stride-2 unclear");
  script("click item \"Answer stride-2\"\nkey Ctrl+A\ntype 8\\n\nwait\nexpect question.stride-2 right");
  script(
      "expect text 8 sectors of 32 bytes\nexpect lesson.answered 1 of 4\nexpect text Each lane sends the half-words");
  script("key PageDown\nwait\nexpect lesson.stop 2 of 5\nexpect selection.line 53\nexpect file half2_transposes.cu");
  script("expect colour k3\nexpect selection.place not none\nexpect front.registers yes");
  EXPECT_EQ(app().navigation.selection.pins.size(), 1U);
  script("click item \"Choice registers\"\nwait\nexpect question.where wrong");
  const lessons::Question& where = *app().lecture.lesson()->questions()[1];
  ASSERT_NE(app().lecture.answer(where), nullptr);
  script("click item \"Choice " + app().lecture.answer(where)->text + "\"\nwait\nexpect question.where right");
  script("key PageDown\nwait\nexpect lesson.page 2 of 3\nexpect lesson.stop 3 of 5");
  script(
      "click item \"Answer thread-row\"\ntype t4 t3 t2 t1 t0 <-> j1 j0 j2 k1 k2\\n\nwait\nexpect question.thread-row "
      "wrong");
  script(
      "click item \"Answer thread-row\"\nkey Ctrl+A\ntype thread: j1 j0 j2 k2 k1\\n\nwait\nexpect question.thread-row "
      "right");
  script(
      "key PageDown\nwait\nexpect lesson.stop 4 of 5\nexpect file broken.cu\nexpect selection.line 24\nexpect "
      "front.global yes");
  script("key PageDown\nwait\nexpect lesson.page 3 of 3\nexpect lesson.stop 5 of 5");
  script(
      "click item \"Edit broken.cu\"\nwait\nexpect front.source yes\ncommand lesson.check_code\nwait\nexpect "
      "question.fix wrong");
  script("expect file broken.cu\nedit 2 * i => i\nwait\nexpect edited yes\ncommand lesson.check_code\nwait");
  script("expect question.fix right\nexpect edited no\nexpect lesson.answered 4 of 4");
  script("key PageDown\nexpect lesson.stop 5 of 5");
  // The kernel of the lesson itself is as it was.
  EXPECT_NE(document::read_text(LANESCOPE_TEST_DATA_DIR "/lessons/01-first/broken.cu")->find("2 * i"),
            std::string::npos);
  open_lesson(session);
  script("expect lesson.page 3 of 3\nexpect lesson.answered 4 of 4\nexpect question.stride-2 right");
}

TEST_F(Lessons, AMomentThatIsNotThereIsSaid) {
  open_lesson();
  lessons::SavedMoment gone = *app().lecture.lesson()->moments()[0];
  gone.text = "tmp = nothing;";
  app().lecture.wanted = gone;
  script("wait\nexpect text was changed or is gone");
  EXPECT_FALSE(app().lecture.wanted);
}

/// Ten moments are prepared with one key each, one is given its caption, and two keys present them at 1280 x 800.
TEST_F(Lessons, TenMomentsArePresentedWithTwoKeys) {
  ExplorerOptions o = options_for(kernel_copy());
  o.width = 1280, o.height = 800;
  open(o);
  std::vector<std::string> steps;
  for (int n = 0; n < 10; ++n) {
    script("key Right\nwait\nkey Ctrl+M\nwait\nexpect moments " + std::to_string(n + 1));
    steps.push_back(fact("selection.step"));
  }
  script("command panel.moments\nframes 2\nclick item \"Moment caption\"\ntype The last one\\n\nframes 2");
  EXPECT_EQ(app().lecture.moments().back().caption, "The last one");
  script("command panel.registers\nkey F5\nwait\nexpect text 10 of 10\nexpect text The last one");
  for (int n = 8; n >= 0; --n) {
    script("key PageUp\nwait\nexpect text " + std::to_string(n + 1) + " of 10");
    EXPECT_EQ(fact("selection.step"), steps[static_cast<std::size_t>(n)]);
  }
  script("key PageUp\nwait");
  EXPECT_EQ(fact("selection.step"), steps[0]);
  for (int n = 1; n < 10; ++n) {
    script("key PageDown\nwait");
    EXPECT_EQ(fact("selection.step"), steps[static_cast<std::size_t>(n)]);
  }
  // Another start finds them.
  open(o);
  script("expect moments 10\nkey PageDown\nwait");
  EXPECT_EQ(fact("selection.step"), steps[0]);
}

/// The panels beside the picture, and their sizes, come back.
TEST_F(Lessons, AMomentKeepsItsPanelsAndItsZoom) {
  ExplorerOptions o = options_for(kernel_copy());
  o.width = 1280, o.height = 800;
  open(o);
  script(
      "line 30\nwait\ncommand panel.lanes\nframes 2\ncommand panel.global\nframes 2\n"
      "scroll scene global memory_word/0/96 3\nframes 2");
  const std::string zoom = fact("zoom.global");
  script("key Ctrl+M\nwait\nexpect moments 1");
  ASSERT_EQ(app().lecture.moments()[0].panels, std::vector<std::string>{"lanes"});
  EXPECT_NEAR(app().lecture.moments()[0].zoom, 1.64f, 0.02f);
  script(
      "command panel.registers\nframes 2\nexpect front.lanes no\ncommand panel.global\ncommand picture.fit\nframes 2");
  EXPECT_NE(fact("zoom.global"), zoom);
  script("command panel.moments\nframes 2\nclick item \"Moment line-30\"\nwait\nframes 2");
  script("expect front.lanes yes\nexpect active global");
  EXPECT_NEAR(std::stof(fact("zoom.global")), std::stof(zoom), 0.02f);
}

TEST_F(Lessons, MomentsAreReorderedRenamedAndDeleted) {
  ExplorerOptions o = options_for(kernel_copy());
  open(o);
  script(
      "line 52\nwait\nkey Ctrl+M\nline 53\nwait\nkey Ctrl+M\nline 55\nwait\nkey Ctrl+M\nwait\nexpect "
      "moments.chosen line-55");
  script("command moment.earlier\ncommand moment.earlier\nexpect moments.chosen line-55");
  const auto names = [&] {
    std::string all;
    for (const auto& m : app().lecture.moments()) all += m.name + " ";
    return all;
  };
  EXPECT_EQ(names(), "line-55 line-52 line-53 ");
  script("command moment.delete\nwait");
  EXPECT_EQ(names(), "line-52 line-53 ");
  script("command panel.moments\nframes 2\nclick item \"Moment line-53\"\nwait\nexpect selection.line 53");
  script("click item \"Moment name\"\nkey Ctrl+A\ntype exchange\\n\nframes 2");
  EXPECT_EQ(names(), "line-52 exchange ");
  EXPECT_NE(document::read_text(folder() + "/own.moments.toml")->find("name = \"exchange\""), std::string::npos);
}

TEST_F(Lessons, AFileOfMomentsThatChangedIsReadAgain) {
  open(options_for(kernel_copy()));
  script("line 52\nwait\nkey Ctrl+M\nwait\nexpect moments 1");
  std::ofstream(folder() + "/own.moments.toml", std::ios::app) << "\n[[moment]]\nname = \"by-hand\"\nline = 53\n";
  script("line 55\nwait\nkey Ctrl+M\nframes 2\nexpect text changed on disk\nexpect moments 2");
  script("key Ctrl+M\nframes 2\nexpect moments 3");
  EXPECT_NE(document::read_text(folder() + "/own.moments.toml")->find("by-hand"), std::string::npos);
}

/// A text without a file, and a file of moments that cannot be read, are not written over.
TEST_F(Lessons, WhatCannotBeKeptIsSaid) {
  const std::string path = kernel_copy();
  std::ofstream(folder() + "/own.moments.toml") << "[[moment]]\nname = \"a\"\nlin = 3\n";
  open(options_for(path));
  script("expect text a moment needs a `line`\nline 53\nwait\nkey Ctrl+M\nframes 2\nexpect moments 0");
  EXPECT_NE(document::read_text(folder() + "/own.moments.toml")->find("lin = 3"), std::string::npos);
  open_kernel("copy_float.cu");
  script("key B\nframes 2\nexpect text belongs to the catalogue\nexpect moments 0");
  script("command file.new\nwait\nkey Ctrl+M\nframes 2\nexpect text Save the kernel first");
}

/// The page about a GPU changes with the one that is chosen; answers are kept for each; other panels speak of the same
/// GPU.
TEST_F(Lessons, APageChangesWithTheGpuThatIsChosen) {
  ExplorerOptions o = options_for("");
  o.width = 1280, o.height = 800;
  o.session = folder() + "/session.json", o.no_session = false;
  o.lesson = "01", o.lesson_page = 8, o.lesson_gpu = "V100";
  frames.reset();
  auto opened = Frames::open(o);
  ASSERT_TRUE(opened) << to_string(opened.error().front());
  frames = std::move(*opened);
  app().lecture.program = LANESCOPE_PROGRAM;
  app().choose_lesson_gpu("V100");  // again, with a program that can answer
  ASSERT_TRUE(wait_until_settled(*frames));
  script(
      "expect lesson.page 8 of 9\nexpect lesson.gpu Tesla V100\nexpect text 96 KiB\nexpect text A GPU of your choice");
  const auto reply = [&](const char* text) {
    for (const lessons::Question* q : app().lecture.lesson()->questions())
      if (q->id == "way-of-a-load") app().lecture.reply(*q, text);
  };
  reply("L1");
  script("wait\nexpect question.way-of-a-load right\nexpect text keeps global loads in L1 by default");
  script(
      "click item \"GPU of the lesson\"\nframes 2\nclick item \"Tesla K40\"\nwait\nframes 2\nexpect lesson.gpu Tesla "
      "K40");
  script("expect text 48 KiB\nexpect text not 96 KiB\nexpect question.way-of-a-load open\nexpect lesson.page 8 of 9");
  EXPECT_EQ(app().occupancy.choice.gpu, "Tesla K40");
  reply("L1");
  script("wait\nexpect question.way-of-a-load wrong");
  reply("registers");
  script("wait\nexpect question.way-of-a-load right\nexpect text dlcm=ca");
  app().choose_lesson_gpu("Tesla V100");
  script("wait\nexpect question.way-of-a-load right\nexpect lesson.gpu Tesla V100");
  // A GPU and a page that do not exist.
  app().choose_lesson_gpu("Voodoo 2");
  script("frames 2\nexpect text is not in the table\nexpect lesson.gpu Tesla V100");
  o.lesson_page = 10;
  frames.reset();
  EXPECT_FALSE(Frames::open(o));
}

/// A question that is queried before its picture is shown: the kernel is at its beginning, and nothing is counted
/// there.
TEST_F(Lessons, NothingIsShownBeforeItIsAsked) {
  open_hierarchy_lesson(2);
  script("frames 2\nexpect file read_aligned.cu\nexpect selection.line 18\nexpect text not 4 sectors");
  script("key PageDown\nwait\nexpect selection.line 22\nexpect text 4 sectors");
  // Nor of another kernel that happens to be open.
  open_kernel("half2_transposes.cu");
  app().lecture.program = LANESCOPE_PROGRAM;
  script("line 30\nwait\nexpect text 4 sectors");
  app().open_lesson(lessons::find_lesson("01", lessons::lessons_directory()).value());
  script("wait\nframes 2\nexpect file half2_transposes.cu\nexpect text not 4 sectors");
}

/// On the stage the clicker's key reports the answer of a question first, and continues then; a question about the one
/// before shows that, too.
TEST_F(Lessons, TheStageTellsTheAnswerBeforeItGoesOn) {
  open_hierarchy_lesson(5);
  script("wait\nkey F5\nwait\nexpect text How many bytes does it move on a Fermi\nexpect text not two lines, because");
  const std::string stop = fact("lesson.stop");
  script("key PageDown\nwait\nframes 2\nexpect lesson.stop " + stop + "\nexpect text two lines, because");
  script("key PageDown\nwait\nexpect lesson.stop not " + stop + "\nexpect text And on an H200, through L1?");
  script("expect text How many bytes does it move on a Fermi\nexpect lesson.answered 0 of 15");
  // In the window nothing is reported.
  script("key F5\nwait\nkey PageDown\nwait\nkey PageUp\nwait\nexpect text not fetches only the sectors");
}

}  // namespace
}  // namespace lanescope::gui
