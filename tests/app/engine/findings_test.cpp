// Findings of a review, as the window gets them.

#include <algorithm>

#include "app/engine/wire/messages.h"
#include "results/problems.h"
#include "support.h"

namespace lanescope::engine {
namespace {

using namespace test;

// Those that a comment of the file names are marked, and only those; the mark crosses the pipe.
TEST(Findings, ThoseThatTheFileExpectsSaySo) {
  NEEDS_NVRTC();
  const std::string line = "  q[threadIdx.x] = p[threadIdx.x * 32];";
  const auto run = [&](const std::string& comment) {
    RunRequest request;
    request.file = "strided.cu";
    request.text =
        "/*\n[lanescope]\nblock = [32]\n\n[buffers]\np = \"f32 i:1024\"\nq = \"f32 i:32 = zeros\"\n*/\n"
        "__global__ void strided(const float* p, float* q) {\n" +
        line + comment + "\n}\n";
    request.review = true;
    Session session;
    session.run(request);
    EXPECT_TRUE(session.summary().ok) << all_words(session.summary());
    return session.summary();
  };
  const results::Summary plain = run(""), here = run("  // lanescope: expect partial-lines");
  const auto there = wire::decode<results::Summary>(wire::encode(here));
  ASSERT_TRUE(there);
  const results::Summary& marked = *there;
  ASSERT_FALSE(plain.findings.empty());
  ASSERT_EQ(marked.findings.size(), plain.findings.size());
  for (std::size_t i = 0; i < plain.findings.size(); ++i) {
    EXPECT_FALSE(plain.findings[i].expected);
    EXPECT_EQ(marked.findings[i].expected, marked.findings[i].rule == "partial-lines") << marked.findings[i].rule;
  }
}

RunRequest reviewed(const std::string& file, const std::string& text) {
  RunRequest request;
  request.file = file, request.text = text, request.review = true;
  return request;
}

// Threads of two blocks have the same warp and lane: the blocks distinguish them. Block 0 is recorded, and its side has a step.
TEST(Findings, SidesInTwoBlocksAreToldApart) {
  NEEDS_NVRTC();
  Session session;
  const results::Summary& s = session.run(reviewed("blocks.cu", R"(/*
[lanescope]
grid = [2]
block = [32]

[buffers]
p = "u32 i:64"
q = "u32 i:32 = zeros"
*/
__global__ void blocks(const unsigned *p, unsigned *q)
{
    const unsigned x = q[threadIdx.x];
    q[threadIdx.x] = x + p[blockIdx.x * 32 + threadIdx.x];
}
)"));
  ASSERT_TRUE(s.ok) << all_words(s);
  const std::vector<results::Problem> problems = results::problems_of(s);
  int races = 0;
  for (const results::Problem& p : problems) {
    if (p.kind != results::Problem::Kind::race) continue;
    ++races;
    ASSERT_EQ(p.parties.size(), 2u) << p.message;
    EXPECT_EQ(p.parties[0].block + p.parties[1].block, 1) << p.message;
    const std::string words = results::parties_words(p);
    EXPECT_NE(words.find("block 0"), std::string::npos) << words;
    EXPECT_NE(words.find("block 1"), std::string::npos) << words;
    for (const results::Party& side : p.parties) EXPECT_EQ(side.step >= 0, side.block == 0) << p.message;
  }
  EXPECT_GE(races, 1);
}

// The step of a finding has the access that the finding shows.
TEST(Findings, AStepIsWhereTheEvidenceIs) {
  int compared = 0;
  for (const char* name :
       {"shared_transpose_naive.cu", "rmse_modulo.cu", "array_of_structures.cu", "axpy_columns.cu"}) {
    const std::string path = std::string(LANESCOPE_SOURCE_DIR) + "/assets/kernels/" + name;
    Session session;
    const results::Summary& s = session.run(reviewed(path, text_of(path)));
    ASSERT_TRUE(s.ok) << all_words(s);
    for (const results::FindingInfo& f : s.findings) {
      if (f.step < 0) continue;
      ++compared;
      const results::Moment m = session.moment({.step = f.step, .families = {}});
      ASSERT_TRUE(m.access) << name;
      EXPECT_EQ(m.line, f.line);
      EXPECT_EQ(static_cast<int>(m.warp), f.warp);
      for (std::size_t lane = 0; lane < 32; ++lane)
        if ((f.lanes >> lane & 1) != 0) {
          EXPECT_EQ(m.access->addresses[lane], f.offsets[lane]);
        }
      if (f.rule == "bank-conflict") {
        ASSERT_EQ(f.parties.size(), 2u);
        EXPECT_NE(f.parties[0].lane, f.parties[1].lane);
        EXPECT_FALSE(f.saving.empty());
        EXPECT_EQ(m.access->addresses[static_cast<std::size_t>(f.parties[0].lane)] / 4 % 32,
                  m.access->addresses[static_cast<std::size_t>(f.parties[1].lane)] / 4 % 32);
      }
    }
  }
  EXPECT_GE(compared, 3);
}

// Only the third of four rounds lacks its barrier: both sides of the race are of that round.
TEST(Findings, ARaceOfALoopHasTheStepsOfItsRound) {
  NEEDS_NVRTC();
  Session session;
  const results::Summary& s = session.run(reviewed("rounds.cu", R"(/*
[lanescope]
block = [64]

[buffers]
p = "f32 i:64"
q = "f32 i:64 = zeros"
*/
__global__ void __launch_bounds__(64) rounds(const float *p, float *q)
{
    __shared__ float tile[64];
    float x = p[threadIdx.x], sum = 0;
#pragma unroll 1
    for (int round = 0; round < 4; ++round) {
        tile[threadIdx.x] = x + round;
        if (round != 2) __syncthreads();
        sum += tile[threadIdx.x ^ 32];
        __syncthreads();
    }
    q[threadIdx.x] = sum;
}
)"));
  ASSERT_TRUE(s.ok) << all_words(s);
  const auto race = std::ranges::find(s.findings, std::string("barrier-missing"), &results::FindingInfo::rule);
  ASSERT_NE(race, s.findings.end());
  ASSERT_EQ(race->parties.size(), 2u);
  for (const results::Party& side : race->parties) {
    ASSERT_GE(side.step, 0) << side.does;
    int before = 0;
    for (const results::TimelineMark& m : s.timeline) {
      const bool memory = m.kind == trace::StepKind::load || m.kind == trace::StepKind::store;
      if (memory && m.warp == side.warp && m.line == side.line && m.step < side.step) ++before;
    }
    EXPECT_EQ(before, 2) << side.does;
  }
}

// A mistyped comment among comments that hold is reported from code that does what no comment says.
TEST(Findings, ACommentThatStandsAloneIsNotBlamedOnTheCode) {
  NEEDS_NVRTC();
  const std::string path = std::string(LANESCOPE_SOURCE_DIR) + "/assets/kernels/half2_transposes.cu";
  const auto with = [&](const std::string& old, const std::string& by) {
    std::string text = text_of(path);
    text.replace(text.find(old), old.size(), by);
    Session session;
    return session.run(reviewed(path, text));
  };
  const results::Summary comment = with("k0 j2\n", "j2 k0\n");
  ASSERT_EQ(comment.claims.size(), 3u);
  EXPECT_EQ(comment.claims[1].result.others_hold, 2);
  EXPECT_EQ(claims::blame_words(comment.claims[1].result),
            "the 2 other claims hold, also further down: the code agrees with them, and this comment does not");
  EXPECT_GE(comment.claims[1].step, 0);
  // Wrong code makes the claims after it false, too.
  const results::Summary code = with("y2 = __highs2half2(x0, x2)", "y2 = __lows2half2(x0, x2)");
  for (const results::ClaimInfo& c : code.claims) EXPECT_EQ(c.result.others_hold, 0);
  // The last comment has none after it that could show.
  const results::Summary last = with("k0 k3\n", "k3 k0\n");
  EXPECT_EQ(last.claims[2].result.others_hold, 0);
  EXPECT_TRUE(claims::blame_words(last.claims[2].result).starts_with("first contradicted by the write of line "));
}

// Several mistyped comments, and a later one on the same registers that holds: the code continues as it should.
TEST(Findings, SeveralWrongCommentsAreNotBlamedOnTheCode) {
  NEEDS_NVRTC();
  const auto run = [](const char* first, const char* second, const char* third) {
    Session session;
    return session.run(reviewed("several.cu", std::string(R"(/*
[lanescope]
block = 32
[buffers]
p = "u32 r:4 i:32"
q = "u32 r:4 i:32 = zeros"
*/
__global__ void k(const unsigned *p, unsigned *q) {
  int l = threadIdx.x;
  unsigned x0 = p[l], x1 = p[l + 32], x2 = p[l + 64], x3 = p[l + 96];
  // x has register assignment:
  //   register: )") + first + R"(
  unsigned t = x1; x1 = x2; x2 = t;

  // x has register assignment:
  //   register: )" + second + R"(
  t = x0; x0 = x3; x3 = t;

  // x has register assignment:
  //   register: )" + third + R"(
  q[l] = x0; q[l + 32] = x1; q[l + 64] = x2; q[l + 96] = x3;
}
)"));
  };
  const results::Summary two = run("r0 r1", "r1 r0", "r1+1 r0+1");
  ASSERT_TRUE(two.ok) << all_words(two);
  ASSERT_EQ(two.claims.size(), 3u);
  for (const std::size_t wrong : {0u, 1u}) {
    EXPECT_EQ(two.claims[wrong].result.verdict, claims::Verdict::differs);
    EXPECT_EQ(two.claims[wrong].result.others_hold, 1);
    EXPECT_EQ(two.claims[wrong].result.others_differ, 1);
  }
  EXPECT_EQ(two.claims[2].result.verdict, claims::Verdict::holds) << two.claims[2].result.difference;
  // Nothing further down holds: unknown.
  for (const results::ClaimInfo& c : run("r0 r1", "r1 r0", "r1 r0").claims) EXPECT_EQ(c.result.others_hold, 0);
}

// Counters of the blocks add up to those of the run, also where an entry stands for several blocks.
TEST(Blocks, AddUpToTheRun) {
  NEEDS_NVRTC();
  for (const int grid : {1, 7, 4096, 9001}) {
    Session session;
    const results::Summary& s = session.run(reviewed("blocks.cu", R"(/*
[lanescope]
grid = [)" + std::to_string(grid) + R"(]
block = [32]

[buffers]
q = "u32 i:32 = zeros"
*/
__global__ void __launch_bounds__(32) blocks(unsigned *q)
{
    if (threadIdx.x < blockIdx.x % 32) atomicAdd(q + threadIdx.x, blockIdx.x);
}
)"));
    ASSERT_TRUE(s.ok) << all_words(s);
    ASSERT_LE(s.blocks.size(), 4096u);
    ASSERT_GE(s.blocks.size() * s.blocks_each, static_cast<std::size_t>(grid));
    results::BlockCounters sum;
    for (const results::BlockCounters& b : s.blocks) {
      EXPECT_GT(b.instructions, 0u);
      sum.instructions += b.instructions, sum.thread_instructions += b.thread_instructions;
      sum.global_sectors += b.global_sectors;
    }
    EXPECT_EQ(sum.instructions, s.counters.front().instructions) << grid;
    EXPECT_EQ(sum.thread_instructions, s.counters.front().thread_instructions) << grid;
    EXPECT_EQ(sum.global_sectors, s.counters.front().global_sectors) << grid;
  }
}

}  // namespace
}  // namespace lanescope::engine
