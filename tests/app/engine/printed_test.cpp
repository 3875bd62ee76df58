// Prints, assertions and unsupported instructions of kernels, from source text to summary.

#include <algorithm>

#include "app/engine/session/session.h"
#include "results/printed.h"
#include "results/problems.h"
#include "tests/app/engine/support.h"

namespace lanescope::engine {
namespace {

RunRequest printing_request(const std::string& text) {
  RunRequest r;
  r.file = "k.cu";
  r.text = text;
  return r;
}

const std::string two_blocks = R"(/*
[lanescope]
grid = 2
block = 64

[buffers]
p = "f32 i:128"
*/
)";

TEST(Printed, EveryLineHasItsPlaceAndItsStep) {
  NEEDS_NVRTC();
  Session session;
  RunRequest request = printing_request(two_blocks + R"(__device__ void show(int i, float x) {
  printf("%d: %g %s\n", i, x, i % 2 ? "odd" : "even");
}
__global__ void k(float *p) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = p[i];
  for (int n = 0; n < 2; ++n)
    if (i % 16 == n) show(i, x + n);
  p[i] = x;
}
)");
  for (const std::uint32_t block : {0u, 1u}) {
    request.record_block = block;
    const results::Summary& s = session.run(request);
    ASSERT_TRUE(s.ok) << test::all_words(s);
    ASSERT_EQ(s.printed.size(), 16u);
    EXPECT_EQ(s.printed_calls, 16u);
    EXPECT_EQ(results::printed_line_count(s), 16u);
    EXPECT_EQ(results::printed_left_out(s), "");
    int with_steps = 0;
    for (const results::PrintedText& p : s.printed) {
      const int i = static_cast<int>(p.block) * 64 + p.warp * 32 + p.lane;
      EXPECT_EQ(p.text, fmt::format("{}: {} {}\n", i, i + i % 16, i % 2 != 0 ? "odd" : "even"));
      EXPECT_EQ(p.block_index, (trace::Dim3{p.block, 0, 0}));
      EXPECT_EQ(p.thread_index, (trace::Dim3{static_cast<std::uint32_t>(i) % 64, 0, 0}));
      EXPECT_EQ(p.line, 16) << "of the call in the kernel, where the function was inlined";
      EXPECT_EQ(p.step >= 0, p.block == block);
      if (p.step < 0) continue;
      ++with_steps;
      const auto step = static_cast<std::size_t>(p.step);
      ASSERT_LT(step, s.timeline.size());
      EXPECT_EQ(s.timeline[step].warp, p.warp);
      EXPECT_EQ(s.timeline[step].line, p.line);
      EXPECT_NE(s.code[static_cast<std::size_t>(s.timeline[step].pc)].text.find("vprintf"), std::string::npos);
    }
    EXPECT_EQ(with_steps, 8);
    // The two calls of a lane that prints twice would have different steps; here each prints once.
    std::vector<std::int64_t> steps;
    for (const results::PrintedText& p : s.printed)
      if (p.step >= 0 && p.warp == 0 && p.lane < 2) steps.push_back(p.step);
    ASSERT_EQ(steps.size(), 2u);
    EXPECT_NE(steps[0], steps[1]);
  }
}

