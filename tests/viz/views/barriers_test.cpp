// Who waits after a step: the rows against the definition, step by step, and what the picture says.

#include "viz/views/costs/warps.h"

#include <gtest/gtest.h>

#include <random>

#include "tests/viz/cost_fixtures.h"
#include "tests/viz/scene_queries.h"

namespace lanescope::views {
namespace {

using State = BarrierRow::State;

/// Three warps: two arrive at barrier 0 of line 30 and wait for warp 2, which ends the wait in step 7.
Summary three_warps() {
  Summary s;
  s.ok = true;
  s.warps = 3;
  const auto mark = [&](std::uint32_t step, std::uint16_t warp, trace::StepKind kind, int line) {
    s.timeline.push_back({.step = step, .warp = warp, .kind = kind, .line = line});
    s.active_masks.push_back(~0u);
  };
  using trace::StepKind;
  mark(0, 0, StepKind::arithmetic, 12), mark(1, 1, StepKind::arithmetic, 12), mark(2, 0, StepKind::barrier, 30);
  mark(3, 1, StepKind::barrier, 30), mark(4, 2, StepKind::arithmetic, 12), mark(5, 2, StepKind::arithmetic, 20);
  mark(6, 2, StepKind::load, 22), mark(7, 2, StepKind::barrier, 30), mark(8, 0, StepKind::exit, 31);
  mark(9, 1, StepKind::exit, 31), mark(10, 2, StepKind::exit, 31);
  s.steps = 11;
  s.waits = {{.warp = 0, .lanes = ~0u, .from = 2, .until = 7, .line = 30, .last_warp = 2, .last_lanes = ~0u},
             {.warp = 1, .lanes = ~0u, .from = 3, .until = 7, .line = 30, .last_warp = 2, .last_lanes = ~0u}};
  return s;
}

Selection after(std::int64_t step) {
  Selection s;
  s.step = step;
  return s;
}

std::string states(const Summary& s, std::int64_t step) {
  std::string words;
  for (const BarrierRow& row : barrier_rows(s, index_of(s), step)) words += "-rwe"[static_cast<int>(row.state)];
  return words;
}

TEST(Barriers, ARowForEachWarpSaysWhetherItWaits) {
  const Summary s = three_warps();
  const std::string expected[] = {"---", "r--", "rr-", "wr-", "ww-", "wwr", "wwr", "wwr", "rrr", "err", "eer", "eee"};
  for (std::int64_t step = -1; step < 11; ++step) EXPECT_EQ(states(s, step), expected[step + 1]) << step;
}

TEST(Barriers, ThePictureSaysForWhomAndEachRowLeadsToItsWait) {
  const Summary s = three_warps();
  const Scene scene = barriers_view(s, after(5), {.width = 720}, dark_theme());
  EXPECT_TRUE(says(scene, "2 of 3 warps wait after step 6"));
  EXPECT_TRUE(says(scene, "Warps 0, 1 wait at barrier 0, line 30, until step 8: warp 2 arrives last."));
  EXPECT_NE(find(scene, {.kind = Id::Kind::wait, .a = 1}), nullptr);
  EXPECT_NE(find(scene, {.kind = Id::Kind::timeline_step, .a = 5}), nullptr);
  EXPECT_TRUE(says(barriers_view(s, after(0), {.width = 360}, dark_theme()), "No warp waits after step 1"));
  EXPECT_NE(barriers_csv(s, 5).find("0,waits,0xffffffff,barrier,0,30,2,7,2"), std::string::npos) << barriers_csv(s, 5);
}

TEST(Barriers, AWaitWithoutEndNeverContinues) {
  Summary s = three_warps();
  s.timeline.resize(8), s.active_masks.resize(8);
  for (Wait& w : s.waits) w.until = -1, w.last_warp = -1;
  const Scene scene = barriers_view(s, after(7), {.width = 720}, dark_theme());
  EXPECT_TRUE(says(scene, "Warps 0, 1 wait at barrier 0, line 30, and never continue in this record."));
  EXPECT_TRUE(says(scene, "never"));
}

TEST(Barriers, LanesThatWaitAndLanesThatRunHaveRowsOfTheirOwn) {
  Summary s = three_warps();
  s.waits.insert(s.waits.begin(),
                 {.kind = Wait::Kind::warp_sync, .warp = 0, .lanes = 0xffff, .from = 0, .until = 2, .line = 12});
  EXPECT_EQ(states(s, 1), "wrr-") << "lanes 16 to 31 of warp 0 run";
}

// Of any waits: a warp has a row that waits if and only if one of its waits has begun and has not ended.
TEST(Barriers, RowsAreTheWaitsThatHaveBegunAndNotEnded) {
  std::mt19937 random(5);
  for (int round = 0; round < 200; ++round) {
    Summary s = fixtures::profiled(4, 20);
    for (int n = 0; n < 12; ++n) {
      const auto from = static_cast<std::uint32_t>(random() % 70);
      const std::int64_t until = random() % 4 == 0 ? -1 : from + static_cast<std::int64_t>(random() % 20);
      s.waits.push_back({.warp = static_cast<std::uint16_t>(random() % 4), .lanes = ~0u, .from = from, .until = until});
    }
    std::ranges::stable_sort(s.waits, {}, &Wait::from);
    const StepIndex index = index_of(s);
    for (std::int64_t step = 0; step < 80; step += 7) {
      std::vector<int> expected, seen;
      for (std::size_t n = 0; n < s.waits.size(); ++n)
        if (s.waits[n].from <= step && (s.waits[n].until < 0 || s.waits[n].until > step))
          expected.push_back(static_cast<int>(n));
      for (const BarrierRow& row : barrier_rows(s, index, step))
        if (row.wait >= 0) seen.push_back(row.wait);
      std::ranges::sort(seen);
      ASSERT_EQ(seen, expected) << step;
    }
  }
}

}  // namespace
}  // namespace lanescope::views
