// Counts over stretches of a timeline against counting mark by mark, however the marks were entered.

#include "results/step_index.h"

#include <gtest/gtest.h>

#include <random>

namespace lanescope::results {
namespace {

trace::CodeSite site(trace::StepKind kind, std::string text) {
  return {.line = 3, .column = 1, .inner_line = 0, .kind = kind, .text = std::move(text)};
}

/// Marks in random warps, of random kinds; some steps left out where `gaps`.
Summary random_run(std::mt19937& random, std::size_t marks, int warps, bool gaps) {
  const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  Summary s;
  for (int pc = 0; pc < 20; ++pc) {
    const auto kind = static_cast<trace::StepKind>(below(parameter_kind));
    const bool parameter = kind == trace::StepKind::load && below(2) == 0;
    s.code.push_back(site(kind, parameter ? "@%p1 ld.param.u64 %rd1, [f_param_0];" : "ld.global.f32 %f1, [%rd1];"));
    s.code.back().line = 1 + below(6);
  }
  std::uint32_t step = 0;
  for (std::size_t n = 0; n < marks; ++n, step += gaps ? 1 + below(3) : 1) {
    const int pc = below(20);
    s.timeline.push_back({.step = step,
                          .warp = static_cast<std::uint16_t>(below(warps)),
                          .kind = s.code[pc].kind,
                          .line = s.code[pc].line,
                          .pc = pc});
    for (int more = below(3); more > 0; --more)
      s.accesses.push_back({.step = step, .cost = static_cast<std::uint16_t>(1 + below(4)), .least = 2});
  }
  s.warps = static_cast<std::uint32_t>(warps);
  s.steps = step;
  return s;
}

/// The n-th marks of a warp, counted one by one.
MarkCounts counted(const Summary& s, int warp, std::size_t first, std::size_t last) {
  MarkCounts counts;
  std::size_t n = 0;
  for (const TimelineMark& mark : s.timeline) {
    if (mark.warp != warp) continue;
    const std::size_t at = n++;
    if (at < first || at >= last) continue;
    ++counts.of_kind[static_cast<std::size_t>(mark_kind(s, mark))];
    bool costly = false;
    for (const StepAccess& access : s.accesses) costly = costly || (access.step == mark.step && access.costly());
    counts.costly += costly;
  }
  return counts;
}

TEST(StepIndex, CountsWhatCountingOneByOneCounts) {
  std::mt19937 random(7);
  for (int round = 0; round < 40; ++round) {
    const int warps = 1 + static_cast<int>(random() % 5);
    const Summary s = random_run(random, random() % 900, warps, round % 2 == 1);
    StepIndex index;
    while (!index.extend(s, 1 + random() % 200)) {}
    ASSERT_TRUE(index.complete(s));
    for (int warp = 0; warp < warps + 1; ++warp) {
      for (int probe = 0; probe < 12; ++probe) {
        std::size_t first = random() % 320, last = random() % 320;
        if (first > last) std::swap(first, last);
        ASSERT_EQ(index.count(warp, first, last), counted(s, warp, first, last)) << first << " to " << last;
      }
    }
  }
}

TEST(StepIndex, ColumnsAndMarksAreInverse) {
  std::mt19937 random(11);
  const Summary s = random_run(random, 700, 4, true);
  const StepIndex index = index_of(s);
  std::size_t longest = 0;
  for (int warp = 0; warp < 4; ++warp) {
    const auto own = index.of_warp(warp);
    longest = std::max(longest, own.size());
    for (std::size_t n = 0; n < own.size(); ++n) {
      const TimelineMark& mark = s.timeline[own[n]];
      ASSERT_EQ(mark.warp, warp);
      ASSERT_EQ(index.column(own[n]), n);
      ASSERT_EQ(index.before(s, warp, mark.step), n);
      ASSERT_EQ(index.mark_at(s, mark.step), own[n]);
    }
  }
  EXPECT_EQ(index.longest(), longest);
  EXPECT_EQ(index.mark_at(s, -1), -1);
  EXPECT_EQ(index.mark_at(s, static_cast<std::int64_t>(s.timeline.back().step) + 1), -1);
  for (std::uint32_t step = 0; step < 60; ++step) {
    const bool there = std::ranges::any_of(s.timeline, [&](const TimelineMark& m) { return m.step == step; });
    EXPECT_EQ(index.mark_at(s, step) >= 0, there) << step;
  }
}

TEST(StepIndex, ALoadOfAParameterIsNoLoad) {
  Summary s;
  s.code = {site(trace::StepKind::load, "ld.param.u64 %rd1, [f_param_0];"),
            site(trace::StepKind::load, "@%p1 ld.param.u64 %rd1, [f_param_0];"),
            site(trace::StepKind::load, "ld.global.f32 %f1, [%rd1];"),
            site(trace::StepKind::store, "st.param.b32 [x], %r1;")};
  for (int pc = 0; pc < 4; ++pc)
    s.timeline.push_back({.step = static_cast<std::uint32_t>(pc), .kind = s.code[pc].kind, .line = 3, .pc = pc});
  s.warps = 1;
  const MarkCounts all = index_of(s).count(0, 0, 4);
  EXPECT_EQ(all.of_kind[parameter_kind], 2u);
  EXPECT_EQ(all.of_kind[static_cast<int>(trace::StepKind::load)], 1u);
  EXPECT_EQ(all.of_kind[static_cast<int>(trace::StepKind::store)], 1u);
}

TEST(StepIndex, KnowsTheFirstMarkAndTheFirstProbeOfALine) {
  Summary s;
  s.warps = 1;
  s.timeline = {{.step = 0, .line = 5}, {.step = 1, .line = 9}, {.step = 2, .kind = trace::StepKind::probe, .line = 9}};
  const StepIndex index = index_of(s);
  EXPECT_EQ(index.first_on_line(9, false), 1);
  EXPECT_EQ(index.first_on_line(9, true), 2);
  EXPECT_EQ(index.first_on_line(5, true), -1);
  EXPECT_EQ(index.first_on_line(0, false), -1);
  EXPECT_EQ(index.first_on_line(1'000'000'000, false), -1);
}

TEST(StepIndex, AnEmptyTimelineIsComplete) {
  const Summary s;
  StepIndex index;
  EXPECT_TRUE(index.extend(s));
  EXPECT_TRUE(index.complete(s));
  EXPECT_TRUE(index.of_warp(0).empty());
  EXPECT_EQ(index.count(0, 0, 10), MarkCounts{});
}

}  // namespace
}  // namespace lanescope::results
