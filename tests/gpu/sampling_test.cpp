// Samples of the program counter: where they fall and what they are called.

#include <gtest/gtest.h>

#include <map>

#include "profiling/cupti/child.h"
#include "tests/gpu/machine.h"
#include "tests/gpu/walk.h"

namespace lanescope::gpu_test {
namespace {

cupti::StallReport sampled(const walk::Shape& shape) {
  cupti::Request request = walk::request({shape});
  request.enough_samples = 10000, request.seconds = 5;
  const auto report = cupti::sample_stalls_in_child(measure_command(), request);
  EXPECT_TRUE(report) << to_string(report.error().front());
  return report ? *report : cupti::StallReport{};
}

void expect_sound(const cupti::StallReport& report) {
  std::uint64_t sum = 0;
  for (const cupti::StallRow& row : report.rows) {
    sum += row.samples;
    EXPECT_EQ(row.function, "walk");
    EXPECT_LE(row.idle, row.samples);
    EXPECT_NE(row.reason.find("stalled_"), std::string::npos) << row.reason;
    EXPECT_FALSE(cupti::stall_words(row.reason).empty()) << row.reason;
  }
  EXPECT_EQ(sum, report.samples - report.dropped - report.elsewhere) << "every sample has one reason";
  EXPECT_GE(report.samples - report.elsewhere, 10000u);
}

TEST(Sampling, FallsOnTheLinesThatWait) {
  LS_NEEDS(stalls);
  LS_NEEDS_COMPILER();
  const auto report = sampled({.blocks = 1056, .threads = 128, .step = 8, .rounds = 500});
  expect_sound(report);
  std::map<int, std::uint64_t> lines;
  std::map<std::string, std::uint64_t> reasons;
  std::uint64_t all = 0;
  for (const cupti::StallRow& row : report.rows) {
    all += row.samples, lines[row.line] += row.samples;
    reasons[std::string(cupti::stall_name(row.reason))] += row.samples;
  }
  std::uint64_t in_loop = 0;
  for (const auto& [line, samples] : lines)
    if (line >= walk::shared_store_line && line < walk::global_store_line) in_loop += samples;
  EXPECT_GT(in_loop, all * 9 / 10) << "nearly all of the time moves to the loop";
  EXPECT_GT(reasons["barrier"], 0u);
  EXPECT_GT(reasons["long_scoreboard"], 0u);
  nlohmann::ordered_json by_line = nlohmann::ordered_json::array(), by_reason = by_line;
  for (const auto& [line, samples] : lines) by_line.push_back({line, samples});
  for (const auto& [reason, samples] : reasons) by_reason.push_back({reason, samples});
  write_results("gpu_stalls", {{"kernel", "tests/gpu/walk.cpp, 1056 blocks of 128, step 8, 500 rounds"},
                               {"runs", report.runs},
                               {"cycles_between_samples", 1 << report.period_log2},
                               {"milliseconds", report.milliseconds},
                               {"samples", report.samples},
                               {"dropped", report.dropped},
                               {"elsewhere", report.elsewhere},
                               {"source_line_and_samples", by_line},
                               {"reason_and_samples", by_reason}});
}

TEST(Sampling, AShortKernelRunsUntilThereAreEnough) {
  LS_NEEDS(stalls);
  LS_NEEDS_COMPILER();
  const auto report = sampled({.blocks = 8, .threads = 32, .step = 1, .rounds = 4});
  expect_sound(report);
  EXPECT_GT(report.runs, 1u);
}

TEST(Sampling, AFaultIsAnError) {
  LS_NEEDS(stalls);
  LS_NEEDS_COMPILER();
  cupti::Request request = walk::request({{}});
  request.launches[0].arguments[0] = trace::BufferArgument{.buffer = 1, .offset_bytes = 2};
  EXPECT_FALSE(cupti::sample_stalls_in_child(measure_command(), request));
}

}  // namespace
}  // namespace lanescope::gpu_test
