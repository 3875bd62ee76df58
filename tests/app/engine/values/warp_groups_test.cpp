// Which lanes run, diverge, reconverge and wait, against threads that are run one by one and against the barriers as the text has them.

#include <map>
#include <set>

#include "results/warp_groups.h"
#include "tests/app/engine/support.h"
#include "tests/app/engine/values/random_branches.h"

namespace lanescope::engine {
namespace {

using results::GroupChange;
using results::Summary;
using results::Wait;

RunRequest groups_request(const std::string& text) {
  RunRequest request;
  request.file = "random.cu", request.text = text;
  return request;
}

/// Lines of stores that a thread takes part in, in the order of the timeline.
std::vector<int> stores_of(const Summary& s, unsigned thread) {
  std::vector<int> lines;
  for (std::size_t n = 0; n < s.timeline.size(); ++n) {
    const results::TimelineMark& m = s.timeline[n];
    if (m.kind == trace::StepKind::store && m.warp == thread / 32 && (s.active_masks[n] >> (thread % 32) & 1) != 0)
      lines.push_back(m.line);
  }
  return lines;
}

// Each thread does what it does alone, independent of the others: the masks of a warp are its 32 threads laid over each other.
TEST(WarpGroups, MasksAreThoseOfThreadsRunOneByOne) {
  NEEDS_NVRTC();
  for (std::uint64_t seed = 1; seed <= 25; ++seed) {
    const test::RandomKernel kernel(seed);
    Session session;
    ASSERT_TRUE(session.run(groups_request(kernel.text())).ok) << kernel.text();
    const Summary& s = session.summary();
    ASSERT_EQ(s.active_masks.size(), s.timeline.size());
    for (unsigned thread = 0; thread < 64; ++thread)
      ASSERT_EQ(stores_of(s, thread), kernel.lines_of(thread)) << "seed " << seed << ", thread " << thread << "\n"
                                                               << kernel.text();
  }
}

// Replayed, the changes of a warp give groups, and every instruction runs in lanes of one of them.
TEST(WarpGroups, EveryInstructionRunsInOneGroup) {
  NEEDS_NVRTC();
  std::size_t parts = 0, meets = 0;
  for (std::uint64_t seed = 1; seed <= 25; ++seed) {
    Session session;
    ASSERT_TRUE(session.run(groups_request(test::RandomKernel(seed).text())).ok);
    const Summary& s = session.summary();
    std::map<int, std::vector<std::uint32_t>> groups;
    for (std::uint16_t warp = 0; warp < s.warps; ++warp) groups[warp] = {~0u};
    const auto apply = [&](const GroupChange& c) {
      std::vector<std::uint32_t>& all = groups[c.warp];
      ASSERT_EQ(c.part & ~c.lanes, 0u);
      ASSERT_NE(c.part, 0u);
      ASSERT_NE(c.part, c.lanes);
      if (c.meets) {
        std::uint32_t joined = 0;
        int count = 0;
        for (const std::uint32_t g : all)
          if ((g & c.lanes) != 0) joined |= g, ++count;
        ASSERT_GE(count, 2) << "seed " << seed;
        std::erase_if(all, [&](std::uint32_t g) { return (g & c.lanes) != 0; });
        all.push_back(joined);
        ++meets;
      } else {
        for (std::uint32_t& g : all)
          if ((g & c.lanes) != 0) {
            ASSERT_EQ(c.lanes & ~g, 0u) << "seed " << seed;
            g &= ~c.part;
          }
        all.push_back(c.part);
        ++parts;
      }
    };
    std::size_t next = 0;
    for (std::size_t n = 0; n < s.timeline.size(); ++n) {
      const results::TimelineMark& m = s.timeline[n];
      const std::size_t first = next;
      while (next < s.group_changes.size() && s.group_changes[next].step == m.step) ++next;
      const bool branch = m.pc >= 0 && s.code[static_cast<std::size_t>(m.pc)].text.find("bra") != std::string::npos;
      // Lanes diverge after a branch, and before anything else.
      for (std::size_t c = first; c < next; ++c)
        if (!branch || s.group_changes[c].meets) apply(s.group_changes[c]);
      std::size_t homes = 0;
      for (const std::uint32_t g : groups[m.warp]) homes += (g & s.active_masks[n]) != 0;
      ASSERT_LE(homes, 1u) << "seed " << seed << ", step " << m.step;
      for (std::size_t c = first; c < next; ++c)
        if (branch && !s.group_changes[c].meets) apply(s.group_changes[c]);
    }
  }
  EXPECT_GT(parts, 50u);
  EXPECT_GT(meets, 50u);
}

const char* const waits_text = R"(/*
[lanescope]
block = 128

[buffers]
x = "f32 i:128"
*/
__global__ void waits(float *x) {
  __shared__ float s[128];
  float v = x[threadIdx.x];
  for (unsigned n = 0; n < threadIdx.x / 32 * 8; ++n) v = v * v + 1.0f;
  s[threadIdx.x] = v;
  __syncthreads();
  v = s[127 - threadIdx.x];
  for (unsigned n = 0; n < 24 - threadIdx.x / 32 * 8; ++n) v = v * v + 2.0f;
  __syncthreads();
  if (threadIdx.x % 32 < 4) v = v * v * 3.0f;
  v += __shfl_xor_sync(0xffffffffu, v, 1);
  x[threadIdx.x] = v;
}
)";

// The n-th barrier is over when the last warp has come to it; earlier warps wait until then.
TEST(WarpGroups, WarpsWaitUntilTheLastOneComes) {
  NEEDS_NVRTC();
  Session session;
  ASSERT_TRUE(session.run(groups_request(waits_text)).ok);
  const Summary& s = session.summary();
  std::map<int, std::vector<std::uint32_t>> arrivals;  // by warp
  for (const results::TimelineMark& m : s.timeline)
    if (m.kind == trace::StepKind::barrier) arrivals[m.warp].push_back(m.step);
  ASSERT_EQ(arrivals.size(), 4u);
  for (std::size_t n = 0; n < 2; ++n) {
    std::uint32_t last = 0;
    for (const auto& [warp, steps] : arrivals) last = std::max(last, steps.at(n));
    for (const auto& [warp, steps] : arrivals) {
      const auto of = [&](const Wait& w) {
        return w.kind == Wait::Kind::block_barrier && w.warp == warp && w.from == steps[n];
      };
      ASSERT_EQ(std::ranges::count_if(s.waits, of), steps[n] == last ? 0 : 1) << "warp " << warp << ", barrier " << n;
      if (steps[n] == last) continue;
      const Wait& w = *std::ranges::find_if(s.waits, of);
      EXPECT_EQ(w.until, std::int64_t{last});
      EXPECT_EQ(w.lanes, ~0u);
      EXPECT_EQ(w.last_warp, s.timeline[last].warp);
      EXPECT_NE(results::wait_words(s, w).find("the last to come"), std::string::npos);
      // It runs nothing in between.
      for (const results::TimelineMark& m : s.timeline)
        if (m.warp == warp) {
          EXPECT_FALSE(m.step > w.from && m.step <= w.until);
        }
    }
  }
}

TEST(WarpGroups, LanesAreSaidInRuns) {
  EXPECT_EQ(results::lanes_words(~0u), "all lanes");
  EXPECT_EQ(results::lanes_words(1u << 7), "lane 7");
  EXPECT_EQ(results::lanes_words(0xffff), "lanes 0–15");
  EXPECT_EQ(results::lanes_words(0x55555555), "lanes 0–30 step 2");
  EXPECT_EQ(results::lanes_words(0x80000003), "lanes 0–1, 31");
  EXPECT_EQ(results::lanes_words(0), "no lane");
}

}  // namespace
}  // namespace lanescope::engine
