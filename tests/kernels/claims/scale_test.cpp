// Kernels have 131072 warps: the watching is cheap, memory is bounded, and nothing of the verdict depends on the bound.

#include <gtest/gtest.h>

#include "tests/work.h"
#include "world.h"

namespace lanescope::claims::test {
namespace {

struct Result {
  ClaimResult claim;
  double watch_loops = 0, judge_loops = 0;
};

/// `blocks` blocks of 8 warps copy floats, four registers a thread; block `bad` has two registers swapped.
Result copy(std::uint32_t blocks, std::uint32_t bad, std::size_t bytes) {
  World w;
  int block_bits = 0;
  while (1u << block_bits < blocks) ++block_bits;
  w.buffer("p", 32, {{"i", 10 + block_bits}});
  std::vector<int> x;
  for (int r = 0; r < 4; ++r) x.push_back(w.variable("x" + std::to_string(r), 4, "float"));
  w.claim("x", x, *layout::parse("register: i1 i0; thread: i6 i5 i4 i3 i2; warp: i9 i8 i7"));
  Collector c(w.source, w.pool, w.value_bytes, {});
  if (bytes != 0) c.keep_at_most(bytes, 1 << 20);
  const Work watching;
  std::vector<trace::WordTag> lanes(32);
  for (std::uint32_t block = 0; block < blocks; ++block) {
    for (std::uint32_t warp = 0; warp < 8; ++warp) {
      for (std::uint32_t r = 0; r < 4; ++r) {
        const std::uint32_t reg = block == bad && r < 2 ? 1 - r : r;
        for (std::uint32_t lane = 0; lane < 32; ++lane)
          lanes[lane] = trace::TagPool::source_word(block << 10 | warp << 7 | lane << 2 | reg);
        w.emit(c, {.probe = 0, .variable = x[r], .block = block, .warp = warp}, lanes);
      }
    }
  }
  Result out;
  out.watch_loops = watching.loops();
  const Work judging;
  out.claim = c.judge().at(0);
  out.judge_loops = judging.loops();
  return out;
}

TEST(Scale, AMillionThreadsOfFourRegisters) {
  const Result r = copy(4096, ~0u, 0);
  EXPECT_EQ(r.claim.verdict, Verdict::holds);
  EXPECT_EQ(r.claim.places, 4096u * 1024);
  EXPECT_EQ(r.claim.instances, 4096u);
  std::printf("4M places: watched in %.0f loops, judged in %.0f\n", r.watch_loops, r.judge_loops);
  EXPECT_LT(r.watch_loops + r.judge_loops, 500);
}

TEST(Scale, WordsPutTogetherFromTwo) {
  World w;
  w.buffer("p", 16, {{"i", 21}});
  const int x = w.variable("x", 4, "__half2");
  w.claim("x", {x}, *layout::parse("simd: i20; thread: i4 i3 i2 i1 i0; warp: i7 i6 i5"));
  Collector c(w.source, w.pool, w.value_bytes, {});
  for (std::uint64_t warp = 0; warp < 1u << 15; ++warp) {
    std::vector<trace::WordTag> lanes;
    for (std::uint64_t lane = 0; lane < 32; ++lane)
      lanes.push_back(w.word(0, {warp << 5 | lane, warp << 5 | lane | 1u << 20}));
    w.emit(c,
           {.probe = 0,
            .variable = x,
            .block = static_cast<std::uint32_t>(warp >> 3),
            .warp = static_cast<std::uint32_t>(warp & 7)},
           lanes);
  }
  const Work work;
  const ClaimResult r = c.judge().at(0);
  const double loops = work.loops();
  EXPECT_EQ(r.verdict, Verdict::holds) << r.difference;
  EXPECT_EQ(r.places, 1u << 21);
  std::printf("2M places of composite words: judged in %.0f loops\n", loops);
  EXPECT_LT(loops, 1250);
}

TEST(Scale, TheBoundOnMemoryChangesNoVerdict) {
  for (const std::uint32_t bad : {~0u, 0u, 3u, 200u, 511u}) {
    const Result all = copy(512, bad, 0), few = copy(512, bad, 20'000);
    EXPECT_EQ(all.claim.verdict, few.claim.verdict);
    EXPECT_EQ(all.claim.places, few.claim.places);
    EXPECT_EQ(all.claim.instances, few.claim.instances);
    EXPECT_EQ(all.claim.difference, few.claim.difference);
    EXPECT_EQ(all.claim.actual_words, few.claim.actual_words);
    if (bad == ~0u) continue;
    ASSERT_TRUE(few.claim.first_failure);
    EXPECT_EQ(few.claim.first_failure->block, bad);
    EXPECT_TRUE(few.claim.difference.starts_with("r0 holds i1+i0+1")) << few.claim.difference;
  }
}

}  // namespace
}  // namespace lanescope::claims::test
