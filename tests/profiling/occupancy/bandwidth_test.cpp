// Peaks of each memory beside what the shared slides say that kernels achieve.

#include "profiling/occupancy/roofline.h"

#include <nlohmann/json.hpp>

#include "kernels/base/read_file.h"
#include "tests/profiling/occupancy/support.h"

namespace lanescope::occupancy {
namespace {

double peak(const char* name, Memory memory) {
  for (const Bandwidth& b : bandwidths(gpu(name)))
    if (b.memory == memory) return b.gb_per_s;
  return 0;
}

TEST(Bandwidth, SharedMemoryIsBanksTimesClock) {
  EXPECT_NEAR(peak("P100", Memory::shared), 56 * 128 * 1.48, 1e-6);
  EXPECT_NEAR(peak("A100", Memory::shared), 108 * 128 * 1.41, 1e-6);
  EXPECT_NEAR(peak("K20", Memory::shared), 13 * 256 * 0.706, 1e-6) << "banks of 8 bytes";
}

// 500 and 1,320 GB/s of global memory, 8,850 and 18,140 of shared memory.
TEST(Bandwidth, WhatIsAchievedStaysBelowThePeaks) {
  EXPECT_GT(peak("P100", Memory::device), 500);
  EXPECT_GT(peak("A100", Memory::device), 1320);
  EXPECT_GT(peak("P100", Memory::shared), 8850);
  EXPECT_GT(peak("A100", Memory::shared), 18140);
  EXPECT_LT(peak("P100", Memory::shared), 1.25 * 8850);
  EXPECT_LT(peak("A100", Memory::shared), 1.25 * 18140);
}

TEST(Bandwidth, L2IsSaidWhereItIsKnown) {
  EXPECT_NEAR(peak("V100", Memory::l2), 3133, 1);
  EXPECT_NEAR(peak("A100", Memory::l2), 7219, 1);
  EXPECT_NEAR(peak("H100 PCIe", Memory::l2), 8986, 1);
  EXPECT_EQ(peak("P100", Memory::l2), 0);
  for (const Gpu& g : table().gpus) {
    double before = 0;
    for (const Bandwidth& b : bandwidths(g)) {
      EXPECT_GT(b.gb_per_s, before) << g.name << ": nearer memories are faster";
      EXPECT_GE(b.source.size(), 5u) << g.name;
      before = b.gb_per_s;
    }
  }
}

// Guide 4.2, F.3.3 and F.4.3: a bank of compute capability 1.x and 2.x takes two cycles for a word.
TEST(Bandwidths, BanksOfTheOldestTakeTwoCycles) {
  const auto shared = [](const char* name) { return bandwidths(gpu(name)).back().gb_per_s; };
  EXPECT_NEAR(shared("M2090"), 16 * 32 * 4 * 1.301 / 2, 1e-6);
  EXPECT_NEAR(shared("C1060"), 30 * 16 * 4 * 1.3 / 2, 1e-6);
  EXPECT_NEAR(shared("K40"), 15 * 32 * 8 * 0.745, 1e-6);
}

// The rate of L2 and its size are those that were measured, and no memory was measured to be faster than its roof.
TEST(Bandwidths, OfTheH200AreMeasured) {
  const auto text = read_file(std::string(LANESCOPE_SOURCE_DIR) + "/bench/results/gpu_roofs.json");
  ASSERT_TRUE(text);
  const nlohmann::json roofs = nlohmann::json::parse(*text);
  const auto rates = bandwidths(gpu("H200"));
  ASSERT_EQ(rates.size(), 3u);
  EXPECT_EQ(rates[1].gb_per_s, roofs["best_l2"]["gb_per_s"].get<double>());
  EXPECT_EQ(gpu("H200").memory.l2_bytes, roofs["l2_bytes"].get<int>());
  for (const auto& row : roofs["rows"])
    EXPECT_LE(row["gb_per_s"].get<double>(), rates[row["memory"] == "L2" ? 1 : 2].gb_per_s) << row;
}

// A measured rate of L2 is taken as it is, with its own source.
TEST(Bandwidths, AMeasuredRateOfL2TakesThePlaceOfTheComputedOne) {
  Gpu g = gpu("V100");
  EXPECT_NEAR(bandwidths(g)[1].gb_per_s, 2048 * 1.53, 1e-6);
  g.memory.l2_gb_per_s = 2155, g.memory.l2_source = "measured on V100";
  EXPECT_EQ(bandwidths(g)[1].gb_per_s, 2155);
  EXPECT_EQ(bandwidths(g)[1].source, "measured on V100");
}

TEST(GpuTable, LaunchLimitsAndMemoryAreThoseOfDeviceQuery) {
  EXPECT_EQ(arch("sm_20").launch.grid_x, 65535);
  EXPECT_EQ(arch("sm_90").launch.grid_x, 2147483647);
  for (const Arch& a : table().archs) {
    EXPECT_EQ(a.launch.constant_bytes, 65536) << a.name;
    EXPECT_EQ(a.launch.block_z, 64) << a.name;
    EXPECT_GE(a.launch.source.size(), 5u) << a.name;
  }
  EXPECT_EQ(gpu("P100").memory.l2_bytes, 4194304);
  EXPECT_EQ(gpu("K20").memory.bytes, 5032706048);
  for (const Gpu& g : table().gpus)
    EXPECT_EQ(g.memory.source.empty(),
              g.memory.bytes + g.memory.l2_bytes + g.memory.l2_bytes_per_cycle + g.memory.bus_bits == 0)
        << g.name;
}

}  // namespace
}  // namespace lanescope::occupancy
