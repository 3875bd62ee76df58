// Costs of accesses, writes of registers and loops, of kernels that are compiled and run: against the moments of the same
// steps.

#include "app/engine/summary/summarize.h"

#include <algorithm>
#include <array>

#include "results/step_index.h"
#include "tests/app/engine/support.h"

namespace lanescope::engine {
namespace {

constexpr const char* looped = R"(/*
[lanescope]
block = 64

[buffers]
p = "f32 i:64"

[buffers.q]
type = "f32"
axes = "i:64"
init = "zeros"
*/
__global__ void looped(const float *p, float *q)
{
    __shared__ float tile[32 * 32];
    float sum = 0;
#pragma unroll 1
    for (int k = 0; k < 5; ++k) {
        float x = p[(threadIdx.x * (k + 1)) & 63];
        tile[(threadIdx.x * 32 * k) & 1023] = x;
        __syncthreads();
        sum += tile[threadIdx.x];
        __syncthreads();
    }
    q[threadIdx.x] = sum;
}
)";

RunRequest request_with(std::string text) {
  RunRequest request;
  request.file = "looped.cu";
  request.text = std::move(text);
  return request;
}

class StepFacts : public testing::Test {
 protected:
  void SetUp() override {
    NEEDS_NVRTC();
    ASSERT_TRUE(session.run(request_with(looped)).ok) << test::all_words(session.summary());
  }
  const results::Summary& s() const { return session.summary(); }
  Session session;
};

TEST_F(StepFacts, AccessesCostWhatTheirMomentsSay) {
  ASSERT_FALSE(s().accesses.empty());
  EXPECT_TRUE(std::ranges::is_sorted(s().accesses, {}, &results::StepAccess::step));
  bool conflict = false, fine = false;
  for (const results::StepAccess& access : s().accesses) {
    const results::Moment moment = session.moment({.step = access.step, .families = {}});
    ASSERT_TRUE(moment.access);
    ASSERT_EQ(moment.access->space, access.space);
    const bool shared = access.space == trace::MemorySpace::shared;
    EXPECT_EQ(access.cost, shared ? moment.access->cost.wavefronts : moment.access->cost.sectors) << access.step;
    EXPECT_TRUE(!shared || access.least == moment.access->cost.ideal_wavefronts) << access.step;
    (shared && access.costly() ? conflict : fine) = true;
  }
  EXPECT_TRUE(conflict && fine);
  const auto accesses = std::ranges::count_if(s().timeline, [&](const results::TimelineMark& m) {
    if (m.kind != trace::StepKind::load && m.kind != trace::StepKind::store) return false;
    const std::string& text = s().code[static_cast<std::size_t>(m.pc)].text;
    return text.find(".global") != text.npos || text.find(".shared") != text.npos;
  });
  EXPECT_EQ(static_cast<std::ptrdiff_t>(s().accesses.size()), accesses);
}

TEST_F(StepFacts, WritesAreWhereRegistersChange) {
  const int sum = test::family(s(), "sum"), x = test::family(s(), "x");
  std::array<int, 2> writes{};
  for (const results::RegisterWrite& write : s().writes) {
    if (write.family == sum) ++writes[0];
    if (write.family == x) ++writes[1];
    const int warp = s().timeline[write.step].warp;
    const results::Moment moment = session.moment(
        {.step = write.step, .families = {static_cast<int>(write.family)}, .first_warp = warp, .warp_count = 1});
    std::uint32_t changed = 0;
    for (int lane = 0; lane < 32; ++lane)
      changed |= static_cast<std::uint32_t>(moment.grids[0].at(0, write.reg, 0, lane).changed) << lane;
    EXPECT_EQ(write.lanes, changed) << write.step;
  }
  EXPECT_EQ(writes[1], 2 * 5) << "two warps, five rounds";
  EXPECT_GE(writes[0], 2 * 5);
}

TEST_F(StepFacts, TheLoopIsKnownWithItsIterations) {
  ASSERT_EQ(s().loops.size(), 1u);
  const results::LoopInfo& loop = s().loops[0];
  EXPECT_GE(loop.line, 18);
  EXPECT_LE(loop.line, 23);
  EXPECT_EQ(s().code[static_cast<std::size_t>(loop.last_pc)].kind, trace::StepKind::branch);
  const results::StepIndex index = results::index_of(s());
  for (const results::StepAccess& access : s().accesses) {
    const auto mark = s().timeline[access.step];
    if (mark.line != 19) continue;
    const auto around = results::iterations_at(s(), index, mark.warp, access.step);
    ASSERT_EQ(around.size(), 1u);
    EXPECT_EQ(around[0].of, 5);
  }
}

TEST_F(StepFacts, StepsAreToldWhileARunGoesOn) {
  Session other;
  std::vector<std::uint64_t> reported;
  other.on_steps([&](const RanSoFar& ran) { reported.push_back(ran.steps); });
  std::string text = looped;
  text.replace(text.find("k < 5"), 5, "k < 60000");
  const results::Summary& summary = other.run(request_with(text));
  ASSERT_TRUE(summary.ok) << test::all_words(summary);
  ASSERT_FALSE(reported.empty());
  EXPECT_TRUE(std::ranges::is_sorted(reported));
  EXPECT_GT(reported.back(), 100'000u);
}

TEST_F(StepFacts, AStraightKernelHasNoLoop) {
  Session other;
  ASSERT_TRUE(other.run(test::request_for("half2.cu")).ok);
  EXPECT_TRUE(other.summary().loops.empty());
  EXPECT_FALSE(other.summary().writes.empty());
}

}  // namespace
}  // namespace lanescope::engine
