// A file that was not written for lanescope: host code, main, a launch with <<< >>>, the runtime API, no header and no
// claims. It opens, runs and can be explored; assumptions are reported.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "tests/catalogue/support.h"

namespace lanescope::catalogue {
namespace {

const engine::Session& stranger() {
  static const engine::Session session = [] {
    const auto path = std::filesystem::path(LANESCOPE_TEST_DATA_DIR) / "catalogue" / "stranger_reduce.cu";
    return run({.file = path.string(), .text = read_text(path), .launch_file = {}, .launch_text = {}});
  }();
  return session;
}

int family(const results::Summary& s, std::string_view name) {
  const auto at = std::ranges::find(s.families, name, &results::RegisterArray::name);
  return at == s.families.end() ? -1 : static_cast<int>(at - s.families.begin());
}

TEST(Stranger, RunsAsItsOwnHostCodeLaunchesIt) {
  LANESCOPE_NEEDS_NVRTC();
  const results::Summary& s = stranger().summary();
  ASSERT_TRUE(s.ok) << words(s.diagnostics);
  EXPECT_TRUE(std::ranges::none_of(s.diagnostics, [](const Diagnostic& d) { return d.severity == Severity::error; }))
      << words(s.diagnostics);
  EXPECT_EQ(s.kernel, "partialSums");
  EXPECT_EQ(s.block, (trace::Dim3{128, 1, 1}));
  EXPECT_FALSE(s.inferred.empty()) << "what was assumed must be said";
  EXPECT_TRUE(s.notices.empty()) << s.notices.front().words();
  EXPECT_TRUE(s.claims.empty());
  ASSERT_NE(stranger().source(), nullptr);
  EXPECT_TRUE(stranger().source()->has_host_code);
}

// The sums are right: each block's threads add a strided share, then lanes and warps in the order of the code.
TEST(Stranger, ItsSumsAreRight) {
  LANESCOPE_NEEDS_NVRTC();
  const engine::Session& session = stranger();
  const engine::Output* input = output(session, "input");
  const engine::Output* partial = output(session, "partial");
  ASSERT_TRUE(input != nullptr && partial != nullptr);
  std::vector<float> in(input->bytes.size() / 4), found(session.summary().grid.x);
  std::memcpy(in.data(), input->bytes.data(), input->bytes.size());
  ASSERT_GE(partial->bytes.size(), found.size() * 4);
  std::memcpy(found.data(), partial->bytes.data(), found.size() * 4);
  const std::size_t blocks = found.size(), threads = 128, stride = blocks * threads;
  ASSERT_GE(in.size(), stride);
  for (std::size_t b = 0; b < blocks; ++b) {
    float total = 0;
    for (std::size_t w = 0; w < threads / 32; ++w) {
      std::array<float, 32> lanes{};
      for (std::size_t lane = 0; lane < 32; ++lane)
        for (std::size_t i = b * threads + 32 * w + lane; i < in.size(); i += stride) lanes[lane] += in[i];
      for (std::size_t distance = 16; distance > 0; distance /= 2) {
        const auto before = lanes;
        for (std::size_t lane = 0; lane < 32; ++lane)
          lanes[lane] += before[lane + distance < 32 ? lane + distance : lane];
      }
      total += lanes[0];
    }
    EXPECT_EQ(found[b], total) << b;
  }
}

TEST(Stranger, CanBeExplored) {
  LANESCOPE_NEEDS_NVRTC();
  const engine::Session& session = stranger();
  const results::Summary& s = session.summary();
  const int mine = family(s, "mine");
  ASSERT_GE(mine, 0);
  EXPECT_GT(s.steps, 100u);
  EXPECT_EQ(s.timeline.size(), s.steps);
  EXPECT_GT(s.shared_bytes, 0u);
  const auto shuffles = std::ranges::count(s.timeline, trace::StepKind::shuffle, &results::TimelineMark::kind);
  EXPECT_EQ(shuffles, 5 * 4) << "five steps in each of four warps";
  EXPECT_TRUE(std::ranges::any_of(s.timeline,
                                  [](const results::TimelineMark& m) { return m.kind == trace::StepKind::barrier; }));
  // At the end lane 0 of warp 0 holds a sum that depends on the elements of all its warp's lanes.
  const results::Moment end = session.moment({.step = static_cast<std::int64_t>(s.steps) - 1, .families = {mine}});
  ASSERT_EQ(end.grids.size(), 1u);
  const results::Cell& cell = end.grids.front().at(0, 0, 0, 0);
  EXPECT_TRUE(cell.defined);
  EXPECT_GE(cell.sources, 32u);
  const std::string line =
      read_text(std::filesystem::path(LANESCOPE_TEST_DATA_DIR) / "catalogue" / "stranger_reduce.cu");
  const int loads = line_of(line, "mine += input[i]");
  EXPECT_TRUE(std::ranges::any_of(s.counters, [&](const results::LineCounters& c) {
    return c.line == loads && c.global_requests == 1048576u / 32;
  }));
}

}  // namespace
}  // namespace lanescope::catalogue
