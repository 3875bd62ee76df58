// Limits of a measured kernel: a measurement of an H200, kernels made by hand for every limit, and
// conclusions that no order of rows and no missing part may change.

#include "profiling/conclusion/conclusion.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include <fmt/format.h>

#include "app/engine/wire/measured_file.h"
#include "kernels/base/read_file.h"

namespace lanescope::conclusion {
namespace {

using results::Measured;
using results::OccupancyInfo;

bool says(const Conclusion& c, std::string_view words) { return paragraph(c).find(words) != std::string::npos; }

/// An H200 with a grid that fills it.
OccupancyInfo h200(std::int64_t blocks = 10000) {
  OccupancyInfo o{.gpu = "H200"};
  o.roofs = {{.memory = "device memory", .gb_per_s = 4800},
             {.memory = "L2", .gb_per_s = 10138},
             {.memory = "shared memory", .gb_per_s = 33454}};
  o.peak_gop_per_s = 66908;
  o.waves = results::WavesInfo{.blocks = blocks, .waves = 10, .multiprocessors = 132, .blocks_per_multiprocessor = 8};
  o.in_flight = {{.what = "arithmetic", .law = {}, .needed_warps = 16, .resident_warps = 64},
                 {.what = "memory, 4 bytes per thread",
                  .law = {},
                  .needed_warps = 94,
                  .resident_warps = 64,
                  .independent_needed = 2}};
  return o;
}

/// 100 us; the counters that a test names.
Measured with(std::initializer_list<std::pair<const char*, double>> counters,
              std::initializer_list<std::tuple<const char*, int, std::uint64_t>> stalls = {}) {
  Measured m{.device = "NVIDIA H200", .arch = "sm_90"};
  m.timing = results::TimingInfo{.warm_up = 3, .repetitions = 20, .median_us = 100, .least_us = 90, .most_us = 120};
  for (const auto& [name, value] : counters) m.metrics.push_back({.name = name, .measured = value});
  for (const auto& [reason, line, samples] : stalls)
    m.stalls.push_back({.line = line, .reason = reason, .words = {}, .samples = samples});
  return m;
}
constexpr const char* loads = "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum";
constexpr const char* stores = "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum";
constexpr const char* load_bytes = "smsp__sass_data_bytes_mem_global_op_ld.sum";
constexpr const char* store_bytes = "smsp__sass_data_bytes_mem_global_op_st.sum";
constexpr const char* shared_loads = "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum";
constexpr const char* shared_stores = "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum";
constexpr const char* load_conflicts = "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum";
constexpr const char* dram_read = "dram__bytes_read.sum";
constexpr const char* dram_write = "dram__bytes_write.sum";

Measured stored() {
  const std::string path = std::string(LANESCOPE_SOURCE_DIR) + "/tests/data/gpu/shared_transpose_naive.measured.json";
  const auto file = engine::parse_measured_file(read_file(path).value_or(""), path);
  EXPECT_TRUE(file);
  return file ? file->measured : Measured{};
}

// Measured on an H200: a transpose of one block whose columns lie in one bank. 992 of 1,056 wavefronts are conflicts.
TEST(Conclusion, AMeasuredTransposeHasBankConflicts) {
  const Measured m = stored();
  const Conclusion c = conclude({.measured = m});
  EXPECT_EQ(c.limit, Limit::shared_latency);
  for (const char* part : {"short_scoreboard", "992 of 1056 wavefronts", "94 %", "pad the rows"})
    EXPECT_TRUE(says(c, part)) << paragraph(c) << " lacks " << part;
  // On the whole GPU the one block comes first, and the conflicts next.
  const OccupancyInfo one_block = h200(1);
  const Conclusion whole = conclude({.measured = m, .occupancy = &one_block});
  EXPECT_EQ(whole.limit, Limit::grid);
  EXPECT_TRUE(says(whole, "1 block for 132 multiprocessors: 131 of them have no block")) << paragraph(whole);
  EXPECT_TRUE(says(whole, "Next: Waiting for shared memory")) << paragraph(whole);
  // The review has the line and the saving.
  results::FindingInfo finding;
  finding.rule = "bank-conflict", finding.line = 28;
  finding.remedy = "pad the rows to 33 words", finding.saving = "992 of 1056 wavefronts on this line";
  const Conclusion reviewed = conclude({.measured = m, .findings = {&finding, 1}});
  EXPECT_TRUE(says(reviewed, "First remedy: line 28: pad the rows to 33 words.")) << paragraph(reviewed);
  EXPECT_TRUE(says(reviewed, "992 of 1056 wavefronts on this line")) << paragraph(reviewed);
}

TEST(Conclusion, AUnitNearItsPeakIsTheLimitWhateverTheStallsSay) {
  const OccupancyInfo o = h200();
  // 432 MB in 100 us: 4,320 of 4,800 GB/s.
  const Measured copy = with({{dram_read, 216e6},
                              {dram_write, 216e6},
                              {loads, 6.75e6},
                              {stores, 6.75e6},
                              {load_bytes, 216e6},
                              {store_bytes, 216e6}},
                             {{"barrier", 3, 900}, {"long_scoreboard", 4, 100}});
  const Conclusion c = conclude({.measured = copy, .occupancy = &o});
  EXPECT_EQ(c.limit, Limit::device_memory);
  EXPECT_TRUE(says(c, "4320 of 4800 GB/s (90 %)")) << paragraph(c);
  EXPECT_TRUE(says(c, "at most 10 %")) << paragraph(c);
  EXPECT_FALSE(says(c, "were moved")) << "nothing is unrequested: " << paragraph(c);
  // The same rate, of which a quarter is requested.
  const Measured strided = with({{dram_read, 216e6},
                                 {dram_write, 216e6},
                                 {loads, 6.75e6},
                                 {stores, 6.75e6},
                                 {load_bytes, 54e6},
                                 {store_bytes, 54e6}});
  const Conclusion s = conclude({.measured = strided, .occupancy = &o});
  EXPECT_EQ(s.limit, Limit::device_memory);
  EXPECT_TRUE(says(s, "fit 3375000 sectors, and 13500000 were moved")) << paragraph(s);
  EXPECT_TRUE(says(s, "at most 75 % of the traffic")) << paragraph(s);
  // 25,000,000 wavefronts x 128 bytes in 100 us: 32,000 of 33,454 GB/s.
  const Measured shared = with({{shared_loads, 20e6}, {shared_stores, 5e6}, {load_conflicts, 15e6}});
  const Conclusion w = conclude({.measured = shared, .occupancy = &o});
  EXPECT_EQ(w.limit, Limit::shared_memory);
  EXPECT_TRUE(says(w, "15000000 of 25000000 wavefronts")) << paragraph(w);
  const Conclusion a = conclude({.measured = with({{loads, 10}}), .occupancy = &o, .operations = 5e9});
  EXPECT_EQ(a.limit, Limit::arithmetic);
  EXPECT_TRUE(says(a, "50000 of 66908 Gop/s (75 %)")) << paragraph(a);
}

TEST(Conclusion, BelowThePeaksTheStallsDecide) {
  const OccupancyInfo o = h200();
  const struct {
    const char* reason;
    Limit limit;
    const char* words;
  } cases[] = {{"long_scoreboard", Limit::global_latency, "2 independent loads"},
               {"short_scoreboard", Limit::shared_latency, "independent instructions"},
               {"barrier", Limit::barrier, "fewer barriers"},
               {"drain", Limit::exit, "more work in each thread"},
               {"math_pipe_throttle", Limit::arithmetic, "fewer operations"},
               {"wait", Limit::instruction_latency, "more resident warps"},
               {"imc_miss", Limit::constant_cache, "same constant"},
               {"membar", Limit::fence, "fewer fences"}};
  for (const auto& k : cases) {
    const Measured m =
        with({{dram_read, 1e6}, {dram_write, 1e6}},
             {{k.reason, 7, 700}, {k.reason, 9, 100}, {"selected", 7, 5000}, {"dispatch_stall", 8, 200}});
    const Conclusion c = conclude({.measured = m, .occupancy = &o});
    EXPECT_EQ(c.limit, k.limit) << k.reason;
    EXPECT_TRUE(says(c, k.words)) << paragraph(c);
    EXPECT_TRUE(says(c, "at line 7")) << paragraph(c);
    if (k.limit != Limit::instruction_latency) {
      EXPECT_TRUE(says(c, "80 % of the samples")) << "selected is no stall: " << paragraph(c);
    }
  }
  // Reasons of one remedy count together: 300 + 300 of 1,000 are more than the 400 of the barrier.
  const Measured together = with({}, {{"long_scoreboard", 1, 300}, {"lg_throttle", 1, 300}, {"barrier", 2, 400}});
  EXPECT_EQ(conclude({.measured = together, .occupancy = &o}).limit, Limit::global_latency);
}

TEST(Conclusion, TheOrderOfRowsChangesNothing) {
  std::mt19937 random(8);
  const OccupancyInfo o = h200();
  const char* reasons[] = {"long_scoreboard", "short_scoreboard", "barrier", "wait", "drain", "selected", "imc_miss"};
  for (int round = 0; round < 200; ++round) {
    Measured m = with({{loads, 1000.0 + random() % 1000},
                       {stores, 100},
                       {load_bytes, 8000.0 + random() % 24000},
                       {store_bytes, 3200},
                       {shared_loads, 500},
                       {load_conflicts, static_cast<double>(random() % 500)}});
    for (int n = 0; n < 20; ++n)
      m.stalls.push_back({.line = static_cast<int>(random() % 9),
                          .reason = reasons[random() % 7],
                          .words = {},
                          .samples = random() % 1000});
    const std::string before = paragraph(conclude({.measured = m, .occupancy = &o}));
    std::ranges::shuffle(m.stalls, random);
    std::ranges::shuffle(m.metrics, random);
    EXPECT_EQ(paragraph(conclude({.measured = m, .occupancy = &o})), before);
    // Twice as many samples are the same shares.
    for (results::StallRow& row : m.stalls) row.samples *= 2;
    EXPECT_EQ(paragraph(conclude({.measured = m, .occupancy = &o})), before);
  }
}

TEST(Conclusion, WhatWasNotMeasuredIsSaid) {
  const Conclusion nothing = conclude({.measured = Measured{}});
  EXPECT_EQ(nothing.limit, Limit::unknown);
  EXPECT_EQ(paragraph(nothing),
            "What limits this kernel is not known: neither stalls nor the counters of memory were measured.");
  const Conclusion counters = conclude({.measured = with({{shared_loads, 320}, {load_conflicts, 310}})});
  EXPECT_EQ(counters.limit, Limit::unknown);
  EXPECT_TRUE(says(counters, "Stalls were not measured")) << paragraph(counters);
  EXPECT_TRUE(says(counters, "310 of 320 wavefronts")) << paragraph(counters);
  const OccupancyInfo o = h200();
  const Conclusion idle = conclude({.measured = with({{dram_read, 1e6}, {dram_write, 1e6}}), .occupancy = &o});
  EXPECT_TRUE(says(idle, "no unit works near its peak, and stalls were not measured")) << paragraph(idle);
  Measured failed = stored();
  failed.fault = "an illegal address";
  EXPECT_TRUE(says(conclude({.measured = failed}), "the launch failed"));
}

// Numbers of a conclusion are those of the measurement: without conflicts they are not mentioned.
TEST(Conclusion, WithoutTheWasteThereIsNoRemedyForIt) {
  Measured m = stored();
  for (results::MetricRow& row : m.metrics)
    if (row.name == load_conflicts) row.measured = 0;
  const Conclusion c = conclude({.measured = m});
  EXPECT_FALSE(says(c, "bank conflicts")) << paragraph(c);
  EXPECT_TRUE(says(c, "short_scoreboard")) << paragraph(c);
}

}  // namespace
}  // namespace lanescope::conclusion
