// The values of the explorer without a window: what another kernel leaves of the one before, and that after any order
// of changes and answers the results belong to the text and the selection.

#include <gtest/gtest.h>

#include <random>

#include "app/gui/model/steps.h"
#include "app/gui/state/app.h"
#include "viz/views/base/theme.h"

namespace lanescope::gui {
namespace {

/// Keeps questions until released. A run's kernel is named after its text and has one step a character.
class ManualChannel final : public engine::Channel {
 public:
  std::vector<engine::RunRequest> runs;
  bool refuse = false;  ///< moments

  void deliver(engine::Ticket ticket, engine::AnyQuestion question) override {
    if (const auto* run = std::get_if<engine::Asked<engine::ask::Run>>(&question))
      waiting_.push_back({ticket, summary_of(run->request)});
    if (const auto* moment = std::get_if<engine::Asked<engine::ask::Moment>>(&question))
      waiting_.push_back({ticket, moment_of(moment->request)});
  }
  void cancel(engine::Ticket) override {}
  std::optional<engine::Event> poll() override {
    if (answers_.empty()) return std::nullopt;
    engine::Event event = std::move(answers_.front());
    answers_.erase(answers_.begin());
    return event;
  }
  std::optional<engine::Event> wait(std::chrono::milliseconds) override { return poll(); }
  bool busy() const override { return !waiting_.empty() || !answers_.empty(); }

  std::size_t waiting() const { return waiting_.size(); }
  void answer(std::size_t n) {
    answers_.push_back(std::move(waiting_[n]));
    waiting_.erase(waiting_.begin() + static_cast<std::ptrdiff_t>(n));
  }

 private:
  engine::AllQuestions::What summary_of(const engine::RunRequest& request) {
    runs.push_back(request);
    results::Summary s;
    s.ok = true;
    s.kernel = request.text;
    s.warps = 2;
    s.recorded_block = request.record_block;
    s.steps = request.text.size();
    for (std::uint32_t step = 0; step < s.steps; ++step)
      s.timeline.push_back(
          {.step = step, .warp = static_cast<std::uint16_t>(step % 2), .line = 1 + static_cast<int>(step / 4)});
    return engine::Answered<engine::ask::Run>{{.summary = std::move(s)}};
  }
  engine::AllQuestions::What moment_of(const engine::MomentRequest& request) const {
    if (refuse) return engine::Refusal{};
    results::Moment moment;
    moment.step = request.step;
    moment.assignment_family = request.assignment_family;
    moment.access.emplace().line = static_cast<int>(request.step);
    return engine::Answered<engine::ask::Moment>{std::move(moment)};
  }

  std::vector<engine::Event> waiting_, answers_;
};

class StateTest : public ::testing::Test {
 protected:
  void pass(double seconds) { app.update(now += seconds); }
  /// Answers everything that is requested, in order.
  void settle() {
    for (int i = 0; i < 100; ++i) {
      while (channel->waiting() > 0) channel->answer(0);
      pass(0.2);
      if (app.settled() && channel->waiting() == 0) return;
    }
    FAIL() << "requests without end";
  }
  void show(const results::FindingInfo& finding) {
    if (const auto wanted = app.memory.show(finding)) app.requests.record(*wanted);
  }
  void put_text(const std::string& text) {
    app.document.reset({}, text);
    app.requests.forget_kernel();
    app.requests.run();
    settle();
  }

