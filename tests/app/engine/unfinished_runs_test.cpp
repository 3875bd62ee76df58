// Runs that end before all blocks have run: what ran is shown and judged, and nothing else looks as if it had.

#include <filesystem>
#include <fstream>

#include "app/engine/prepare/execution.h"
#include "app/engine/prepare/prepare.h"
#include "tests/app/engine/support.h"

namespace lanescope::engine {
namespace {

using Clock = RunTimes::Clock;
using namespace std::chrono_literals;

RunRequest cut_request(const std::string& text) {
  RunRequest request;
  request.file = "cut.cu";
  request.text = text;
  request.run_seconds = 1e-9;  // the first block runs, and those that stand for the others
  return request;
}

const std::string copy_text = R"(/*
[lanescope]
block = 32
grid = 4096
[buffers]
p = "f32 n:131072"
q = "f32 n:131072 = zeros"
*/
__global__ void copy(const float* p, float* q) {
  float v = p[blockIdx.x * 32 + threadIdx.x];
  // v has register assignment:
  //   thread: t4 t3 t2 t1 t0 <-> n4 n3 n2 n1 n0
  q[blockIdx.x * 32 + threadIdx.x] = v + 1;
}
)";

TEST(Coverage, WhatRanIsJudgedAndTheRestIsSaid) {
  NEEDS_NVRTC();
  RunRequest request = cut_request(copy_text);
  request.record_block = 77;
  Session session;
  const results::Summary& s = session.run(request);
  ASSERT_TRUE(s.ok);
  EXPECT_EQ(session.ending(), Ending::cannot_here);
  ASSERT_EQ(s.coverage.size(), 1u);
  const trace::Coverage& plain = s.coverage[0].plain;
  EXPECT_EQ(plain.in_order, 1u);
  ASSERT_GE(plain.others.size(), 2u);
  EXPECT_EQ(plain.others[0], 77u) << "the block that was requested";
  EXPECT_EQ(plain.others[1], 4095u) << "the last one";
  EXPECT_GT(s.steps, 0u) << "its steps are there";
  ASSERT_EQ(s.claims.size(), 1u);
  EXPECT_EQ(s.claims[0].result.verdict, claims::Verdict::unchecked);
  EXPECT_NE(s.claims[0].result.reason.words().find("of 4096 blocks that ran; the time for running is over"),
            std::string::npos)
      << s.claims[0].result.reason.words();
  EXPECT_TRUE(std::ranges::any_of(s.notices, [](const results::Notice& notice) {
    const std::string n = notice.words();
    return n.find("of 4096 blocks ran") != std::string::npos && n.find("outputs, counters") != std::string::npos &&
           n.find("steps and verdicts") != std::string::npos &&
           n.find("; all blocks would take about ") != std::string::npos;
  }));
  for (const Output& o : session.outputs()) {
    EXPECT_FALSE(o.partial.empty()) << o.name;
    EXPECT_FALSE(o.difference);
  }
  std::uint64_t counted = 0;
  for (const results::BlockCounters& b : s.blocks) counted += b.instructions > 0 ? 1 : 0;
  EXPECT_LE(counted, plain.ran());
}

TEST(Coverage, BlocksAreToldWhileARunGoesOnAndNeverMoreThanThereAre) {
  NEEDS_NVRTC();
  std::string text = copy_text;
  text.replace(text.find("+ 1;"), 4, "+ 1; for (volatile int i = 0; i < 40; ++i) {}");
  RunRequest request = cut_request(text);
  request.run_seconds = 0;
  std::vector<RanSoFar> reported;
  Session session;
  session.on_steps([&](const RanSoFar& now) { reported.push_back(now); });
  ASSERT_TRUE(session.run(request).ok);
  ASSERT_FALSE(reported.empty());
  for (std::size_t i = 0; i < reported.size(); ++i) {
    EXPECT_EQ(reported[i].all_blocks, 4096u);
    EXPECT_LE(reported[i].blocks, reported[i].all_blocks);
    if (i > 0) {
      EXPECT_GE(reported[i].steps, reported[i - 1].steps);
    }
  }
  EXPECT_GT(reported.back().blocks, 0u);
}

/// An element that no block wrote has no value after the launch.
TEST(Coverage, WhatWasNotComputedDoesNotLookComputed) {
  NEEDS_NVRTC();
  Session session;
  session.run(cut_request(copy_text));
  const results::Contents first = session.contents({.buffer = 1, .first = 0, .count = 64});
  ASSERT_EQ(first.emulated.size(), 64u);
  EXPECT_FALSE(first.partial.empty());
  for (std::size_t i = 0; i < 32; ++i) EXPECT_NE(first.emulated[i], results::not_computed) << i;
  for (std::size_t i = 32; i < 64; ++i) EXPECT_EQ(first.emulated[i], results::not_computed) << i;
  RunRequest whole = cut_request(copy_text);
  whole.run_seconds = 0;
  session.run(whole);
  EXPECT_EQ(session.ending(), Ending::good);
  EXPECT_TRUE(session.summary().coverage.empty());
  EXPECT_TRUE(session.contents({.buffer = 1}).partial.empty());
  EXPECT_EQ(session.summary().claims[0].result.verdict, claims::Verdict::holds);
}

/// A fault in a launch that reads what a cut launch left may be due to that: it is no mistake of the kernel's.
TEST(Coverage, AFaultOnPartialDataIsNoVerdict) {
  NEEDS_NVRTC();
  const std::string text = R"(/*
[lanescope]
[[launch]]
kernel = "index"
block = 32
grid = 64
[[launch]]
kernel = "gather"
block = 32
grid = 64
[buffers]
at = "s32 n:2048 = -1"
q = "f32 n:2048 = zeros"
*/
__global__ void index(int* at) { at[blockIdx.x * 32 + threadIdx.x] = threadIdx.x; }
__global__ void gather(const int* at, float* q) { q[at[(63 - blockIdx.x) * 32 + threadIdx.x - 32 * (blockIdx.x == 0)]] = 1; }
)";
  RunRequest request = cut_request(text);
  Session session;
  session.run(request);
  ASSERT_FALSE(session.faults().empty());
  EXPECT_EQ(session.ending(), Ending::cannot_here);
  EXPECT_NE(session.faults()[0].message.find("works on partial data"), std::string::npos)
      << session.faults()[0].message;
  request.run_seconds = 0;
  session.run(request);
  EXPECT_TRUE(session.faults().empty());
}

