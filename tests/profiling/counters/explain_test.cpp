#include "profiling/counters/explain.h"

#include <gtest/gtest.h>

#include <map>

#include "profiling/counters/metrics.h"

namespace lanescope::counters {
namespace {

struct World {
  std::map<std::string, Pair, std::less<>> pairs;
  Explanation about(std::string_view name) const {
    return explain(name, [this](std::string_view n) -> std::optional<Pair> {
      const auto found = pairs.find(n);
      return found == pairs.end() ? std::nullopt : std::optional<Pair>(found->second);
    });
  }
};

TEST(Explain, WhatAgreesNeedsNoCause) {
  World w;
  for (const Metric& m : metrics()) w.pairs[std::string(m.name)] = {12, 12};
  for (const Metric& m : metrics()) EXPECT_EQ(w.about(m.name).cause, Cause::agrees) << m.name;
}

TEST(Explain, WhatIsNotKnownNeedsNoCause) { EXPECT_EQ(World{}.about("dram__bytes_read.sum").cause, Cause::agrees); }

TEST(Explain, WavefrontsAreLostToArbitrationOnlyWhereTheExactCounterAgrees) {
  constexpr std::string_view pipeline = "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum";
  constexpr std::string_view exact = "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum";
  World w;
  w.pairs[std::string(pipeline)] = {4'194'304, 4'213'510};
  w.pairs[std::string(exact)] = {4'194'304, 4'194'304};
  EXPECT_EQ(w.about(pipeline).cause, Cause::arbitration);
  EXPECT_NE(w.about(pipeline).words.find("19206"), std::string::npos) << w.about(pipeline).words;
  w.pairs[std::string(exact)] = {4'194'304, 4'194'305};
  EXPECT_EQ(w.about(pipeline).cause, Cause::unexplained);
  w.pairs[std::string(exact)] = {4'194'304, 4'194'304};
  w.pairs[std::string(pipeline)].measured = 4'000'000;  // fewer turns than words in a bank: no arbitration does that
  EXPECT_EQ(w.about(pipeline).cause, Cause::unexplained);
}

TEST(Explain, SectorsOfOtherInstructionsAreTheCompilers) {
  constexpr std::string_view sectors = "smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_ld.sum";
  World w;
  w.pairs[std::string(sectors)] = {128, 96};
  EXPECT_EQ(w.about(sectors).cause, Cause::unexplained);
  w.pairs["smsp__sass_inst_executed_op_global_ld.sum"] = {4, 3};
  EXPECT_EQ(w.about(sectors).cause, Cause::compiler);
  w.pairs["smsp__sass_inst_executed_op_global_ld.sum"] = {4, 4};
  EXPECT_EQ(w.about(sectors).cause, Cause::unexplained);
}

/// As measured on an H200 of kernels that print.
TEST(Explain, RequestsOfCodeOutsideTheModuleAreTheSystems) {
  constexpr std::string_view requests = "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum";
  World w;
  w.pairs[std::string(requests)] = {4, 260};
  EXPECT_EQ(w.about(requests).cause, Cause::unexplained);
  w.pairs["smsp__sass_inst_executed_op_global_st.sum"] = {4, 4};
  EXPECT_EQ(w.about(requests).cause, Cause::system);
  w.pairs["smsp__sass_inst_executed_op_global_st.sum"] = {4, 260};
  EXPECT_EQ(w.about(requests).cause, Cause::compiler);
}

TEST(Explain, ConflictsAreLostAsTheirWavefronts) {
  constexpr std::string_view conflicts = "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum";
  World w;
  w.pairs[std::string(conflicts)] = {10, 14};
  w.pairs["l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"] = {50, 54};
  w.pairs["smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"] = {50, 50};
  EXPECT_EQ(w.about(conflicts).cause, Cause::arbitration);
  w.pairs["l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"] = {50, 53};
  EXPECT_EQ(w.about(conflicts).cause, Cause::unexplained);
}

TEST(Explain, CachesAndClocksAreNotPredicted) {
  World w;
  w.pairs["dram__bytes_read.sum"] = {10, 20};
  w.pairs["gpu__time_duration.sum"] = {10, 20};
  EXPECT_EQ(w.about("dram__bytes_read.sum").cause, Cause::cache);
  EXPECT_EQ(w.about("gpu__time_duration.sum").cause, Cause::clock);
}

}  // namespace
}  // namespace lanescope::counters
