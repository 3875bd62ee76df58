// Kernels that launch kernels, from source text to summary: every grid is a launch of its own.

#include <algorithm>
#include <map>

#include "app/engine/prepare/prepare.h"
#include "app/engine/session/session.h"
#include "results/grids.h"
#include "tests/app/engine/support.h"

namespace lanescope::engine {
namespace {

RunRequest launching_request(const std::string& text) {
  RunRequest r;
  r.file = "k.cu";
  r.text = text;
  return r;
}

const std::string summing = R"(/*
[lanescope]
kernel = "sum_parts"
grid = 2
block = 64
args = ["x", "sum", 64]

[buffers]
x = "s32 i:256"
sum = "s32 i:2 = zeros"
*/
__device__ int grids;
__global__ void show(int *sum) { printf("%d grids\n", grids + sum[0] * 0); }
__global__ void sum_parts(int *x, int *sum, int half)
{
    int *own = x + 2 * half * blockIdx.x;
    own[threadIdx.x] += own[threadIdx.x + half];
    if (threadIdx.x == 0) atomicAdd(&grids, 1);
    if (half == 1) {
        sum[blockIdx.x] = own[0];
        return;
    }
    __syncthreads();
    if (threadIdx.x == 0)
        sum_parts<<<1, half / 2>>>(own, sum + blockIdx.x, half / 2);
    if (threadIdx.x == 0 && gridDim.x == 2 && blockIdx.x == 1)
        show<<<1, 1, 0, cudaStreamTailLaunch>>>(sum);
}
)";
constexpr int launch_line = 25;

std::vector<int> sums_on_host() {
  std::vector<int> out(2);
  for (int i = 0; i < 256; ++i) out[static_cast<std::size_t>(i / 128)] += i;
  return out;
}

TEST(DeviceLaunches, EveryGridIsALaunch) {
  NEEDS_NVRTC();
  Session session;
  RunRequest request = launching_request(summing);
  request.review = true;
  for (const std::uint64_t seed : {1u, 2u, 5u}) {
    request.seed = seed;
    const results::Summary& s = session.run(request);
    ASSERT_TRUE(s.ok) << test::all_words(s);
    EXPECT_TRUE(session.faults().empty()) << test::all_words(s);
    EXPECT_EQ(test::elements<int>(test::output(session, "sum")), sums_on_host());
    // 128 threads in two blocks, then two trees of 32, 16, ..., 1 threads, then the tail.
    ASSERT_EQ(s.launches.size(), 1u + 2 * 6 + 1);
    ASSERT_EQ(s.grids.size(), s.launches.size());
    EXPECT_EQ(s.launches.back().kernel, "show");
    EXPECT_EQ(s.grids.back().order, results::GridInfo::Order::tail);
    for (std::size_t i = 0; i < s.grids.size(); ++i) {
      const results::GridInfo& g = s.grids[i];
      EXPECT_EQ(g.launch, static_cast<int>(i));
      EXPECT_EQ(g.block, s.launches[i].block);
      EXPECT_EQ(g.kernel, s.launches[i].kernel);
      EXPECT_EQ(g.parent < 0, i == 0);
      if (i == 0) continue;
      EXPECT_EQ(g.depth, s.grids[static_cast<std::size_t>(g.parent)].depth + 1);
      EXPECT_EQ(g.line, i + 1 < s.grids.size() ? launch_line : launch_line + 2);
    }
    ASSERT_EQ(s.printed.size(), 1u);
    EXPECT_EQ(s.printed[0].text, "14 grids\n") << "a variable of the module goes from grid to grid";
    EXPECT_EQ(s.printed[0].launch, 13);
    for (const results::FindingInfo& f : s.findings) {
      EXPECT_FALSE(results::is_race(f)) << f.message;
      EXPECT_NE(f.rule, "barrier-unneeded") << "it orders what the next grid reads";
    }
  }
}

/// Races of a kernel whose body and launches are these, by line: the message and the remedy.
std::map<int, std::string> races_between_grids(const std::string& body, std::uint64_t seed) {
  Session session;
  RunRequest request = launching_request(
      "/*\n[lanescope]\nkernel = \"top\"\ngrid = 2\nblock = 64\nargs = [\"x\"]\n[buffers]\nx = \"s32 i:256 = "
      "zeros\"\n*/\n"
      "__global__ void add(int *x, int n) { x[threadIdx.x] += n; }\n"
      "__global__ void sum(const int *x, int *y) { y[threadIdx.x] = x[threadIdx.x] + x[threadIdx.x + 32]; }\n"
      "__global__ void top(int *x) {\n    const int t = threadIdx.x, b = blockIdx.x;\n" +
      body + "}\n");
  request.review = true, request.probed_run = false, request.seed = seed;
  const results::Summary& s = session.run(request);
  EXPECT_TRUE(s.ok) << test::all_words(s);
  std::map<int, std::string> out;
  for (const results::FindingInfo& f : s.findings)
    if (results::is_race(f)) out[f.line] += f.message + "; " + f.remedy + "\n";
  return out;
}
constexpr int line_of_add = 10, line_of_sum = 11;  // the body begins in line 14

TEST(RacesBetweenGrids, AreToldWithWhatWouldOrderThem) {
  NEEDS_NVRTC();
  const struct {
    std::string body;
    int line;  ///< 0: none
    std::string says, remedy;
  } cases[] = {
      // The launching thread has of its block what is after a barrier.
      {"x[64 * b + t] = t;\nif (t == 0) add<<<1, 64>>>(x + 64 * b, 1);\n", line_of_add,
       "`top` (launched by the host) writes element", "add __syncthreads() between this access and the launch"},
      {"x[64 * b + t] = t;\n__syncthreads();\nif (t == 0) add<<<1, 64>>>(x + 64 * b, 1);\n", 0, "", ""},
      {"if (t == 0) x[64 * b] = 1;\nif (t == 0) add<<<1, 1>>>(x + 64 * b, 1);\n", 0, "", ""},
      // Accesses of the launching thread after the launch have no order.
      {"if (t == 0) add<<<1, 1>>>(x + 64 * b, 1);\nif (t == 0) x[64 * b] = 1;\n", line_of_add,
       "`add` (launched in line 14 by block", "do it before the launch"},
      {"if (t == 0 && b == 0) add<<<1, 64, 0, cudaStreamTailLaunch>>>(x, 1);\nx[64 * b + t] = 1;\n", 0, "", ""},
      // Other blocks.
      {"x[64 * b + t] = 1;\n__syncthreads();\nif (t == 0 && b == 0) add<<<1, 64>>>(x + 64, 1);\n", line_of_add,
       "with nothing that orders the two grids", "make it a tail launch (cudaStreamTailLaunch), which begins when all"},
      // Two that one thread launches.
      {"if (t == 0 && b == 0) { add<<<1, 64>>>(x, 1); sum<<<1, 32>>>(x, x + 128); }\n", 0, "", ""},
      {"if (t == 0 && b == 0) { add<<<1, 64, 0, cudaStreamFireAndForget>>>(x, 1); sum<<<1, 32>>>(x, x + 128); }\n",
       line_of_sum, "`sum` (launched in line 14 by block 0, thread 0) reads", "launch both into one stream"},
      {"if (t == 0 && b == 0) { add<<<1, 64, 0, cudaStreamFireAndForget>>>(x, 1);\n"
       "sum<<<1, 32, 0, cudaStreamTailLaunch>>>(x, x + 128); }\n",
       0, "", ""},
      {"if (t == 0 && b == 0) { sum<<<1, 32, 0, cudaStreamTailLaunch>>>(x, x + 128);\n"
       "sum<<<1, 32, 0, cudaStreamTailLaunch>>>(x + 128, x); }\n",
       0, "", ""},
      // Of two blocks: the stream of each is its own.
      {"if (t == 0) add<<<1, 64>>>(x, 1);\n", line_of_add, "by block 1, thread 0) ", "launch both into one stream"},
  };
  for (const auto& c : cases)
    for (const std::uint64_t seed : {1u, 2u, 3u}) {
      SCOPED_TRACE(c.body + std::to_string(seed));
      const std::map<int, std::string> races = races_between_grids(c.body, seed);
      std::string all;
      for (const auto& [line, what] : races) all += std::to_string(line) + ": " + what;
      if (c.line == 0) {
        EXPECT_TRUE(races.empty()) << all;
        continue;
      }
      ASSERT_EQ(races.size(), 1u) << all;
      EXPECT_NE(all.find(c.remedy), std::string::npos) << all;
      if (seed != 1) continue;
      ASSERT_TRUE(races.contains(c.line)) << all;
      EXPECT_NE(all.find(c.says), std::string::npos) << all;
    }
}

TEST(DeviceLaunches, EqualGridsAreFolded) {
  NEEDS_NVRTC();
  Session session;
  const results::Summary& s = session.run(launching_request(summing));
  ASSERT_TRUE(s.ok) << test::all_words(s);
  std::vector<std::string> tree;
  for (const results::GridFold& f : results::folded(s.grids))
    tree.push_back(std::string(2 * f.depth, ' ') + results::words_of(f, s.grids, s.lines));
  EXPECT_EQ(tree, (std::vector<std::string>{
                      "sum_parts<<<2, 64>>>", "  2 x sum_parts<<<1, 32>>> · line 25",
                      "    sum_parts<<<1, 16>>> · line 25", "      sum_parts<<<1, 8>>> · line 25",
                      "        sum_parts<<<1, 4>>> · line 25", "          sum_parts<<<1, 2>>> · line 25",
                      "            sum_parts<<<1, 1>>> · line 25", "  show<<<1, 1>>> · line 27 · tail launch"}));
}

TEST(DeviceLaunches, AGridInTheTreeIsShownStepByStep) {
  NEEDS_NVRTC();
  Session session;
  RunRequest request = launching_request(summing);
  request.record_launch = 2;
  const results::Summary& s = session.run(request);
  ASSERT_TRUE(s.ok) << test::all_words(s);
  EXPECT_EQ(s.recorded_launch, 2);
  EXPECT_EQ(s.kernel, "sum_parts");
  EXPECT_EQ(s.block.x, 16u);
  EXPECT_GT(s.steps, 0u);
  EXPECT_FALSE(s.timeline.empty());
}

TEST(DeviceLaunches, ARaceWithinAGridThatAKernelLaunchesIsFound) {
  NEEDS_NVRTC();
  Session session;
  RunRequest request = launching_request(R"(/*
[lanescope]
kernel = "parent"
block = 32

[buffers]
x = "s32 i:1 = zeros"
*/
__global__ void child(int *x) { ++x[0]; }
__global__ void parent(int *x) {
  if (threadIdx.x == 0) child<<<2, 32>>>(x);
}
)");
  request.review = true;
  const results::Summary& s = session.run(request);
  ASSERT_TRUE(s.ok) << test::all_words(s);
  const auto race = std::ranges::find_if(s.findings, results::is_race);
  ASSERT_NE(race, s.findings.end());
  EXPECT_EQ(race->line, 9);
  EXPECT_EQ(race->launch, 1);
}

TEST(DeviceLaunches, MoreThanAreKeptRunWithTheirLaunch) {
  NEEDS_NVRTC();
  Session session;
  const results::Summary& s = session.run(launching_request(R"(/*
[lanescope]
kernel = "parent"
grid = 19
block = 32

[buffers]
x = "s32 i:608 = zeros"
*/
__global__ void child(int *x, int i) { x[i] = i + 1; }
__global__ void parent(int *x) {
  int i = 32 * blockIdx.x + threadIdx.x;
  child<<<1, 1>>>(x, i);
}
)"));
  ASSERT_TRUE(s.ok) << test::all_words(s);
  EXPECT_EQ(s.launches.size(), 1u);
  EXPECT_EQ(s.grids.size(), 609u);
  const std::vector<int> x = test::elements<int>(test::output(session, "x"));
  for (int i = 0; i < 608; ++i) EXPECT_EQ(x[static_cast<std::size_t>(i)], i + 1);
  EXPECT_EQ(results::folded(s.grids).size(), 2u);
  EXPECT_TRUE(std::ranges::any_of(
      s.notices, [](const results::Notice& n) { return n.words().starts_with("kernels launch 608 grids, too many"); }));
}

TEST(DeviceLaunches, LimitsAreFaultsAtTheLaunch) {
  NEEDS_NVRTC();
  Session session;
  const results::Summary& s = session.run(launching_request(R"(/*
[lanescope]
kernel = "nest"
block = 1
args = ["x", 0]

[buffers]
x = "s32 i:64 = zeros"
*/
__global__ void nest(int *x, int depth) {
  x[depth] = 1;
  nest<<<1, 1>>>(x, depth + 1);
}
)"));
  ASSERT_EQ(s.faults.size(), 1u) << test::all_words(s);
  EXPECT_EQ(s.faults[0].kind, "launch refused");
  EXPECT_EQ(s.faults[0].line, 12);
  EXPECT_EQ(s.faults[0].launch, 24);
  EXPECT_NE(s.faults[0].message.find("cudaErrorLaunchMaxDepthExceeded"), std::string::npos) << s.faults[0].message;
  EXPECT_EQ(session.ending(), Ending::faulted);
}

}  // namespace
}  // namespace lanescope::engine