/// A launch after a cut one may read memory that the missing blocks would have written.
TEST(Coverage, BehindACutLaunchNobodyKnowsWhatIsUnwritten) {
  NEEDS_NVRTC();
  const std::string text = R"(__global__ void fill(float* v) { v[blockIdx.x * 32 + threadIdx.x] = blockIdx.x; }
__global__ void twice(const float* v, float* w) { w[blockIdx.x * 32 + threadIdx.x] = 2 * v[blockIdx.x * 32 + threadIdx.x]; }
int main() {
  float *v, *w;
  cudaMalloc(&v, 8192 * 4), cudaMalloc(&w, 8192 * 4);
  fill<<<REACHES, 32>>>(v);
  twice<<<8, 32>>>(v, w);
}
)";
  const auto reads = [](const results::Summary& s) {
    std::vector<std::string> out;
    for (const auto& f : s.findings)
      if (f.rule == "uninitialised-read") out.push_back(f.message);
    return out;
  };
  const auto filled = [&](const char* blocks) {
    std::string t = text;
    return t.replace(t.find("REACHES"), 7, blocks);
  };
  RunRequest request = cut_request(filled("256"));
  request.review = true;
  Session session;
  session.run(request);
  ASSERT_FALSE(session.summary().coverage.empty());
  std::vector<std::string> cut = reads(session.summary());
  ASSERT_EQ(cut.size(), 1u);
  EXPECT_NE(cut[0].find("of a launch before it not all blocks ran"), std::string::npos) << cut[0];
  request.run_seconds = 0;
  session.run(request);
  EXPECT_TRUE(reads(session.summary()).empty());
  request.text = filled("4");  // all of it runs, and writes too little
  session.run(request);
  const std::vector<std::string> short_fill = reads(session.summary());
  ASSERT_EQ(short_fill.size(), 1u);
  EXPECT_NE(short_fill[0].find("element 128 of `v`, which no store has written"), std::string::npos) << short_fill[0];
}

/// Contents are kept once for the launch whose steps are shown, and not for every launch.
TEST(Coverage, OnlyTheHistoryOfTheShownLaunchKeepsContents) {
  NEEDS_NVRTC();
  RunRequest request = cut_request(R"(__global__ void put(float* v, int n) { v[threadIdx.x] = n; }
int main() {
  float* v;
  cudaMalloc(&v, 128);
  for (int i = 0; i < 5; ++i) put<<<1, 32>>>(v, i);
}
)");
  request.run_seconds = 0;
  Prepared prepared = prepare(request, [](std::string_view) {}, nullptr, {});
  ASSERT_TRUE(prepared.ready);
  const ProbedRun run =
      run_probed(prepared.probed, *prepared.source, prepared.buffers, {.shown_launch = 1, .history_bytes = 1 << 20});
  ASSERT_GE(run.launches.size(), 3u);
  for (std::size_t i = 0; i < run.launches.size(); ++i) {
    const trace::Trace& t = run.launches[i]->trace;
    ASSERT_EQ(t.buffers.size(), 1u);
    EXPECT_EQ(t.buffers[0].bytes.size(), i == 1 ? 128u : 0u) << i;
    EXPECT_EQ(t.buffers[0].name, "v");
    const std::uint64_t start = t.buffer_addresses[0];
    EXPECT_EQ(t.locate(start + 127), (std::pair{0, std::uint64_t{127}})) << i;
    EXPECT_FALSE(t.locate(start + 128)) << i;
  }
}

