// The timeline of long runs: shares of kinds in columns of pixels, the ruler, the strip of the whole run, signs.

#include <gtest/gtest.h>

#include <random>
#include <set>

#include "tests/viz/fixtures.h"
#include "tests/viz/scene_queries.h"
#include "viz/views/base/elements.h"
#include "viz/views/costs/timeline.h"
#include "viz/views/costs/timeline_bands.h"
#include "viz/views/tooltips.h"

namespace lanescope::views {
namespace {

using scene::Id;
using trace::StepKind;

/// A loop whose body is mostly arithmetic, with one load and one barrier; a parameter is loaded before it.
Summary long_run(std::size_t steps, int warps) {
  Summary s;
  s.warps = static_cast<std::uint32_t>(warps);
  s.code.push_back(
      {.line = 3, .column = 1, .inner_line = 0, .kind = StepKind::load, .text = "ld.param.u64 %rd1, [p];"});
  for (int pc = 1; pc < 40; ++pc) {
    const StepKind kind = pc == 5    ? StepKind::load
                          : pc == 20 ? StepKind::barrier
                          : pc == 39 ? StepKind::branch
                                     : StepKind::arithmetic;
    s.code.push_back({.line = 4 + pc / 10, .column = 1, .inner_line = 0, .kind = kind, .text = "add.s32 %r1, %r1, 1;"});
  }
  s.loops = {{.first_pc = 1, .last_pc = 39, .line = 4}};
  for (std::size_t n = 0; n < steps; ++n) {
    const std::size_t round = n / static_cast<std::size_t>(warps);
    const int pc = round == 0 ? 0 : static_cast<int>((round - 1) % 39) + 1;
    s.timeline.push_back({.step = static_cast<std::uint32_t>(n),
                          .warp = static_cast<std::uint16_t>(n % static_cast<std::size_t>(warps)),
                          .kind = s.code[pc].kind,
                          .line = s.code[pc].line,
                          .pc = pc});
    if (pc == 5) s.accesses.push_back({.step = static_cast<std::uint32_t>(n), .cost = 32, .least = 4});
  }
  s.steps = steps;
  return s;
}

Selection at_step(std::int64_t step) {
  Selection selection;
  selection.step = step;
  return selection;
}

std::set<std::uint32_t> fills_in(const scene::Scene& scene, float x, float top, float bottom) {
  std::set<std::uint32_t> fills;
  for (const scene::Box& box : scene.boxes)
    if (box.fill.rgba != 0 && box.rect.x <= x && box.rect.x + box.rect.w > x && box.rect.y >= top &&
        box.rect.y < bottom)
      fills.insert(box.fill.rgba);
  return fills;
}

TEST(LongTimeline, AColumnShowsTheKindsOfItsSteps) {
  const Summary s = long_run(500'000, 16);
  const TimelineOptions options{.width = 1200};
  const Theme& theme = dark_theme();
  const scene::Scene scene = timeline_view(s, fixtures::moment(), at_step(0), options, theme);
  const TimelineGeometry at = timeline_geometry(s, options);
  for (const float x : {200.5f, 700.5f, 1100.5f}) {
    const auto fills = fills_in(scene, x, at.rows_top, at.rows_top + options.row_height);
    EXPECT_TRUE(fills.contains(theme.step(StepKind::arithmetic).rgba)) << x;
    EXPECT_TRUE(fills.contains(theme.step(StepKind::load).rgba)) << x;
    EXPECT_TRUE(fills.contains(theme.step(StepKind::barrier).rgba)) << x;
    EXPECT_TRUE(fills.contains(theme.warn.rgba)) << "accesses that cost more than they need, at " << x;
  }
}

TEST(LongTimeline, BandsFillTheColumnAndHideNoKindThatWeighs) {
  std::mt19937 random(5);
  for (int round = 0; round < 500; ++round) {
    MarkCounts counts;
    for (std::uint32_t& count : counts.of_kind) count = random() % 3 == 0 ? random() % 100 : 0;
    const int height = 5 + static_cast<int>(random() % 20);
    const Bands bands = bands_of(counts, height);
    int sum = 0;
    std::set<int> kinds;
    for (int n = 0; n < bands.count; ++n) {
      sum += bands.heights[n];
      ASSERT_GE(bands.heights[n], 1);
      ASSERT_GT(counts.of_kind[bands.kinds[n]], 0u);
      ASSERT_TRUE(kinds.insert(bands.kinds[n]).second);
    }
    ASSERT_EQ(sum, counts.all() == 0 ? 0 : height);
    const auto present = static_cast<std::size_t>(std::ranges::count_if(counts.of_kind, [](auto c) { return c > 0; }));
    ASSERT_EQ(kinds.size(), std::min<std::size_t>(present, Bands::most));
  }
}

TEST(LongTimeline, AnythingIsDrawnWithABoundedNumberOfShapes) {
  std::mt19937 random(9);
  Summary s = long_run(1'000'000, 16);
  for (TimelineMark& mark : s.timeline) mark.kind = static_cast<StepKind>(random() % 12), mark.pc = -1;
  const StepIndex index = index_of(s);
  for (const TimelineAxis axis : {TimelineAxis::instruction, TimelineAxis::step}) {
    for (const double share : {1.0, 0.1, 0.01, 0.001}) {
      const auto columns = static_cast<double>(timeline_columns(s, index, axis));
      const TimelineOptions options{
          .width = 1600, .axis = axis, .first = columns / 3, .last = columns / 3 + columns * share, .overview = true};
      const scene::Scene scene = timeline_view(s, index, fixtures::moment(), at_step(0), options, dark_theme());
      EXPECT_LE(scene.boxes.size(), 16u * 534 * (Bands::most + 2)) << share;
      EXPECT_LE(scene.labels.size(), 16u * 400 + 100);
    }
  }
}

TEST(LongTimeline, TheRulerCountsFromTheFirstInstruction) {
  const Summary s = long_run(500'000, 16);
  const scene::Scene all = timeline_view(s, fixtures::moment(), at_step(0), {.width = 1200}, dark_theme());
  EXPECT_TRUE(says(all, "instructions"));
  EXPECT_TRUE(says(all, spaced(20'000)));
  const scene::Scene part =
      timeline_view(s, fixtures::moment(), at_step(0), {.width = 1200, .first = 1000, .last = 1050}, dark_theme());
  EXPECT_TRUE(says(part, spaced(1'020)));
  // The mark after the number 1 020 is the 1 021st of its warp: step 1020 * 16.
  float tick = -1;
  for (const scene::Label& label : part.labels)
    if (label.text == spaced(1'020)) tick = label.at.x;
  const scene::Box* mark = find(part, {.kind = Id::Kind::timeline_step, .a = 1020 * 16});
  ASSERT_NE(mark, nullptr);
  EXPECT_NEAR(mark->rect.x, tick, 0.5f);
  const scene::Scene serial =
      timeline_view(s, fixtures::moment(), at_step(0), {.width = 1200, .axis = TimelineAxis::step}, dark_theme());
  EXPECT_TRUE(says(serial, "steps"));
}

TEST(LongTimeline, TheOverviewShowsWhichPartIsShown) {
  const Summary s = long_run(500'000, 16);
  const TimelineOptions whole{.width = 1200};
  EXPECT_EQ(timeline_geometry(s, whole).overview_height, 0);
  const TimelineOptions part{.width = 1200, .first = 15'625, .last = 23'437, .overview = true};
  const TimelineGeometry at = timeline_geometry(s, part);
  ASSERT_GT(at.overview_height, 0);
  const scene::Scene scene = timeline_view(s, fixtures::moment(), at_step(0), part, dark_theme());
  ASSERT_NE(find(scene, {.kind = Id::Kind::timeline_overview}), nullptr);
  bool framed = false;  // the second quarter of the second half
  for (const scene::Box& box : scene.outlines)
    framed = framed || (std::abs(box.rect.x - (at.left + at.width / 2)) < 1 && std::abs(box.rect.w - at.width / 4) < 1);
  EXPECT_TRUE(framed);
}

TEST(LongTimeline, AParameterLoadLooksLikeNoMemoryLoad) {
  const Summary s = long_run(64, 1);
  const scene::Scene scene = timeline_view(s, fixtures::moment(), at_step(3), {.width = 2000}, dark_theme());
  const scene::Box *parameter = find(scene, {.kind = Id::Kind::timeline_step, .a = 0}),
                   *load = find(scene, {.kind = Id::Kind::timeline_step, .a = 5});
  ASSERT_TRUE(parameter != nullptr && load != nullptr);
  EXPECT_EQ(load->fill, dark_theme().step(StepKind::load));
  EXPECT_NE(parameter->fill, load->fill);
  EXPECT_TRUE(says(scene, "P"));
  EXPECT_NE(tooltip_text(s, {}, {.kind = Id::Kind::timeline_step, .a = 0}).find("parameter load"), std::string::npos);
  EXPECT_NE(to_csv("timeline", s, {}).find("0,0,parameter load,3"), std::string::npos);
}

TEST(LongTimeline, TheLegendNamesEveryMarkOnce) {
  Summary s = fixtures::summary(4);
  s.code.push_back({.line = 50, .column = 1, .inner_line = 0, .kind = StepKind::exit, .text = "ret;"});
  s.code.push_back({.line = 50, .column = 1, .inner_line = 0, .kind = StepKind::branch, .text = "bra $L1;"});
  s.code.push_back(
      {.line = 50, .column = 1, .inner_line = 0, .kind = StepKind::load, .text = "ld.param.u64 %rd1, [p];"});
  for (const float width : {320.0f, 700.0f, 1600.0f}) {
    const scene::Scene scene = timeline_view(s, fixtures::moment(), at_step(0), {.width = width}, dark_theme());
    for (const char* word : {"load", "store", "shuffle", "move", "barrier", "branch", "exit", "parameter load",
                             "arithmetic", "probe", "claim holds", "claim differs"}) {
      int named = 0;
      for (const scene::Label& label : scene.labels) {
        if (label.text != word) continue;
        ++named;
        EXPECT_LE(label.at.x + sans_width(label.text, label.size), std::max(width, 200.0f)) << word << " at " << width;
      }
      EXPECT_EQ(named, 1) << word << " at " << width;
    }
  }
  for (const TimelineSign& sign : timeline_signs(s, dark_theme())) EXPECT_FALSE(sign.meaning.empty()) << sign.word;
}

TEST(LongTimeline, TheMostSevereProblemOfAColumnIsDrawn) {
  const Summary s = long_run(500'000, 16);
  const std::vector<TimelineProblem> problems{{.step = 16, .severity = Severity::note, .number = 0},
                                              {.step = 32, .severity = Severity::error, .number = 1},
                                              {.step = 48, .severity = Severity::warning, .number = 2},
                                              {.step = 400'000, .severity = Severity::warning, .number = 3},
                                              {.step = 999'999, .severity = Severity::error, .number = 4}};
  const scene::Scene scene =
      timeline_view(s, fixtures::moment(), at_step(0), {.width = 1200, .problems = problems}, dark_theme());
  EXPECT_NE(find(scene, {.kind = Id::Kind::timeline_problem, .a = 1}), nullptr);
  EXPECT_NE(find(scene, {.kind = Id::Kind::timeline_problem, .a = 3}), nullptr);
  EXPECT_EQ(count(scene, Id::Kind::timeline_problem), 2);
}

TEST(LongTimeline, FoundStepsHaveTicksAboveTheirColumns) {
  const Summary s = long_run(6'400, 16);
  const std::vector<std::uint32_t> hits{1600, 1601, 4800};
  const TimelineOptions options{.width = 1200, .hits = hits};
  const scene::Scene scene = timeline_view(s, fixtures::moment(), at_step(0), options, dark_theme());
  std::set<float> ticks;
  for (const scene::Box& box : scene.boxes)
    if (box.fill == dark_theme().accent) ticks.insert(box.rect.x);
  ASSERT_EQ(ticks.size(), 2u);
  const TimelineGeometry at = timeline_geometry(s, options);
  EXPECT_NEAR(*ticks.begin(), at.left + at.width / 4, fold_px + 1);
  EXPECT_NEAR(*ticks.rbegin(), at.left + at.width * 3 / 4, fold_px + 1);
}

TEST(LongTimeline, ASpanSaysWhatIsInIt) {
  const Summary s = long_run(500'000, 16);
  const scene::Scene scene = timeline_view(s, fixtures::moment(), at_step(0), {.width = 1200}, dark_theme());
  const scene::Box* span = nullptr;
  for (const scene::Box& box : scene.boxes)
    if (box.id.kind == Id::Kind::timeline_span && box.id.c == 3) span = &box;
  ASSERT_NE(span, nullptr);
  const std::string words = tooltip_text(s, {}, span->id);
  EXPECT_NE(words.find("warp 3"), std::string::npos) << words;
  EXPECT_NE(words.find("load"), std::string::npos) << words;
  EXPECT_NE(words.find("arithmetic"), std::string::npos) << words;
  const Selection there = select(s, {}, span->id, {});
  EXPECT_EQ(there.step, span->id.a);
  EXPECT_EQ(there.warp, 3);
  EXPECT_EQ(scene::parse_id(scene::to_string(span->id)), span->id);
}

TEST(LongTimeline, PositionAndStepAreInverseWhereColumnsAreFolded) {
  const Summary s = long_run(500'000, 16);
  const StepIndex index = index_of(s);
  for (const TimelineAxis axis : {TimelineAxis::instruction, TimelineAxis::step}) {
    const TimelineOptions options{.width = 1200, .axis = axis};
    const TimelineGeometry at = timeline_geometry(s, options);
    for (const double share : {0.0, 0.25, 0.5, 0.99}) {
      const auto columns = static_cast<double>(timeline_columns(s, index, axis));
      const auto x = static_cast<float>(at.left + share * at.width);
      const std::int64_t step = timeline_step_at(s, index, options, 5, x);
      EXPECT_NEAR(static_cast<double>(timeline_column_of(s, index, axis, step)), share * columns, columns / 900);
      EXPECT_TRUE(axis == TimelineAxis::step || s.timeline[static_cast<std::size_t>(step)].warp == 5);
    }
  }
}

TEST(LongTimeline, AnUnfinishedIndexDrawsWhatItHas) {
  const Summary s = long_run(10'000, 16);
  StepIndex index;
  index.extend(s, 3'200);
  const scene::Scene scene = timeline_view(s, index, fixtures::moment(), at_step(9'999), {.width = 1200}, dark_theme());
  EXPECT_GT(count(scene, Id::Kind::timeline_span) + count(scene, Id::Kind::timeline_step), 100);
  EXPECT_EQ(find(scene, {.kind = Id::Kind::playhead}), nullptr);
  EXPECT_EQ(timeline_columns(s, index, TimelineAxis::instruction), 200u);
}

}  // namespace
}  // namespace lanescope::views
