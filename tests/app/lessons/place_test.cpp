// A moment that was bookmarked in a run is found again in it, and in a run of the kernel after an edit.

#include "app/lessons/moments_file.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "app/engine/remote/engine.h"
#include "kernels/base/read_file.h"
#include "kernels/base/text.h"

namespace lanescope::lessons {
namespace {

struct KernelRun {
  std::string text;
  results::Summary summary;
};

KernelRun run_text(const std::string& file, std::string text, std::uint32_t block = 0) {
  engine::RunRequest request;
  request.file = file;
  request.text = text;
  request.record_block = block;
  request.plain_run = false;
  return {.text = std::move(text), .summary = engine::engine_here()->run(request).summary};
}

KernelRun run_kernel(const std::string& name) {
  const std::string file = LANESCOPE_SOURCE_DIR "/assets/kernels/" + name;
  return run_text(file, read_file(file).value());
}

views::Selection random_selection(const results::Summary& s, std::mt19937& random) {
  const auto below = [&](std::uint64_t n) { return random() % n; };
  views::Selection out;
  const results::TimelineMark& mark = s.timeline[below(s.timeline.size())];
  out.step = mark.step, out.warp = mark.warp;
  out.block = s.recorded_block;
  out.share = static_cast<float>(below(5)) / 4.0F;
  if (below(2) == 0 && !s.families.empty()) {
    const auto f = static_cast<int>(below(s.families.size()));
    const auto regs = s.families[static_cast<std::size_t>(f)].registers.size();
    out.place = results::PlaceRef{.family = f,
                                  .warp = static_cast<int>(below(s.warps)),
                                  .reg = static_cast<int>(below(regs)),
                                  .part = static_cast<int>(below(2)),
                                  .lane = static_cast<int>(below(32))};
    out.family = f;
  }
  const auto element = [&] {
    const auto b = below(s.buffers.size());
    return std::pair{static_cast<int>(b), below(s.buffers[b].elements)};
  };
  if (below(2) == 0) out.element = element();
  if (below(2) == 0)
    out.address = s.shared_bytes > 0 && below(2) == 0 ? std::pair{-1, below(s.shared_bytes)}
                                                      : std::pair{0, below(s.buffers[0].bytes)};
  for (auto n = below(4); out.pins.size() < n;) {
    const auto [b, e] = element();
    for (std::uint64_t i = e;
         i < std::min<std::uint64_t>(e + below(3) + 1, s.buffers[static_cast<std::size_t>(b)].elements); ++i)
      out.pins.emplace_back(b, i);
  }
  return out;
}

void expect_same(const views::Selection& a, const views::Selection& b) {
  EXPECT_EQ(a.step, b.step);
  EXPECT_EQ(a.warp, b.warp);
  EXPECT_EQ(a.block, b.block);
  EXPECT_EQ(a.share, b.share);
  EXPECT_EQ(a.place, b.place);
  EXPECT_EQ(a.family, b.family);
  EXPECT_EQ(a.element, b.element);
  EXPECT_EQ(a.address, b.address);
  EXPECT_EQ(a.pins, b.pins);
}

TEST(Place, RandomStatesAreFoundAgain) {
  std::mt19937 random(2026);
  for (const char* name : {"half2_transposes.cu", "shared_transpose_padded.cu", "warp_sum.cu", "branch_divergent.cu"}) {
    const KernelRun run = run_kernel(name);
    ASSERT_TRUE(run.summary.ok) << name;
    int kept = 0;
    for (int round = 0; round < 60; ++round) {
      const views::Selection wanted = random_selection(run.summary, random);
      auto moment = bookmark(wanted, run.text, run.summary);
      if (!moment) {  // the first instructions of a kernel have no line
        EXPECT_NE(moment.error().front().message.find("no line"), std::string::npos) << moment.error().front().message;
        continue;
      }
      ++kept;
      moment->name = "m";
      const auto read = read_moments(with_moments("", {*moment}), "x", "");
      ASSERT_TRUE(read) << to_string(read.error().front());
      ASSERT_EQ(read->front(), *moment);
      const auto place = resolve(read->front(), run.text, run.summary);
      ASSERT_TRUE(place) << to_string(place.error().front());
      EXPECT_TRUE(place->remarks.empty());
      expect_same(place->selection, wanted);
    }
    EXPECT_GT(kept, 40) << name;
  }
}

/// Lines above push it down; among equal lines it stays the same one; a changed line is lost, which is reported.
TEST(Place, SurvivesEdits) {
  const KernelRun run = run_kernel("half2_transposes.cu");
  ASSERT_TRUE(run.summary.ok);
  const std::string declaration = "__half2 tmp";
  std::mt19937 random(5);
  std::string longer = run.text;
  const std::size_t body = longer.find("{\n", longer.find("__global__"));
  ASSERT_NE(body, std::string::npos);
  longer.insert(body + 2, "\n    // three lines\n    // more\n");
  const int inserted_below =
      1 + static_cast<int>(std::count(longer.begin(), longer.begin() + static_cast<std::ptrdiff_t>(body), '\n'));
  const KernelRun after = run_text("half2_transposes.cu", longer);
  ASSERT_TRUE(after.summary.ok);
  int moved = 0;
  for (int round = 0; round < 40; ++round) {
    views::Selection wanted = random_selection(run.summary, random);
    wanted.place.reset(), wanted.family = -1;
    const auto moment = bookmark(wanted, run.text, run.summary);
    if (!moment) continue;
    const auto place = resolve(*moment, after.text, after.summary);
    ASSERT_TRUE(place) << to_string(place.error().front()) << moment->text;
    // Nothing that runs was added, so the steps are the same.
    EXPECT_EQ(place->selection.step, wanted.step) << moment->text;
    if (moment->line <= inserted_below) continue;
    EXPECT_EQ(place->selection.line, moment->line + 3);
    ASSERT_EQ(place->remarks.size(), 1U);
    EXPECT_NE(place->remarks.front().message.find("is now line"), std::string::npos);
    ++moved;
  }
  EXPECT_GT(moved, 25);

  SavedMoment lost;
  lost.line = 53, lost.text = "tmp = __shfl_sync(~0u, tmp, laneId ^ 0x8);";
  const auto gone = resolve(lost, run.text, run.summary);
  ASSERT_FALSE(gone);
  EXPECT_NE(gone.error().front().message.find("was changed or is gone"), std::string::npos);
}

TEST(Place, SaysWhatIsNotThere) {
  const KernelRun run = run_kernel("half2_transposes.cu");
  ASSERT_TRUE(run.summary.ok);
  SavedMoment good;
  good.line = 53, good.text = "tmp = __shfl_sync(~0u, tmp, laneId ^ 0x4);";
  ASSERT_TRUE(resolve(good, run.text, run.summary));
  const auto refused = [&](auto change) {
    SavedMoment m = good;
    change(m);
    const auto place = resolve(m, run.text, run.summary);
    return place ? std::string("found") : place.error().front().message;
  };
  EXPECT_EQ(refused([](SavedMoment& m) { m.visit = 1; }), "warp 0 executes line 53 1 times, so there is no visit 1");
  EXPECT_NE(refused([](SavedMoment& m) { m.warp = 99; }).find("no warp 99"), std::string::npos);
  EXPECT_NE(refused([](SavedMoment& m) { m.block = 9; }).find("block 9 is not recorded"), std::string::npos);
  EXPECT_NE(refused([](SavedMoment& m) { m.launch = 3; }).find("launch 3"), std::string::npos);
  EXPECT_NE(refused([](SavedMoment& m) { m.select = "zz lane 1"; }).find("no register `zz`"), std::string::npos);
  EXPECT_NE(refused([](SavedMoment& m) { m.select = "zz[1]"; }).find("no buffer `zz`"), std::string::npos);
  EXPECT_NE(refused([](SavedMoment& m) { m.pins = {"p[99999999]"}; }).find("no element 99999999"), std::string::npos);
  EXPECT_NE(refused([](SavedMoment& m) { m.pins = {"p[0, 0]"}; }).find("axes"), std::string::npos);
  EXPECT_NE(refused([](SavedMoment& m) { m.colour = "zz"; }).find("zz"), std::string::npos);
  EXPECT_NE(refused([](SavedMoment& m) { m.line = 1, m.text.clear(); }).find("never executes"), std::string::npos);
}

TEST(Place, IndicesAreThoseOfTheAxes) {
  const KernelRun run = run_kernel("half2_transposes.cu");
  ASSERT_TRUE(run.summary.ok);
  const results::BufferInfo& p = run.summary.buffers.front();
  ASSERT_EQ(p.axes.size(), 3U);
  SavedMoment m;
  m.line = 53, m.pins = {p.name + "[1, 2, 3]"};
  const auto place = resolve(m, run.text, run.summary);
  ASSERT_TRUE(place) << to_string(place.error().front());
  EXPECT_EQ(place->selection.pins.front().second,
            p.axes[0].stride_elements + 2 * p.axes[1].stride_elements + 3 * p.axes[2].stride_elements);
}

}  // namespace
}  // namespace lanescope::lessons
