// The host's calls and launches in time: streams as lanes, rounds, overlaps.

#include <map>
#include <set>

#include <gtest/gtest.h>

#include "tests/viz/measured_fixtures.h"
#include "tests/viz/scene_queries.h"
#include "viz/views/base/csv.h"
#include "viz/views/base/theme.h"
#include "viz/views/measured/measured.h"
#include "viz/views/tooltips.h"

namespace lanescope::views {
namespace {

using scene::Id;

TEST(HostCallsView, LaunchesOfOneKindAreOneRow) {
  const auto profile = launch_profile(fixtures::measured());
  ASSERT_EQ(profile.size(), 2u);
  EXPECT_EQ(profile[0].launches, 20u);
  EXPECT_EQ(profile[0].least_us, 4);
  EXPECT_EQ(profile[0].most_us, 4.5);
  EXPECT_NEAR(profile[0].average_us(), (7 * 4 + 7 * 4.25 + 6 * 4.5) / 20, 1e-12);
  EXPECT_TRUE(says(host_calls_view(fixtures::measured(), {}, dark_theme()), "cuModuleLoadDataEx"));
}

TEST(HostCallsView, AStreamIsALaneAndTimeRunsAcross) {
  const Measured m = fixtures::streams();
  const Repetition last = last_repetition(m.launches);
  EXPECT_EQ(last.repetitions, 3u);
  EXPECT_EQ(last.first, 8u);
  ASSERT_EQ(last.count, 4u);
  const scene::Scene scene = host_calls_view(m, {}, dark_theme());
  for (const char* lane : {"stream 0", "stream 2", "stream 5"}) EXPECT_TRUE(says(scene, lane)) << lane;
  EXPECT_FALSE(says(scene, "stream 1")) << "no launch is there";
  EXPECT_TRUE(says(scene, "last of 3 identical repetitions"));
  ASSERT_EQ(count(scene, Id::Kind::launch_mark), 4);
  const auto mark = [&](std::size_t n) {
    return scene::find(scene, {.kind = Id::Kind::launch_mark, .a = static_cast<int>(last.first + n)})->rect;
  };
  const float pixels_per_us = mark(0).w / 9;
  for (std::size_t n = 0; n < 4; ++n) {
    const LaunchRow& l = m.launches[last.first + n];
    EXPECT_NEAR(mark(n).x - mark(0).x, (l.start_us - 800) * pixels_per_us, 0.1) << n;
    if (n != 2) {
      EXPECT_NEAR(mark(n).w, l.duration_us * pixels_per_us, 0.1) << n;
    }
    EXPECT_GE(mark(n).w, 1) << "short, but there";
    for (std::size_t other = 0; other < 4; ++other)
      EXPECT_EQ(mark(n).y == mark(other).y, l.stream == m.launches[last.first + other].stream);
  }
  EXPECT_LT(mark(0).y, mark(1).y);
  EXPECT_LT(mark(1).y, mark(2).y) << "ascending numbers downwards";
  const std::string fact = host_call_tooltip(m, {.kind = Id::Kind::launch_mark, .a = 9});
  EXPECT_NE(fact.find("sum in stream 2"), std::string::npos) << fact;
  EXPECT_NE(fact.find("10 µs from 2 µs on"), std::string::npos) << fact;
  EXPECT_EQ(count(host_calls_view(fixtures::measured(), {}, dark_theme()), Id::Kind::launch_mark), 0)
      << "one stream needs no lanes";
}

/// Against a sum over small slices of time.
TEST(HostCallsView, OverlapIsTheTimeOfSeveralStreams) {
  const Measured m = fixtures::streams();
  EXPECT_NEAR(overlap(std::span(m.launches).first(4)).at_once_us, 9, 1e-9);
  std::mt19937 random(21);
  for (int trial = 0; trial < 100; ++trial) {
    std::vector<LaunchRow> rows(random() % 8);
    for (LaunchRow& l : rows) {
      l.stream = random() % 3;
      l.start_us = static_cast<double>(random() % 40), l.duration_us = static_cast<double>(random() % 20);
    }
    double at_once = 0, begin = 1e9, end = 0;
    for (int slice = 0; slice < 60; ++slice) {
      std::set<std::uint32_t> busy;
      for (const LaunchRow& l : rows)
        if (l.start_us <= slice && l.start_us + l.duration_us >= slice + 1) busy.insert(l.stream);
      at_once += busy.size() > 1 ? 1 : 0;
    }
    for (const LaunchRow& l : rows)
      begin = std::min(begin, l.start_us), end = std::max(end, l.start_us + l.duration_us);
    EXPECT_NEAR(overlap(rows).at_once_us, at_once, 1e-9);
    EXPECT_NEAR(overlap(rows).whole_us, rows.empty() ? 0 : end - begin, 1e-9);
  }
}

TEST(HostCallsView, RoundsAreThoseThatRepeatAndDoNotOverlap) {
  Measured m = fixtures::streams();
  EXPECT_EQ(last_repetition({}).count, 0u);
  EXPECT_EQ(last_repetition(std::span(m.launches).first(5)).repetitions, 1u)
      << "five are no repetitions of equal length";
  EXPECT_EQ(last_repetition(std::span(m.launches).first(4)).repetitions, 1u);
  m.launches[5].stream = 1;
  EXPECT_EQ(last_repetition(m.launches).repetitions, 1u) << "another stream, another repetition";
  m = fixtures::streams();
  m.launches[3].duration_us = 391;
  EXPECT_EQ(last_repetition(m.launches).repetitions, 1u) << "the first is not over when the second begins";
}

TEST(HostCallsCsv, ARowForEachStream) {
  const Measured m = fixtures::streams();
  const auto table = csv::parse(host_calls_csv(m));
  const auto column = [&](std::string_view name) {
    return static_cast<std::size_t>(std::find(table[0].begin(), table[0].end(), name) - table[0].begin());
  };
  ASSERT_LT(column("stream"), table[0].size());
  std::vector<std::pair<std::string, std::string>> launches;
  for (const auto& row : table)
    if (row[0] == "launch") launches.emplace_back(row[column("name")], row[column("stream")]);
  EXPECT_EQ(launches, (std::vector<std::pair<std::string, std::string>>{
                          {"load_with_a_long_name", "0"}, {"sum", "2"}, {"flag", "5"}, {"store", "0"}}));
  Measured same = m;
  for (LaunchRow& l : same.launches) l.kernel = "one";
  EXPECT_EQ(launch_profile(same).size(), 3u) << "one kernel in three streams";
}

}  // namespace
}  // namespace lanescope::views
