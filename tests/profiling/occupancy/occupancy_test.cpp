#include "profiling/occupancy/occupancy.h"

#include <algorithm>
#include <fstream>

#include <nlohmann/json.hpp>

#include "profiling/occupancy/curves.h"
#include "tests/profiling/occupancy/support.h"

namespace lanescope::occupancy {
namespace {

/// Puts blocks on one multiprocessor until one does not fit, warp by warp: each takes registers of the partition that
/// has most left. No formula of the library is used.
int place_blocks(const Arch& a, const KernelUse& use) {
  const int warps = (use.threads_per_block + 31) / 32;
  int registers = 0, shared = 0, of_block = 0;
  // Compute capability 1.x: registers are given to the block, its warps made even.
  const bool per_block = a.registers.per_block_allocation;
  while (per_block && of_block < (warps + warps % 2) * 32 * use.registers_per_thread)
    of_block += a.registers.allocation_unit;
  int free_registers = a.registers.per_multiprocessor;
  while (registers < use.registers_per_thread * 32) registers += a.registers.allocation_unit;
  const int asked = use.static_shared_bytes + use.dynamic_shared_bytes + a.shared.reserved_per_block_bytes;
  while (shared < asked) shared += a.shared.allocation_unit_bytes;
  std::vector<int> left(static_cast<std::size_t>(a.registers.warp_allocation_granularity),
                        a.registers.per_multiprocessor / a.registers.warp_allocation_granularity);
  int free_warps = a.limits.warps_per_multiprocessor, free_shared = a.shared.per_multiprocessor_bytes;
  int free_barriers = a.limits.barriers_per_multiprocessor > 0 ? a.limits.barriers_per_multiprocessor : 1 << 30;
  int blocks = 0;
  for (; blocks < a.limits.blocks_per_multiprocessor; ++blocks) {
    if (per_block && (free_registers -= of_block) < 0) return blocks;
    for (int w = 0; w < warps && !per_block; ++w) {
      auto roomiest = std::max_element(left.begin(), left.end());
      if (*roomiest < registers) return blocks;
      *roomiest -= registers;
    }
    free_warps -= warps, free_shared -= shared, free_barriers -= use.barriers;
    if (free_warps < 0 || free_shared < 0 || free_barriers < 0) return blocks;
  }
  return blocks;
}

TEST(Occupancy, AgreesWithPlacingBlocksOneByOne) {
  Random random(1);
  int runnable = 0;
  for (const Arch& a : table().archs)
    for (int i = 0; i < 500; ++i) {
      const KernelUse use = random.use(a);
      const Occupancy o = resident(a, use);
      if (!o.cannot_run.empty()) continue;  // refused by a check of the launch, which placing does not know
      ++runnable;
      ASSERT_EQ(o.blocks_per_multiprocessor, place_blocks(a, use))
          << a.name << " " << use.threads_per_block << " threads, " << use.registers_per_thread << " registers, "
          << use.static_shared_bytes + use.dynamic_shared_bytes << " bytes";
    }
  EXPECT_GT(runnable, 4000);
}

// Results of cudaOccMaxActiveBlocksPerMultiprocessor; the file says how they were made.
TEST(Occupancy, AgreesWithTheStoredOracle) {
  std::ifstream in(std::string(LANESCOPE_TEST_DATA_DIR) + "/occupancy_oracle.json");
  const nlohmann::json data = nlohmann::json::parse(in);
  ASSERT_EQ(data["rows"].size(), 600u);
  for (const auto& row : data["rows"]) {
    KernelUse use{.threads_per_block = row[1],
                  .registers_per_thread = row[2],
                  .static_shared_bytes = row[3],
                  .dynamic_shared_bytes = row[4],
                  .barriers = row[5],
                  .opt_in = row[6] == 1};
    if (row[7] >= 0) use.carveout_percent = row[7].get<int>();
    EXPECT_EQ(resident(arch(row[0].get<std::string>()), use).blocks_per_multiprocessor, row[8].get<int>()) << row;
  }
}

TEST(Occupancy, NeverAboveTheLimitsAndAlwaysLimitedBySomething) {
  Random random(2);
  for (const Arch& a : table().archs)
    for (int i = 0; i < 500; ++i) {
      const KernelUse use = random.use(a);
      const Occupancy o = resident(a, use);
      EXPECT_LE(o.threads_per_multiprocessor, a.limits.threads_per_multiprocessor);
      EXPECT_LE(o.warps_per_multiprocessor, a.limits.warps_per_multiprocessor);
      EXPECT_LE(o.blocks_per_multiprocessor, a.limits.blocks_per_multiprocessor);
      EXPECT_LE(o.warps_per_multiprocessor * o.registers_per_warp, a.registers.per_multiprocessor);
      EXPECT_LE(o.blocks_per_multiprocessor * o.shared_bytes_per_block, a.shared.per_multiprocessor_bytes);
      EXPECT_LE(o.percent, 100.0);
      ASSERT_FALSE(o.limiting.empty());
      EXPECT_EQ(o.blocks_per_multiprocessor == 0, !o.cannot_run.empty()) << a.name << ": " << o.summary;
      for (const Resource r : o.limiting)
        EXPECT_EQ(o.blocks_by_resource[static_cast<std::size_t>(r)], o.blocks_per_multiprocessor);
    }
}

// Worked by hand with the rules of the calculator for 1.x: 10 registers, 3 warps, made 4: 1,280 registers, 6 blocks of
// 8,192 (a warp at a time would be 960 and 8 blocks); with 16,384 and units of 512: 1,536, 10 blocks, of which 8 may be.
TEST(Occupancy, RegistersOfABlockOnComputeCapability1) {
  const KernelUse use{.threads_per_block = 96, .registers_per_thread = 10};
  const auto by_registers = [&](const char* name) {
    return resident(arch(name), use).blocks_by_resource[static_cast<std::size_t>(Resource::registers)].value();
  };
  EXPECT_EQ(by_registers("sm_10"), 6);
  EXPECT_EQ(by_registers("sm_13"), 10);
  EXPECT_EQ(resident(arch("sm_13"), use).blocks_per_multiprocessor, 8);
  EXPECT_FALSE(resident(arch("sm_11"), {.threads_per_block = 512, .registers_per_thread = 17}).cannot_run.empty());
}

TEST(Occupancy, MoreRegistersOrSharedMemoryNeverHelp) {
  Random random(3);
  for (const Arch& a : table().archs)
    for (int i = 0; i < 20; ++i) {
      const KernelUse use = random.use(a);
      for (const Curve& curve : {curve_over_registers(a, use).value(), curve_over_shared_memory(a, use, 1000).value()})
        for (std::size_t p = 1; p < curve.size(); ++p) {
          ASSERT_LT(curve[p - 1].x, curve[p].x);
          ASSERT_GE(curve[p - 1].blocks_per_multiprocessor, curve[p].blocks_per_multiprocessor)
              << a.name << " at " << curve[p].x;
        }
    }
}

TEST(Occupancy, TheWorkedExampleOfTheHeader) {
  const Occupancy o =
      resident(arch("sm_90"), {.threads_per_block = 256, .registers_per_thread = 65, .dynamic_shared_bytes = 20480});
  const auto by = [&](Resource r) { return o.blocks_by_resource[static_cast<std::size_t>(r)].value(); };
  EXPECT_EQ(by(Resource::warps), 8);
  EXPECT_EQ(by(Resource::registers), 3);
  EXPECT_EQ(by(Resource::shared_memory), 10);
  EXPECT_EQ(by(Resource::blocks), 32);
  EXPECT_EQ(o.registers_per_warp, 2304);
  EXPECT_EQ(o.shared_bytes_per_block, 21504);
  EXPECT_EQ(o.summary, "3 blocks (24 of 64 warps, 37.5 %) per multiprocessor, limited by registers");
}

// The notebook compiles for sm_60 and lowers a kernel from 26 to 17 to 14 registers. On that GPU and on sm_90 all three
// leave every warp slot filled (up to 32 registers a thread do): what is saved buys no residency there. On Fermi, with
// half the registers, 26 leave 38 warps; 17 and 14 fill the 48, if the block is small enough to divide them.
TEST(Occupancy, TheRegisterCountsOfTheNotebook) {
  for (const int registers : {26, 17, 14, 16, 2})
    for (const char* name : {"sm_60", "sm_90"})
      for (const int threads : {256, 1024}) {
        const Occupancy o = resident(arch(name), {.threads_per_block = threads, .registers_per_thread = registers});
        EXPECT_EQ(o.blocks_per_multiprocessor, 2048 / threads) << name << " " << registers;
        EXPECT_EQ(o.percent, 100.0);
      }
  const auto fermi = [](int threads, int registers) {
    return resident(arch("sm_20"), {.threads_per_block = threads, .registers_per_thread = registers})
        .warps_per_multiprocessor;
  };
  EXPECT_EQ(fermi(256, 26), 32);
  EXPECT_EQ(fermi(256, 17), 48);
  EXPECT_EQ(fermi(256, 14), 48);
  for (const int registers : {26, 17, 14}) EXPECT_EQ(fermi(1024, registers), 32);
}

// The notebook's launch_configuration of a kernel with 2 registers: 112 blocks of 1024 threads, on a P100.
TEST(Occupancy, TheLaunchThatTheNotebookWasSuggested) {
  const Gpu p100 = gpu("P100");
  const SuggestedBlock s =
      suggest_block(p100.arch, p100.multiprocessors, {.threads_per_block = 1, .registers_per_thread = 2}).value();
  EXPECT_EQ(s.threads_per_block, 1024);
  EXPECT_EQ(s.blocks_to_fill_the_gpu, 112);
  const auto rmse =
      suggest_block(p100.arch, p100.multiprocessors, {.threads_per_block = 1, .registers_per_thread = 26});
  EXPECT_EQ(rmse->threads_per_block, 1024);  // "CUDA.maxthreads(kernel)" of the notebook
}

// CSCS, "Block level cooperation": 64 kB on a P100; two blocks can have 32 kB each.
TEST(Occupancy, SharedMemoryOfTheCourse) {
  const Arch p100 = arch("sm_60");
  EXPECT_EQ(p100.shared.per_multiprocessor_bytes, 64 * 1024);
  EXPECT_EQ(resident(p100, {.threads_per_block = 128, .dynamic_shared_bytes = 32 * 1024}).blocks_per_multiprocessor, 2);
  EXPECT_EQ(resident(p100, {.threads_per_block = 128, .dynamic_shared_bytes = 32 * 1024 + 1}).blocks_per_multiprocessor,
            1);
}

TEST(Occupancy, SplitsHoldTheResidentBlocksAndNoMore) {
  Random random(4);
  for (const Arch& a : table().archs)
    for (int i = 0; i < 200; ++i) {
      const Occupancy o = resident(a, random.use(a));
      ASSERT_EQ(o.shared_split_bytes.has_value(), !a.shared.split_bytes.empty());
      if (!o.shared_split_bytes) continue;
      const int held = o.blocks_per_multiprocessor * o.shared_bytes_per_block;
      EXPECT_GE(*o.shared_split_bytes, held);
      for (const int smaller : a.shared.split_bytes) {
        if (smaller < *o.shared_split_bytes) {
          EXPECT_LT(smaller, held);
        }
      }
      EXPECT_LE(*o.shared_split_bytes, a.shared.l1_and_shared_bytes);
    }
}

// A block larger than the split that was requested: Kepler then takes its largest, Volta and later the next that holds it.
TEST(Occupancy, ABlockThatDoesNotFitTheSplitAskedFor) {
  KernelUse use{.threads_per_block = 64, .dynamic_shared_bytes = 17 * 1024};
  use.carveout_percent = 0;
  EXPECT_EQ(resident(arch("sm_30"), use).shared_capacity_bytes, 48 * 1024);
  EXPECT_EQ(resident(arch("sm_30"), use).blocks_per_multiprocessor, 2);
  EXPECT_EQ(resident(arch("sm_90"), use).shared_capacity_bytes, 32 * 1024);
  EXPECT_EQ(resident(arch("sm_90"), use).blocks_per_multiprocessor, 1);
  EXPECT_EQ(resident(arch("sm_90"), use).shared_split_bytes, 32 * 1024);
  EXPECT_EQ(resident(arch("sm_60"), use).blocks_per_multiprocessor, 3);  // nothing to split
}

TEST(Occupancy, RefusalsSayWhyAndWhatTheLimitIs) {
  const Arch h = arch("sm_90");
  const auto why = [&](const KernelUse& use) { return resident(h, use).cannot_run; };
  EXPECT_NE(why({.threads_per_block = 1025}).find("at most 1024"), std::string::npos);
  EXPECT_NE(why({.threads_per_block = 1024, .registers_per_thread = 65}).find("at most 65536"), std::string::npos);
  EXPECT_NE(why({.threads_per_block = 32, .registers_per_thread = 256}).find("at most 255"), std::string::npos);
  EXPECT_NE(
      why({.threads_per_block = 32, .dynamic_shared_bytes = 49153, .opt_in = false}).find("with opt-in at launch"),
      std::string::npos);
  EXPECT_NE(why({.threads_per_block = 32, .static_shared_bytes = 49153}).find("static"), std::string::npos);
  EXPECT_NE(why({.threads_per_block = 512, .launch_bounds_threads = 256}).find("__launch_bounds__"), std::string::npos);
  EXPECT_EQ(why({.threads_per_block = 32, .dynamic_shared_bytes = 232448}), "");
  EXPECT_NE(why({.threads_per_block = 32, .dynamic_shared_bytes = 232449}), "");
  EXPECT_NE(why({.threads_per_block = 32, .dynamic_shared_bytes = 2'000'000'000}), "");
  EXPECT_FALSE(occupancy(h, {.threads_per_block = 0}));
  EXPECT_FALSE(occupancy(h, {.threads_per_block = 32, .registers_per_thread = -1}));
  EXPECT_FALSE(occupancy(h, {.threads_per_block = 32, .carveout_percent = 101}));
}

// A ceiling is the largest number that keeps the residency: it does, and one step more does not.
TEST(Occupancy, CeilingsAreTight) {
  for (const Arch& a : table().archs)
    for (const int threads : {32, 96, 256, 512, 1024})
      for (const int blocks : {1, 2, 3, 5, 8}) {
        const int r = register_ceiling(a, threads, blocks);
        const auto with = [&](int registers) {
          return resident(a, {.threads_per_block = threads, .registers_per_thread = registers})
              .blocks_per_multiprocessor;
        };
        EXPECT_TRUE(r == 0 || with(r) >= blocks) << a.name;
        EXPECT_TRUE(r == a.registers.per_thread || with(r + 1) < blocks) << a.name;
        const KernelUse use{.threads_per_block = threads};
        const auto s = shared_ceiling_bytes(a, use, blocks);
        if (!s) continue;
        const auto with_shared = [&](int bytes) {
          return resident(a, {.threads_per_block = threads, .dynamic_shared_bytes = bytes}).blocks_per_multiprocessor;
        };
        const int next = *s + a.shared.allocation_unit_bytes;
        EXPECT_GE(with_shared(*s), blocks);
        EXPECT_TRUE(next > a.shared.opt_in_per_block_bytes || with_shared(next) < blocks) << a.name;
      }
  EXPECT_EQ(register_ceiling(arch("sm_90"), 256, 8), 32);
  EXPECT_EQ(register_ceiling(arch("sm_90"), 256, 4), 64);
}

TEST(Occupancy, BlockSizesFollowTheirSharedMemory) {
  const Arch a = arch("sm_90");
  const auto four_bytes = [](int threads) { return 4 * threads; };
  const Curve curve =
      curve_over_block_size(a, {.threads_per_block = 1, .registers_per_thread = 40}, four_bytes).value();
  ASSERT_EQ(curve.size(), 32u);
  for (const CurvePoint& p : curve)
    EXPECT_EQ(p.blocks_per_multiprocessor,
              resident(a, {.threads_per_block = p.x, .registers_per_thread = 40, .dynamic_shared_bytes = 4 * p.x})
                  .blocks_per_multiprocessor);
  const auto best = suggest_block(a, 132, {.threads_per_block = 1, .registers_per_thread = 40}, four_bytes).value();
  for (const CurvePoint& p : curve) EXPECT_LE(p.percent, best.percent);
}

// Launch bounds and bytes for each thread need not end at a whole warp: against every number of threads, one by one.
TEST(Curves, TheLargestBlockIsTheLargestThatRuns) {
  Random random(17);
  int between_warps = 0;
  for (int round = 0; round < 60; ++round) {
    const Arch a = arch(round % 2 == 0 ? "sm_90" : "sm_35");
    KernelUse use = random.use(a);
    use.dynamic_shared_bytes = 0;
    if (round % 3 != 0) use.launch_bounds_threads = random.from(1, a.limits.threads_per_block);
    const int each = random.from(0, 1) * random.from(1, 120);
    const SharedBytesOfBlock bytes = [&](int threads) { return each * threads; };
    const Curve sizes = curve_over_block_size(a, use, bytes).value();
    int most = 0;
    for (int threads = 1; threads <= a.limits.threads_per_block; ++threads) {
      KernelUse one = use;
      one.threads_per_block = threads, one.dynamic_shared_bytes = bytes(threads);
      if (resident(a, one).blocks_per_multiprocessor > 0) most = threads;
    }
    EXPECT_EQ(largest_block(a, use, sizes, bytes), most) << a.name << " bound " << use.launch_bounds_threads;
    between_warps += most % 32 != 0;
  }
  EXPECT_GT(between_warps, 20);
}

}  // namespace
}  // namespace lanescope::occupancy