/// Where there are no claims the instrumented program runs no further than the block that is shown.
TEST(Coverage, WithoutClaimsOnlyTheRecordedBlockIsInstrumented) {
  NEEDS_NVRTC();
  std::string text = copy_text;
  text.replace(text.find("has register"), 12, "is in       ");
  RunRequest request = cut_request(text);
  request.run_seconds = 0;
  request.record_block = 3;
  std::uint64_t steps = 0;
  Session session;
  session.on_steps([&](const RanSoFar& now) { steps = now.steps; });
  const results::Summary& s = session.run(request);
  ASSERT_TRUE(s.ok);
  EXPECT_TRUE(s.coverage.empty());
  EXPECT_GT(s.steps, 0u);
  EXPECT_EQ(s.recorded_block, 3u);
  EXPECT_EQ(session.ending(), Ending::good);
}

TEST(RunTimes, LeaveTimeForTheLaunchesThatFollowAndForJudging) {
  const Clock::time_point now = Clock::now();
  EXPECT_FALSE(run_times(now, Clock::time_point::max(), 0).limited());
  const RunTimes of_limit = run_times(now, now + 100s, 0);
  EXPECT_EQ(of_limit.cut, now + 60s);
  EXPECT_EQ(of_limit.leave, now + 75s);
  const RunTimes both = run_times(now, now + 100s, 10);
  EXPECT_EQ(both.cut, now + 10s);
  EXPECT_EQ(both.leave, now + 20s);
  EXPECT_EQ(launch_limits(both, now, 0).no_block_after, now + 10s);
  EXPECT_EQ(launch_limits(both, now, 5).no_block_after, now + 7s);
  EXPECT_EQ(launch_limits(both, now, 5).leave_at, now + 14s);
  EXPECT_EQ(launch_limits(both, now + 15s, 5).no_block_after, now + 15s) << "nothing is left: the first block runs";
  EXPECT_FALSE(both.over(now + 19s));
  EXPECT_TRUE(both.over(now + 20s));
  EXPECT_EQ(launch_limits({}, now, 3).no_block_after, Clock::time_point::max());
  EXPECT_EQ(launch_limits(both, now + 30s, 0).leave_at, now + 31s) << "the arrays took the time, and a block is needed";
  EXPECT_EQ(launch_limits(of_limit, now + 99500ms, 0).leave_at, now + 100s) << "but never beyond the end";
}

// ---- sizes that are not stated

TEST(FitSizes, BuffersAndSharedMemoryReachAsFarAsTheKernel) {
  NEEDS_NVRTC();
  RunRequest request;
  request.file = "fit.cu";
  request.text = R"(__global__ void rows(const float* a, float* b, int n) {
  extern __shared__ float s[];
  int x = threadIdx.x, y = threadIdx.y;
  float sum = 0;
  for (int k = 0; k < 300; k++) sum += a[(y * 300 + k) * 16 + x];
  s[y * blockDim.x + x + 7] = sum;
  b[y * 4096 + x] = s[y * blockDim.x + x + 7];
}
)";
  Session session;
  const results::Summary& s = session.run(request);
  ASSERT_TRUE(session.faults().empty()) << session.faults()[0].message;
  EXPECT_EQ(session.ending(), Ending::good);
  EXPECT_EQ(s.block, (trace::Dim3{16, 16, 1}));
  ASSERT_EQ(s.buffers.size(), 2u);
  EXPECT_EQ(s.buffers[0].elements, 300u * 16 * 16);
  EXPECT_EQ(s.buffers[1].elements, 15u * 4096 + 32);
  ASSERT_EQ(s.launches.size(), 1u);
  EXPECT_EQ(s.launches[0].dynamic_shared_bytes, 4u * (256 + 7) + 4);
  const auto reason = [&](std::string_view buffer) {
    std::vector<std::string> out;
    for (const source::Assumption& a : s.assumed)
      if (a.code == source::Assumption::Code::buffer_size && a.name == buffer) out.push_back(a.because);
    return out;
  };
  // The trial reaches no farther than the loop's text says.
  EXPECT_EQ(reason("a"), std::vector<std::string>{"from the largest index that the kernel's text suggests"});
  EXPECT_EQ(reason("b"), std::vector<std::string>{"as far as the kernel's accesses reach"});
}

/// A stated size stays, and an access beyond it is a fault.
TEST(FitSizes, StatedSizesStay) {
  NEEDS_NVRTC();
  RunRequest request;
  request.file = "fit.cu";
  request.text =
      "/*\n[lanescope]\nblock = 32\n[buffers]\na = \"f32 n:64\"\n*/\n__global__ void k(float* a) { a[threadIdx.x * 40] "
      "= 1; "
      "}\n";
  Session session;
  session.run(request);
  EXPECT_EQ(session.ending(), Ending::faulted);
  request.text =
      "__global__ void k(float* a) { a[threadIdx.x * 40] = 1; }\n"
      "int main() { float* a; cudaMalloc(&a, 256); k<<<1, 32>>>(a); }\n";
  session.run(request);
  EXPECT_EQ(session.ending(), Ending::faulted);
}

}  // namespace
}  // namespace lanescope::engine