TEST(Printed, CallsOfALoopAreFoundInTheirOrder) {
  NEEDS_NVRTC();
  Session session;
  const results::Summary& s = session.run(printing_request(R"(/*
[lanescope]
block = 32
[buffers]
p = "u32 i:32"
*/
__global__ void k(unsigned *p) {
  #pragma unroll 1
  for (unsigned n = 0; n < 5; ++n)
    if (p[threadIdx.x] % (n + 1) == 0) printf("%u divides\n", n + 1);
}
)"));
  ASSERT_TRUE(s.ok) << test::all_words(s);
  std::map<int, std::int64_t> last;  // by lane
  for (const results::PrintedText& p : s.printed) {
    ASSERT_GE(p.step, 0) << p.text << p.lane;
    if (last.contains(p.lane)) {
      EXPECT_LT(last[p.lane], p.step);
    }
    last[p.lane] = p.step;
  }
  EXPECT_EQ(last.size(), 32u);
}

TEST(Printed, ALoopThatPrintsTooMuchIsBoundedAndSaysSo) {
  NEEDS_NVRTC();
  Session session;
  const results::Summary& s = session.run(printing_request(R"(/*
[lanescope]
block = 32
[buffers]
p = "u32 i:32"
*/
__global__ void k(unsigned *p) {
  for (int n = 0; n < 3000; ++n) printf("%d\n", n);
}
)"));
  ASSERT_TRUE(s.ok) << test::all_words(s);
  EXPECT_EQ(s.printed.size(), 65'536u);
  EXPECT_EQ(s.printed_calls, 96'000u);
  EXPECT_NE(results::printed_left_out(s).find("printf was called 96000 times"), std::string::npos);
}

TEST(Printed, TheBudgetIsThatOfAllLaunchesTogether) {
  NEEDS_NVRTC();
  std::string text = "/*\n[lanescope]\nblock = 32\n";
  for (int i = 0; i < 4; ++i) text += "[[launch]]\nkernel = \"k\"\n";
  Session session;
  const results::Summary& s = session.run(printing_request(text + R"([buffers]
p = "u32 i:32"
*/
__global__ void k(unsigned *p) { printf("%20000d\n", 1); }
)"));
  ASSERT_TRUE(s.ok) << test::all_words(s);
  std::size_t bytes = 0;
  for (const results::PrintedText& p : s.printed) bytes += p.text.size();
  EXPECT_EQ(bytes, std::size_t{1} << 20);
  EXPECT_EQ(s.printed_calls, 128u);
  EXPECT_TRUE(s.printed.back().cut);
  EXPECT_FALSE(results::printed_left_out(s).empty());
  EXPECT_TRUE(results::prints_in_several_launches(s));
}

TEST(Assertions, AreFaultsAtTheirLines) {
  NEEDS_NVRTC();
  Session session;
  const results::Summary& s = session.run(printing_request(two_blocks + R"(__global__ void k(float *p) {
  assert(blockDim.x == 64);
  assert(threadIdx.x != 40 || blockIdx.x == 0);
  p[threadIdx.x] = 1;
}
)"));
  ASSERT_EQ(s.faults.size(), 1u);
  const results::FaultInfo& f = s.faults[0];
  EXPECT_EQ(f.line, 11);
  EXPECT_EQ(f.block, 1);
  EXPECT_EQ(f.warp, 1);
  EXPECT_EQ(f.lane, 8);
  EXPECT_NE(
      f.message.find("assertion `threadIdx.x != 40 || blockIdx.x == 0` does not hold in `void k(float *)` (k.cu:11), "
                     "thread (40,0,0)"),
      std::string::npos)
      << f.message;
  EXPECT_EQ(session.ending(), Ending::faulted);
}

const std::string with_texture = R"(__device__ inline void fetch(int *c, int a) {
  asm("{ .reg .b32 %%unused<2>; tex.1d.v4.s32.s32 {%0, %1, %%unused0, %%unused1}, [%3, {%2}]; }" : "+r"(c[0]), "+r"(c[1]) : "r"(a), "l"(0ull));
}
)";

const claims::ClaimResult& verdict_of(const results::Summary& s, const std::string& variable) {
  return std::ranges::find_if(s.claims, [&](const auto& c) { return c.claim.variable == variable; })->result;
}

TEST(Unsupported, ClaimsBeforeItAreJudgedInAllBlocksThoseBehindItAreUnchecked) {
  NEEDS_NVRTC();
  Session session;
  const results::Summary& s = session.run(printing_request(two_blocks + with_texture + R"(__global__ void k(float *p) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = p[i];
  // x has register assignment:
  //   thread: i4 i3 i2 i1 i0
  //   warp:   i5
  //   block:  i6
  int v[2] = {i, i};
  if (threadIdx.x < 32) fetch(v, i);
  float y = p[i] + v[0];
  p[i] = y;
  float z = p[i ^ 1];
  // z has register assignment:
  //   thread: i4 i3 i2 i1 ~i0
  //   warp:   i5
  //   block:  i6
  p[i] = z;
}
)"));
  ASSERT_EQ(s.claims.size(), 2u) << test::all_words(s);
  EXPECT_EQ(verdict_of(s, "x").verdict, claims::Verdict::holds) << verdict_of(s, "x").reason.words();
  EXPECT_EQ(verdict_of(s, "x").instances, 2u) << "both blocks";
  const claims::ClaimResult& z = verdict_of(s, "z");
  EXPECT_EQ(z.verdict, claims::Verdict::unchecked);
  EXPECT_NE(z.reason.words().find("the emulator does not support `tex.1d"), std::string::npos) << z.reason.words();
  ASSERT_EQ(s.faults.size(), 1u);
  EXPECT_EQ(s.faults[0].line, 20);
  EXPECT_NE(s.faults[0].remedy.find("run it on a GPU"), std::string::npos) << s.faults[0].remedy;
  EXPECT_EQ(session.ending(), Ending::cannot_here);
}

TEST(Unsupported, AClaimThatHoldsInOneLaunchAndIsCutShortInAnotherIsUnchecked) {
  NEEDS_NVRTC();
  Session session;
  const results::Summary& s = session.run(printing_request(R"(/*
[lanescope]
block = 64
[[launch]]
args = { go = 0 }
[[launch]]
args = { go = 1 }
[buffers]
p = "f32 i:64"
*/
)" + with_texture + R"(__global__ void k(float *p, int go) {
  if (go && threadIdx.x < 32) { int v[2] = {1, 2}; fetch(v, 3); p[0] = v[0]; }
  float x = p[threadIdx.x];
  // x has register assignment:
  //   thread: i4 i3 i2 i1 i0
  //   warp:   i5
  p[threadIdx.x] = x;
}
)"));
  ASSERT_EQ(s.claims.size(), 1u) << test::all_words(s);
  EXPECT_EQ(s.claims[0].result.verdict, claims::Verdict::unchecked);
  EXPECT_NE(s.claims[0].result.reason.words().find("not all threads reach it: line 15"), std::string::npos)
      << s.claims[0].result.reason.words();
}

TEST(Unsupported, AFunctionOfAPtxFileThatCannotBeReadIsLeftOutAndSaid) {
  const std::string head = ".version 8.0\n.target sm_90\n.address_size 64\n";
  const std::string good = ".visible .entry good()\n{\nret;\n}\n";
  const std::string bad = ".visible .entry bad()\n{\n.newdirective 4;\n{ ret; }\n}\n";
  for (const std::string& text : {head + bad + good, head + good + bad}) {
    RunRequest request;
    request.file = "k.ptx";
    request.text = text;
    request.launch_text = "kernel = \"good\"\nblock = 32\n";
    Session session;
    const results::Summary& s = session.run(request);
    EXPECT_TRUE(s.ok) << test::all_words(s);
    EXPECT_EQ(session.ending(), Ending::good);
    ASSERT_EQ(s.diagnostics.size(), 1u) << test::all_words(s);
    EXPECT_EQ(s.diagnostics[0].severity, Severity::warning);
    EXPECT_NE(s.diagnostics[0].message.find("`bad` cannot be read and is left out: unknown directive '.newdirective'"),
              std::string::npos)
        << s.diagnostics[0].message;
    request.launch_text = "kernel = \"bad\"\nblock = 32\n";
    Session launched;
    launched.run(request);
    EXPECT_EQ(launched.ending(), Ending::bad_input) << "the kernel that is launched has to be readable";
  }
}

TEST(Unsupported, NothingIsAnnotatedBehindIt) {
  NEEDS_NVRTC();
  const std::string text = two_blocks + with_texture + R"(__global__ void k(float *p) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = p[i];
  int v[2] = {i, i};
  if (threadIdx.x < 32) fetch(v, i);
  float y = p[(i & ~3) | (i & 1) << 1 | (i >> 1 & 1)];
  p[i] = y + x + v[0];
}
)";
  std::string through = text;
  through.replace(through.find("if (threadIdx.x < 32) fetch(v, i);"), 34, "v[0] = 2 * i;");
  Session session;
  const auto annotated = session.annotate(printing_request(text)), whole = session.annotate(printing_request(through));
  ASSERT_TRUE(annotated && whole);
  EXPECT_GE(annotated->claims_written, 1) << annotated->text;
  EXPECT_GT(whole->claims_written, annotated->claims_written) << whole->text;
  EXPECT_NE(whole->text.find("y has register assignment"), std::string::npos) << whole->text;
  EXPECT_NE(annotated->text.find("x has the following register assignment"), std::string::npos) << annotated->text;
  EXPECT_EQ(annotated->text.find("y has register assignment"), std::string::npos) << annotated->text;
}

TEST(Unsupported, LaterLaunchesSayWhyTheyWereNotReached) {
  NEEDS_NVRTC();
  Session session;
  const results::Summary& s = session.run(printing_request(R"(/*
[lanescope]
block = 32
[[launch]]
kernel = "first"
[[launch]]
kernel = "second"
[buffers]
p = "f32 i:32"
*/
)" + with_texture + R"(__global__ void first(float *p) { int v[2] = {1, 2}; fetch(v, 3); p[threadIdx.x] = v[0]; }
__global__ void second(float *p) {
  float x = p[threadIdx.x];
  // x has register assignment:
  //   thread: i4 i3 i2 i1 i0
  p[threadIdx.x] = x;
}
)"));
  ASSERT_EQ(s.claims.size(), 1u) << test::all_words(s);
  EXPECT_EQ(s.claims[0].result.verdict, claims::Verdict::unchecked);
  EXPECT_NE(s.claims[0].result.reason.words().find("the run ends in launch 1 of 2"), std::string::npos)
      << s.claims[0].result.reason.words();
}

}  // namespace
}  // namespace lanescope::engine