  ManualChannel* channel = new ManualChannel;
  App app{std::unique_ptr<engine::Channel>(channel), &views::dark_theme()};
  double now = 0;
};

TEST_F(StateTest, AnotherKernelHasNoBlockOrArraysOfTheOneBefore) {
  put_text("some kernel");
  app.requests.record_block(3);
  app.shell.view.families = {"x"};
  app.shell.view.buffer = 2;
  app.navigation.playing = true;
  settle();
  ASSERT_EQ(channel->runs.back().record_block, 3u);
  app.editor.new_kernel();
  EXPECT_EQ(channel->runs.back().record_block, 0u);
  EXPECT_TRUE(app.shell.view.families.empty());
  EXPECT_EQ(app.shell.view.buffer, -1);
  EXPECT_EQ(app.navigation.selection.block, 0u);
  EXPECT_FALSE(app.results.have);
}

// A click moves to a line, and its menu requests a comment before the moment of the click has arrived.
TEST_F(StateTest, ACommentWaitsForItsOwnMoment) {
  put_text("0123456789");
  app.navigation.go_to_step(4);
  pass(0.2);
  ASSERT_EQ(channel->waiting(), 1u);
  app.writing.annotation = Annotation{.family = 3, .step = 8, .line = 1, .name = "x", .text = app.document.text()};
  pass(0.2);
  channel->answer(0);
  pass(0.2);
  EXPECT_TRUE(app.writing.annotation) << "the moment was that of the click: " << app.shell.status_text;
  ASSERT_EQ(channel->waiting(), 1u);
  channel->answer(0);
  pass(0.2);
  EXPECT_FALSE(app.writing.annotation);
  EXPECT_NE(app.shell.status_text.find("is not known"), std::string::npos) << app.shell.status_text;
}

// A moment that the engine refuses is reported, not awaited.
TEST_F(StateTest, ACommentEndsWithARefusal) {
  put_text("0123456789");
  channel->refuse = true;
  app.writing.annotation = Annotation{.family = 3, .step = 8, .line = 1, .name = "x", .text = app.document.text()};
  pass(0.2);
  ASSERT_EQ(channel->waiting(), 1u);
  channel->answer(0);
  pass(0.2);
  EXPECT_FALSE(app.writing.annotation);
  EXPECT_NE(app.shell.status_text.find("could not be read"), std::string::npos) << app.shell.status_text;
}

TEST_F(StateTest, EvidenceEndsWithItsKernel) {
  put_text("some kernel");
  results::FindingInfo finding;
  finding.rule = "bank-conflict";
  finding.line = 1;
  finding.lanes = 0xffffffff;
  finding.width_bytes = 4;
  finding.shared = true;
  show(finding);
  settle();
  ASSERT_FALSE(app.memory.evidence_words().empty());
  app.editor.new_kernel();
  pass(0.1);  // no answer has arrived
  EXPECT_TRUE(app.memory.evidence_words().empty());
  EXPECT_FALSE(app.results.moment.access) << "neither the evidence nor the access that it replaced";
}

TEST_F(StateTest, AFindingOfAnotherBlockIsShownAfterItsRun) {
  put_text("some kernel");
  results::FindingInfo finding;
  finding.rule = "uncoalesced";
  finding.line = 2;
  finding.block = 5;
  finding.lanes = 1;
  finding.width_bytes = 4;
  show(finding);
  EXPECT_TRUE(app.memory.evidence_words().empty());
  settle();
  EXPECT_EQ(app.results.summary.recorded_block, 5u);
  EXPECT_EQ(app.memory.evidence_words(), "evidence for uncoalesced");
  EXPECT_EQ(app.navigation.selection.line, 2);
  app.navigation.go_to_line(1);
  pass(0.1);
  EXPECT_TRUE(app.memory.evidence_words().empty()) << "the selection is elsewhere";
}

TEST_F(StateTest, ResultsBelongToTextAndSelectionAfterAnyOrderOfAnswers) {
  std::mt19937 random(7);
  const auto below = [&](std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(random); };
  put_text("x");
  for (int trial = 0; trial < 300; ++trial) {
    for (std::size_t change = 1 + below(6); change > 0; --change) {
      const std::size_t steps = app.results.summary.steps;
      switch (below(6)) {
        case 0:
          app.editor.edit(std::string(1 + below(20), static_cast<char>('a' + below(26))), "edit");
          break;
        case 1:
          app.requests.run();
          break;
        case 2:
          if (steps > 0) app.navigation.go_to_step(static_cast<std::int64_t>(below(steps)));
          break;
        case 3:
          app.navigation.go_to_line(static_cast<int>(1 + below(6)));
          break;
        case 4:
          if (channel->waiting() > 0) channel->answer(below(channel->waiting()));
          break;
        default:
          if (app.document.can_undo()) app.editor.undo();
      }
      pass(0.1 * static_cast<double>(below(6)));
    }
    settle();
    ASSERT_EQ(app.results.summary.kernel, app.document.text()) << trial;
    ASSERT_FALSE(app.results.stale(app.document.text())) << trial;
    ASSERT_EQ(app.results.moment.step, app.navigation.selection.step) << trial;
    const views::Selection& at = app.navigation.selection;
    if (at.step >= 0) {
      ASSERT_EQ(warp_of_step(app.results.summary, at.step), at.warp) << trial;
    }
  }
}

}  // namespace
}  // namespace lanescope::gui
