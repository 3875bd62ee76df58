// Kernels have 131072 warps: the watching is cheap, memory is bounded, and nothing of the verdict depends on the bound.

#include <gtest/gtest.h>

#include <chrono>

#include "world.h"

namespace lanescope::claims::test {
namespace {

struct Result {
  ClaimResult claim;
  double watch_seconds = 0, judge_seconds = 0;
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
  const auto start = std::chrono::steady_clock::now();
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
  const auto watched = std::chrono::steady_clock::now();
  Result out;
  out.claim = c.judge().at(0);
  const auto judged = std::chrono::steady_clock::now();
  out.watch_seconds = std::chrono::duration<double>(watched - start).count();
  out.judge_seconds = std::chrono::duration<double>(judged - watched).count();
  return out;
}

TEST(Scale, AMillionThreadsOfFourRegisters) {
  const Result r = copy(4096, ~0u, 0);
  EXPECT_EQ(r.claim.verdict, Verdict::holds);
  EXPECT_EQ(r.claim.places, 4096u * 1024);
  EXPECT_EQ(r.claim.instances, 4096u);
  RecordProperty("watch_ms", static_cast<int>(r.watch_seconds * 1000));
  RecordProperty("judge_ms", static_cast<int>(r.judge_seconds * 1000));
  std::printf("4M places: watched in %.0f ms, judged in %.0f ms\n", r.watch_seconds * 1000, r.judge_seconds * 1000);
  EXPECT_LT(r.watch_seconds + r.judge_seconds, 5);  // a shared, slow machine; it takes a tenth of a second alone
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
  const auto start = std::chrono::steady_clock::now();
  const ClaimResult r = c.judge().at(0);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  EXPECT_EQ(r.verdict, Verdict::holds) << r.difference;
  EXPECT_EQ(r.places, 1u << 21);
  std::printf("2M places of composite words: judged in %.0f ms\n", seconds * 1000);
  EXPECT_LT(seconds, 5);
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
