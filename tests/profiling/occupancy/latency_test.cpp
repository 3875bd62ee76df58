#include "profiling/occupancy/latency.h"

#include <queue>

#include "profiling/occupancy/occupancy.h"
#include "profiling/occupancy/roofline.h"
#include "tests/profiling/occupancy/support.h"

namespace lanescope::occupancy {
namespace {

// "CUDA execution model", 3.4: 20 cycles * 32 operations a cycle.
TEST(Latency, ArithmeticOfTheReference) {
  const ArithmeticConcurrency c = arithmetic_concurrency(gpu("Fermi (reference)").arch);
  EXPECT_EQ(c.operations_in_flight, 640);
  EXPECT_EQ(c.warps_per_multiprocessor, 20);
  EXPECT_EQ(arithmetic_concurrency(arch("sm_20"), 4).warps_per_multiprocessor, 5);  // ILP in place of TLP
  EXPECT_EQ(arithmetic_concurrency(arch("sm_90")).warps_per_multiprocessor, 16);    // 4 cycles, 128 lanes
}

// 144 GB/s / 1.566 GHz ~ 92 bytes a cycle; 800 * 92 = 73,600 bytes; the document continues with 74 kB.
TEST(Latency, MemoryOfTheReference) {
  const MemoryConcurrency c = memory_concurrency(gpu("Fermi (reference)")).value();
  EXPECT_NEAR(c.bytes_per_cycle_exact, 91.954, 0.001);
  EXPECT_EQ(c.bytes_per_cycle, 92);
  EXPECT_EQ(c.bytes_in_flight, 73600);
  EXPECT_EQ(c.threads, 18400);
  EXPECT_EQ(c.warps, 575);
  EXPECT_EQ(c.warps_per_multiprocessor, 36);
  EXPECT_EQ(c.as_the_source_rounds.kilobytes, 74);
  EXPECT_EQ(c.as_the_source_rounds.threads, 18500);
  EXPECT_EQ(c.as_the_source_rounds.warps, 579);
  EXPECT_EQ(c.as_the_source_rounds.warps_per_multiprocessor, 36);
  EXPECT_EQ(c.clock_ghz, 1.566);
}

TEST(Latency, WiderLoadsNeedFewerThreads) {
  for (const Gpu& g : table().gpus) {
    const std::int64_t by_4 = memory_concurrency(g, 4)->threads;
    EXPECT_EQ(memory_concurrency(g, 8)->threads, (by_4 + 1) / 2) << g.name;
    EXPECT_LE(memory_concurrency(g, 16)->warps_per_multiprocessor, memory_concurrency(g, 4)->warps_per_multiprocessor);
  }
  EXPECT_FALSE(memory_concurrency(gpu("H200"), 0));
}

TEST(Latency, ResidentAgainstNeeded) {
  EXPECT_TRUE(hiding(36, 48).hidden);
  const Hiding h = hiding(36, 16);
  EXPECT_FALSE(h.hidden);
  EXPECT_NEAR(h.percent, 44.4, 0.1);
  EXPECT_EQ(h.independent_needed, 3);
  EXPECT_EQ(hiding(36, 0).independent_needed, 0);
}

// Blocks of equal length, dealt to whichever place is free first: the time that passes is the number of waves.
std::int64_t simulated_waves(std::int64_t blocks, int places) {
  std::priority_queue<std::int64_t, std::vector<std::int64_t>, std::greater<>> free_at;
  for (int i = 0; i < places; ++i) free_at.push(0);
  std::int64_t end = 0;
  for (std::int64_t b = 0; b < blocks; ++b) {
    const std::int64_t start = free_at.top();
    free_at.pop();
    free_at.push(start + 1);
    end = std::max(end, start + 1);
  }
  return end;
}

TEST(Waves, AgreeWithSimulation) {
  Random random(5);
  for (int i = 0; i < 300; ++i) {
    const int multiprocessors = random.from(1, 20), per = random.from(1, 8);
    const std::int64_t blocks = random.from(1, 800);
    const Waves w = lay_out(blocks, multiprocessors, per).value();
    ASSERT_EQ(w.waves, simulated_waves(blocks, multiprocessors * per));
    std::vector<std::vector<int>> count(static_cast<std::size_t>(w.waves),
                                        std::vector<int>(static_cast<std::size_t>(multiprocessors)));
    for (std::int64_t b = 0; b < blocks; ++b) {
      const std::int64_t in_wave = b % (std::int64_t{multiprocessors} * per);  // dealt to the multiprocessors in turn
      ++count[static_cast<std::size_t>(b / w.blocks_per_wave)][static_cast<std::size_t>(in_wave % multiprocessors)];
    }
    for (std::int64_t wave = 0; wave < w.waves; ++wave)
      for (int m = 0; m < multiprocessors; ++m) {
        const int on = count[static_cast<std::size_t>(wave)][static_cast<std::size_t>(m)];
        ASSERT_EQ(w.blocks_on(wave, m), on);
      }
  }
}

TEST(Waves, OneBlockTooMany) {
  const Waves w = lay_out(265, 132, 1).value();
  EXPECT_EQ(w.waves, 3);
  EXPECT_EQ(w.tail_blocks, 1);
  EXPECT_NEAR(w.used_percent, 66.9, 0.1);
  EXPECT_EQ(lay_out(264, 132, 1)->used_percent, 100.0);
  EXPECT_FALSE(lay_out(0, 132, 1));
  EXPECT_FALSE(lay_out(1, 132, 0));
}

TEST(Roofline, RoofsMeetAtTheRidge) {
  for (const Gpu& g : table().gpus) {
    const double ridge = roofline(g, 1, 1)->ridge_operations_per_byte;
    const Roofline below = roofline(g, ridge * 500, 1000).value(), above = roofline(g, ridge * 2000, 1000).value();
    EXPECT_EQ(below.bound, Bound::memory);
    EXPECT_NEAR(below.attainable_gop_per_s, below.peak_gop_per_s / 2, 1e-6 * below.peak_gop_per_s);
    EXPECT_EQ(above.bound, Bound::compute);
    EXPECT_EQ(above.attainable_gop_per_s, above.peak_gop_per_s);
  }
}

// A copy of 64 MiB moves 128 MiB and computes nothing: 28 microseconds at 4.8 TB/s.
TEST(Roofline, ACopyIsBoundByMemory) {
  const Roofline r = roofline(gpu("H200"), 0, 2.0 * (64 << 20)).value();
  EXPECT_EQ(r.bound, Bound::memory);
  EXPECT_NEAR(r.bytes / r.bandwidth_gb_per_s / 1000, 27.96, 0.01) << "microseconds";
  EXPECT_NEAR(r.peak_gop_per_s, 66909, 1);  // 132 * 128 * 2 * 1.98
  EXPECT_NEAR(roofline(gpu("H200"), 1, 1, Precision::fp64)->peak_gop_per_s * 2, r.peak_gop_per_s, 1e-6);
  EXPECT_EQ(roofline(gpu("H200"), 1, 0)->bound, Bound::compute);
  EXPECT_FALSE(roofline(gpu("H200"), 0, 0));
  EXPECT_FALSE(roofline(gpu("H200"), -1, 5));
}

}  // namespace
}  // namespace lanescope::occupancy
