#include "profiling/counters/divergence.h"

#include <gtest/gtest.h>

#include <bit>
#include <random>

namespace lanescope::counters {
namespace {

// Against plain lists of all steps: buckets lie side by side from step 0, and each holds exactly its own steps.
TEST(Divergence, BucketsHoldWhatHappenedInThem) {
  std::mt19937_64 random(41);
  for (const std::size_t steps : {1u, 7u, 8u, 9u, 100u, 5000u}) {
    DivergenceCounter counter(8);
    std::vector<std::uint32_t> active(steps);
    std::vector<bool> divergent(steps);
    for (std::size_t i = 0; i < steps; ++i) {
      active[i] = static_cast<std::uint32_t>(random() & random());
      const trace::Where where{.step = i, .pc = static_cast<std::uint32_t>(random() % 5), .active = active[i]};
      counter.on_step(where);
      const std::uint32_t taken = active[i] & static_cast<std::uint32_t>(random());
      divergent[i] = taken != 0 && taken != active[i];
      counter.on_branch({.where = where, .taken = taken});
    }
    const auto buckets = counter.over_time();
    ASSERT_LE(buckets.size(), 8u);
    ASSERT_TRUE(steps < 8 || buckets.size() > 4u);
    std::uint64_t next = 0;
    for (const DivergenceBucket& b : buckets) {
      ASSERT_EQ(b.first_step, next);
      next += b.steps;
      LaneHistogram expected;
      std::uint64_t diverged = 0, branches = 0;
      for (std::size_t i = b.first_step; i < std::min<std::size_t>(next, steps); ++i)
        expected.add(active[i]), ++branches, diverged += divergent[i] ? 1 : 0;
      ASSERT_EQ(b.lanes, expected);
      ASSERT_EQ(b.branches, branches);
      ASSERT_EQ(b.divergent_branches, diverged);
    }
    ASSERT_GE(next, steps);
  }
}

TEST(Divergence, StepsMayComeInAnyOrder) {
  std::mt19937_64 random(42);
  std::vector<std::uint64_t> order(1000);
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::shuffle(order.begin(), order.end(), random);
  DivergenceCounter straight(16), shuffled(16);
  for (std::uint64_t i = 0; i < 1000; ++i) {
    straight.on_step({.step = i, .active = static_cast<std::uint32_t>(i)});
    shuffled.on_step({.step = order[i], .active = static_cast<std::uint32_t>(order[i])});
  }
  const auto a = straight.over_time(), b = shuffled.over_time();
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_EQ(a[i].lanes, b[i].lanes);
}

TEST(Divergence, LinesAddUpAndAveragesFollow) {
  DivergenceCounter counter;
  std::vector<trace::CodeSite> code(2);
  code[0].line = 3, code[1].line = 5;
  counter.on_step({.step = 0, .pc = 0, .active = ~0u});
  counter.on_step({.step = 1, .pc = 1, .active = 0xffu});
  counter.on_step({.step = 2, .pc = 1, .active = 0});
  counter.on_step({.step = 3, .pc = 7, .active = ~0u});
  DivergenceReport report;
  add(report, counter, code);
  LaneHistogram sum;
  for (const auto& [line, lanes] : report.lines) sum += lanes;
  EXPECT_EQ(sum, report.total);
  EXPECT_EQ(report.lines.at(5).average_lanes(), 4);
  EXPECT_EQ(report.lines.at(5).percent_full(), 0);
  EXPECT_EQ(report.lines.at(0).total(), 1u);
  EXPECT_EQ(report.total.thread_total(), 72u);
  EXPECT_EQ(report.total.percent_full(), 50);
  EXPECT_EQ(LaneHistogram{}.average_lanes(), 0);
}

}  // namespace
}  // namespace lanescope::counters
