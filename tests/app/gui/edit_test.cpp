// Document: typing, undo, stale results, diagnostics at the user's line, files that change.

#include <deque>
#include <utility>

#include "app/gui/writing/writing.h"
#include "kernels/compile/compile.h"
#include "tests/app/gui/fixture.h"

namespace lanescope::gui {
namespace {

/// Typed text must be compiled; the stored PTX is that of the unchanged catalogue.
#define NEEDS_NVRTC() \
  if (!compile::toolchain().nvrtc) GTEST_SKIP() << "no NVRTC on this machine: an edited kernel cannot be compiled"

class EditTest : public ExplorerTest {
 protected:
  /// A copy of a catalogue kernel that may be written to.
  std::string copy_of(const std::string& name) {
    const std::string path = folder() + "/" + name;
    std::filesystem::copy_file(kernel(name), path, std::filesystem::copy_options::overwrite_existing);
    return path;
  }
};

TEST_F(EditTest, TypingIsOneUndoStepAndRunsByItself) {
  NEEDS_NVRTC();
  open(options_for(copy_of("copy_float.cu")));
  const std::string before = app().document.text();
  const int line = app().navigation.selection.line;
  script("key Enter\nexpect typing yes\nexpect edited no\nkey Escape");
  script("key Ctrl+E\nexpect typing yes\ntype  // hello\nexpect edited yes\nexpect results.stale yes");
  EXPECT_NE(app().document.text(), before);
  EXPECT_NE(app().document.text().find("// hello"), std::string::npos);
  script("wait\nexpect results.stale no\nexpect results.failed no");
  script("expect undo typing at line " + std::to_string(line));
  script("key Ctrl+Z\nexpect edited no");
  EXPECT_EQ(app().document.text(), before);
  script("key Ctrl+Y\nexpect edited yes\nkey Ctrl+Z\nwait\nexpect results.stale no");
}

TEST_F(EditTest, LettersAreTextWhileTypingAndCommandsAfterwards) {
  open(options_for(copy_of("copy_float.cu")));
  script("key Ctrl+E\nkey End\ntype t\nexpect theme dark\nkey Escape\nexpect typing no\nkey T\nexpect theme light");
}

TEST_F(EditTest, AltArrowsStepWhileTyping) {
  NEEDS_NVRTC();
  open(options_for(copy_of("copy_float.cu")));
  script("key Alt+Home\nwait");
  const std::string step = fact("selection.step");
  script("key Ctrl+E\nkey Right\nexpect selection.step " + step + "\nkey Alt+Right\nexpect selection.step not " + step);
}

// The run after an edit shows the same visit of the same line, however many steps there are before it now.
TEST_F(EditTest, OneStaysAtTheLineThatOneLooksAt) {
  NEEDS_NVRTC();
  open(options_for(copy_of("shared_transpose_naive.cu")));
  script("line 28\nwait");
  const auto shown = [&] { return line_of_step(app().results.summary, app().navigation.selection.step); };
  ASSERT_EQ(shown(), 28);
  script("edit block = [32, 32] => block = [32, 8]\nwait\nexpect selection.line 28");
  EXPECT_EQ(shown(), 28);
  script(
      "edit     tile[threadIdx.y][threadIdx.x] = x; =>     x = x * 2.0f + 1.0f;\\n    tile[threadIdx.y][threadIdx.x] = "
      "x;");
  script("wait\nexpect selection.line 29");
  EXPECT_EQ(shown(), 29);
  script("edit block = [32, 8] => block = [32, 1]\nwait\nexpect selection.line 29");
  EXPECT_EQ(shown(), 29);
}

TEST_F(EditTest, ABadKernelKeepsTheLastGoodPictureMarkedStale) {
  NEEDS_NVRTC();
  open(options_for(copy_of("copy_float.cu")));
  const std::string steps = fact("results.steps");
  script(
      "edit q[i] = x; => q[i] = nonsense;\nwait\nexpect results.failed yes\nexpect results.stale yes\nexpect "
      "results.have yes\nexpect results.steps " +
      steps);
  script("expect text 1 error\nexpect text last successful run shown");
  const int line = std::stoi(fact("results.error_line"));
  const LineIndex index(app().document.text());
  ASSERT_GT(line, 0);
  EXPECT_NE(index.line(app().document.text(), line - 1).find("nonsense"), std::string_view::npos)
      << fact("results.message");
  script("key Ctrl+Z\nwait\nexpect results.failed no\nexpect results.stale no");
}

TEST_F(EditTest, AKernelThatNeverRanSaysWhyInEveryPanel) {
  NEEDS_NVRTC();
  const std::string path = folder() + "/bad.cu";
  ASSERT_TRUE(write_text(path, "__global__ void f(float *p)\n{\n    p[0] = ;\n}\n"));
  open(options_for(path));
  script(
      "expect results.have no\nexpect results.failed yes\nexpect results.error_line 3\nkey Right\nexpect remark "
      "There is no result yet. Open a kernel, or correct the one on screen.");
}

TEST_F(EditTest, AClaimThatDiffersIsFoundAndNamed) {
  NEEDS_NVRTC();
  open(options_for(copy_of("half2_transposes.cu")));
  const auto& claim = app().results.summary.claims[0].claim;
  const LineIndex index(app().document.text());
  std::string row;
  for (int line = claim.first_line; line <= claim.last_line; ++line) {
    const std::string text(index.line(app().document.text(), line - 1));
    if (text.find("register:") != std::string::npos) row = text;
  }
  ASSERT_NE(row.find("j3 j2"), std::string::npos) << row;
  std::string swapped = row;
  swapped.replace(swapped.find("j3 j2"), 5, "j2 j3");
  script("edit " + row + " => " + swapped +
         "\nwait\nexpect results.claims 2 hold, 1 differ, 0 unchecked\nkey F\nexpect selection.line " +
         std::to_string(claim.first_line) + "\nexpect text 1 of 3 claims differ");
}

TEST_F(EditTest, SavingWritesTheFile) {
  const std::string path = copy_of("copy_float.cu");
  open(options_for(path));
  script("edit float x = p[i]; => float x = p[i] + 0.0f;\nkey Ctrl+S\nexpect edited no");
  EXPECT_EQ(*read_text(path), app().document.text());
}

TEST_F(EditTest, AFileChangedOnDiskIsReadAgainUnlessEdited) {
  const std::string path = copy_of("copy_float.cu");
  open(options_for(path));
  std::string text = *read_text(path);
  ASSERT_TRUE(write_text(path, text + "// from outside\n"));
  app().editor.watch_file();
  EXPECT_NE(app().document.text().find("from outside"), std::string::npos);
  script("wait\nedit from outside => from inside");
  ASSERT_TRUE(write_text(path, text + "// again from outside\n"));
  app().editor.watch_file();
  script("frames 2\nexpect text changed on disk");
  EXPECT_NE(app().document.text().find("from inside"), std::string::npos) << "nothing typed is lost";
  script("click item \"Keep my edits\"\nexpect notice none");
}

TEST_F(EditTest, OpeningAnotherFileAsksFirst) {
  open(options_for(copy_of("copy_float.cu")));
  script("edit float x => float  x\nopen " + kernel("copy_float4.cu") +
         "\nexpect overlay discard\nexpect file copy_float.cu");
  script("click item \"Discard the edits\"\nwait\nexpect file copy_float4.cu\nexpect edited no");
}

/// An engine that dies on request, and works again afterwards.
class DyingChannel final : public engine::Channel {
 public:
  void deliver(engine::Ticket ticket, engine::AnyQuestion question) override {
    if (const auto* run = std::get_if<engine::Asked<engine::ask::Run>>(&question)) {
      results::Summary summary;
      summary.ok = true, summary.warps = 1;
      if (run->request.text.find("die") != std::string::npos)
        events_.push_back({ticket, engine::Stopped{.reason = "it was killed by signal 9."}});
      else
        events_.push_back({ticket, engine::Answered<engine::ask::Run>{{.summary = std::move(summary)}}});
    }
    if (const auto* asked = std::get_if<engine::Asked<engine::ask::Moment>>(&question)) {
      results::Moment moment;
      moment.step = asked->request.step;
      events_.push_back({ticket, engine::Answered<engine::ask::Moment>{std::move(moment)}});
    }
  }
  void cancel(engine::Ticket) override {}
  std::optional<engine::Event> poll() override {
    if (events_.empty()) return std::nullopt;
    engine::Event event = std::move(events_.front());
    events_.pop_front();
    return event;
  }
  std::optional<engine::Event> wait(std::chrono::milliseconds) override { return poll(); }
  bool busy() const override { return false; }

 private:
  std::deque<engine::Event> events_;
};

TEST_F(EditTest, AnEngineThatDiesCostsNothingTyped) {
  const std::string path = folder() + "/k.cu";
  ASSERT_TRUE(write_text(path, "// a kernel\n"));
  open(options_for(path), std::make_unique<DyingChannel>());
  script(
      "expect results.have yes\nedit kernel => kernel to die of\nwait\nexpect text The engine stopped: it was killed "
      "by signal 9.");
  EXPECT_EQ(app().document.text(), "// a kernel to die of\n");
  script("edit die => live\nwait\nexpect notice none\nexpect results.stale no");
}

}  // namespace
}  // namespace lanescope::gui
