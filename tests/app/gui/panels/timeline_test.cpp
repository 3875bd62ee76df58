// The timeline in the window: long runs, loops, the search over steps, and a run that takes its time.

#include <algorithm>
#include <random>

#include "app/gui/model/steps.h"
#include "app/gui/widgets/zoom_range.h"
#include "tests/app/gui/fixture.h"
#include "tests/app/gui/panels/long_run.h"
#include "viz/views/costs/timeline.h"

namespace lanescope::gui {
namespace {

class TimelineTest : public ExplorerTest {
 protected:
  /// A kernel of the catalogue on screen, a long run as its result.
  LongRunChannel* open_long(std::size_t steps) {
    auto channel = std::make_unique<LongRunChannel>(steps);
    LongRunChannel* raw = channel.get();
    open(options_for(kernel("copy_float.cu")), std::move(channel));
    return raw;
  }
  /// The same, but the run does not end.
  LongRunChannel* open_held() {
    auto channel = std::make_unique<LongRunChannel>(100);
    LongRunChannel* raw = channel.get();
    raw->held = true;
    auto opened = Frames::open(options_for(kernel("copy_float.cu")), std::move(channel));
    EXPECT_TRUE(opened);
    frames = std::move(*opened);
    record_items(true);
    frames->settle();
    return raw;
  }
  void TearDown() override {
    record_items(false);
    ExplorerTest::TearDown();
  }
  const scene::Scene& timeline() { return frames->stage().scenes.at("timeline").scene; }
  int boxes(scene::Id::Kind kind) {
    return static_cast<int>(
        std::ranges::count_if(timeline().boxes, [&](const scene::Box& b) { return b.id.kind == kind; }));
  }
  bool playhead_in_sight() { return boxes(scene::Id::Kind::playhead) == 1; }
  int texts_with(std::string_view words) {
    return static_cast<int>(
        std::ranges::count_if(texts(), [&](const std::string& t) { return t.find(words) != t.npos; }));
  }
};

TEST_F(TimelineTest, ALongRunIsAnOverviewThatZoomsAndFollows) {
  open_long(500'000);
  script("expect results.steps 500000\nkey Home\nwait");
  EXPECT_GT(boxes(scene::Id::Kind::timeline_span), 300);
  EXPECT_EQ(boxes(scene::Id::Kind::timeline_overview), 0) << "the whole run is in sight";
  const auto& drawn = frames->stage().scenes.at("timeline");
  const ImVec2 middle = drawn.to_screen({drawn.scene.width / 2, drawn.scene.height / 2});
  script("scroll at " + std::to_string(middle.x) + " " + std::to_string(middle.y) + " 40");
  EXPECT_EQ(boxes(scene::Id::Kind::timeline_overview), 1);
  EXPECT_GT(boxes(scene::Id::Kind::timeline_step), 5);
  EXPECT_FALSE(playhead_in_sight()) << "the first step lies before what is shown";
  script("key End\nwait");
  EXPECT_TRUE(playhead_in_sight());
  script("key Home\nwait");
  EXPECT_TRUE(playhead_in_sight());
  for (int n = 0; n < 30; ++n) {
    script("key Right\nwait");
    ASSERT_TRUE(playhead_in_sight()) << n;
  }
  script("key 0");  // of the active panel: the timeline has been scrolled in
  EXPECT_EQ(boxes(scene::Id::Kind::timeline_overview), 0);
}

TEST_F(TimelineTest, DraggingTheOverviewScrolls) {
  open_long(200'000);
  script("key Home\nwait");
  const auto& drawn = frames->stage().scenes.at("timeline");
  const ImVec2 left = drawn.to_screen({100, drawn.scene.height / 2});
  script("scroll at " + std::to_string(left.x) + " " + std::to_string(left.y) + " 12");
  const std::string step = fact("selection.step");
  const std::string before = scene::to_json(timeline());
  script("drag scene timeline timeline_overview 200 0");
  EXPECT_NE(scene::to_json(timeline()), before);
  EXPECT_EQ(fact("selection.step"), step) << "scrolling goes nowhere";
}

TEST_F(TimelineTest, IterationsHaveKeysAndAList) {
  open_long(50'000);
  script(
      "key Home\nwait\nexpect iteration none\nkey I\nwait\nexpect iteration 1 of 85\nkey I 3\nwait\nexpect iteration 4 "
      "of 85");
  script("key Shift+I\nwait\nexpect iteration 3 of 85");
  const int pc = app().results.summary.timeline[static_cast<std::size_t>(app().navigation.selection.step)].pc;
  script("key Right 4\nkey I\nwait\nexpect iteration 4 of 85");
  EXPECT_EQ(app().results.summary.timeline[static_cast<std::size_t>(app().navigation.selection.step)].pc, pc + 4);
  script("click item Iteration\nexpect text iteration 4 of 85 · line 4");
}

TEST_F(TimelineTest, TheIterationsOfTheListAreChosenByNumber) {
  open_long(50'000);
  script(
      "key I\nwait\nclick item Iteration\nclick item last\nwait\nexpect iteration 85 of 85\nkey I\nexpect remark This "
      "is the "
      "loop's last iteration.");
}

TEST_F(TimelineTest, TheSearchGoesFromOneFoundStepToTheNext) {
  open_long(50'000);
  script(
      "key Home\nwait\nkey /\nexpect overlay steps\ntype shared store with a conflict\nkey Enter\nwait\nexpect overlay "
      "none");
  const auto& s = app().results.summary;
  const auto mark = [&]() -> const results::TimelineMark& {
    return s.timeline[static_cast<std::size_t>(app().navigation.selection.step)];
  };
  EXPECT_EQ(mark().pc, 9);
  EXPECT_EQ(mark().warp, 0);
  const std::int64_t first = app().navigation.selection.step;
  script("expect search.words 1 of 11\nkey ;\nwait\nexpect search.words 2 of 11");
  EXPECT_EQ(app().navigation.selection.step, first + 16 * 37 * 8);
  script(
      "key Shift+;\nwait\nexpect search.words 1 of 11\nkey Shift+;\nwait\nexpect search.words 11 of 11\nexpect remark "
      "This was "
      "the first one. The search continues at the last.");
}

TEST_F(TimelineTest, WhereARegisterWasLastWritten) {
  open_long(50'000);
  script("key End\nwait\nkey /\ntype where was r3 of lane 7 last written\nkey Enter\nwait\nexpect overlay none");
  const auto& s = app().results.summary;
  const auto& mark = s.timeline[static_cast<std::size_t>(app().navigation.selection.step)];
  EXPECT_EQ(mark.pc, 6);
  EXPECT_EQ(mark.warp, 0);
  // No later write of x3 in this warp.
  std::int64_t last = -1;
  for (const results::RegisterWrite& w : s.writes)
    if (w.reg == 3 && s.timeline[w.step].warp == 0) last = w.step;
  EXPECT_EQ(app().navigation.selection.step, last);
}

TEST_F(TimelineTest, TheFieldOnTheTimelineSearchesAsOneTypes) {
  open_long(50'000);
  script(
      "key Home\nwait\nclick item \"Search steps\"\ntype barrier\nframes 3\nexpect search.count 85\nexpect "
      "selection.step 0\nkey "
      "Enter\nwait\nexpect search.words 1 of 85\nkey Enter\nwait\nexpect search.words 2 of 85");
  bool ticks = false;
  for (const scene::Box& box : timeline().boxes) ticks = ticks || box.fill == views::dark_theme().accent;
  EXPECT_TRUE(ticks);
  script(
      "click item \"Next found step\"\nwait\nexpect search.words 3 of 85\nclick item \"Previous found "
      "step\"\nwait\nexpect "
      "search.words 2 of 85");
}

TEST_F(TimelineTest, ASearchThatFindsNothingSaysWhy) {
  open_long(50'000);
  script("key /\ntype flurb\nframes 3\nexpect text flurb\nkey Escape\nexpect search.text none");
  script("key /\ntype iteration 900\nkey Enter\nexpect remark There is no such iteration.");
}

TEST_F(TimelineTest, AnIterationIsChosenByItsNumber) {
  open_long(50'000);
  script(
      "key I\nwait\ncommand iteration.go\nexpect overlay iteration\ntype 17\nkey Enter\nwait\nexpect overlay "
      "none\nexpect "
      "iteration 17 of 85");
}

TEST_F(TimelineTest, ThePaletteReadsASearch) {
  open_long(50'000);
  script(
      "key Home\nwait\nkey Ctrl+P\ntype barrier line 5\nkey Enter\nwait\nexpect search.text barrier line 5\nexpect "
      "search.words 1 of "
      "85");
}

TEST_F(TimelineTest, TheLegendExplainsEveryMark) {
  open_long(50'000);
  script(
      "click item Legend\nframes 2\nexpect text waits for the other warps of the block\nexpect text accesses no memory "
      "that is "
      "drawn\nexpect text parameter load\nkey Escape");
}

TEST_F(TimelineTest, ALongRunTellsTimeAndStepsOnceAndCanBeStopped) {
  LongRunChannel* channel = open_held();
  app().results.run_started -= 3.5;
  channel->events.push_back(
      {channel->run_ticket(), engine::Progress{.stage = "running", .ran = {.steps = 12'345'678}}});
  frames->settle();
  EXPECT_EQ(texts_with("Running "), 1) << "in one panel";
  EXPECT_EQ(texts_with("12\u00a0345\u00a0678 steps"), 2) << "there and in the top bar";
  EXPECT_EQ(texts_with("Stop it with"), 0);
  EXPECT_TRUE(find_item("Stop the run"));
  // The clock continues without an event.
  const std::string before = app().results.run_words(app().shell.now);
  const double until = frames->seconds() + 5;
  bool redrawn = false;
  while (!redrawn && frames->seconds() < until) redrawn = app().update(frames->seconds() + 1);
  EXPECT_TRUE(redrawn);
  EXPECT_NE(app().results.run_words(app().shell.now), before);
  script("click item \"Stop the run\"");
  EXPECT_EQ(channel->cancelled, 1);
  EXPECT_FALSE(app().results.running);
}

TEST_F(TimelineTest, RepeatedProgressDrawsNoSceneAnew) {
  LongRunChannel* channel = open_long(50'000);
  channel->held = true;
  app().requests.run();
  channel->events.push_back({channel->run_ticket(), engine::Progress{.stage = "running", .ran = {.steps = 100}}});
  frames->settle();
  const std::uint64_t made = frames->stage().scenes_made;
  channel->events.push_back({channel->run_ticket(), engine::Progress{.stage = "running", .ran = {.steps = 200}}});
  frames->settle();
  EXPECT_EQ(frames->stage().scenes_made, made);
  EXPECT_EQ(app().results.run_steps, 200u);
}

TEST(ZoomRangeTest, FollowsWhatLeavesIt) {
  ZoomRange range{.first = 100, .last = 130};
  EXPECT_FALSE(range.follow(1000, 100));
  EXPECT_FALSE(range.follow(1000, 129));
  EXPECT_TRUE(range.follow(1000, 130));
  EXPECT_DOUBLE_EQ(range.first, 120);
  EXPECT_DOUBLE_EQ(range.last, 150);
  EXPECT_TRUE(range.follow(1000, 5));
  EXPECT_DOUBLE_EQ(range.first, 0);
  EXPECT_TRUE(range.follow(1000, 999));
  EXPECT_DOUBLE_EQ(range.last, 1000);
  ZoomRange all;
  EXPECT_FALSE(all.follow(1000, 999));
  std::mt19937 random(1);
  for (int n = 0; n < 2000; ++n) {
    range.zoom(1000, (random() % 100) / 100.0, static_cast<double>(random() % 9) - 4);
    const auto column = static_cast<double>(random() % 1000);
    range.follow(1000, column);
    const double last = range.last < 0 ? 1000 : range.last;
    ASSERT_TRUE(range.first >= 0 && last <= 1000 && column >= range.first && column + 1 <= last + 1e-9) << n;
  }
}

/// As it was written first: over all visits of lines, from the beginning.
std::int64_t before_line_by_walking(const results::Summary& s, std::int64_t step, int warp) {
  struct Visit {
    int line;
    std::int64_t first, last;
  };
  std::vector<Visit> visits;
  for (const results::TimelineMark& m : s.timeline) {
    if (m.warp != warp) continue;
    if (visits.empty() || (m.line != 0 && m.line != visits.back().line)) visits.push_back({m.line, m.step, m.step});
    visits.back().last = m.step;
  }
  std::int64_t before = -1;
  for (const Visit& v : visits) {
    if (v.first > step || v.last >= step) break;
    before = v.last;
  }
  return before;
}

TEST(StepsTest, TheStepBeforeALineIsFoundBackwards) {
  std::mt19937 random(13);
  for (int round = 0; round < 300; ++round) {
    results::Summary s;
    s.warps = 1 + random() % 3;
    for (std::uint32_t step = 0; step < 40; ++step)
      s.timeline.push_back({.step = step,
                            .warp = static_cast<std::uint16_t>(random() % s.warps),
                            .line = static_cast<int>(random() % 4)});
    for (int warp = 0; warp < 4; ++warp)
      for (std::int64_t step = -1; step < 42; ++step)
        ASSERT_EQ(step_before_line(s, step, warp), before_line_by_walking(s, step, warp))
            << round << " " << step << " " << warp;
  }
}

}  // namespace
}  // namespace lanescope::gui
