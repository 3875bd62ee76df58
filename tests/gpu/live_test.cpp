// The child that stays: it measures what changed, survives bad requests, and is quick enough to follow a hand.

#include <gtest/gtest.h>

#include <chrono>

#include "profiling/cupti/live.h"
#include "tests/gpu/machine.h"
#include "tests/gpu/walk.h"

namespace lanescope::gpu_test {
namespace {

using Clock = std::chrono::steady_clock;

const std::string smsp_load_sectors = "smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_ld.sum";
const std::vector<std::string> metrics{smsp_load_sectors,
                                       "smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_st.sum",
                                       "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
                                       "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
                                       "smsp__sass_inst_executed_op_global_ld.sum",
                                       "smsp__sass_inst_executed_op_shared_ld.sum"};

std::vector<std::string> live_command() { return {measure_command().front(), "child", "live"}; }

double milliseconds_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

void expect_counts(const Expected<cupti::Measurement>& m, const std::vector<walk::Shape>& shapes) {
  ASSERT_TRUE(m) << to_string(m.error().front());
  ASSERT_EQ(m->values.size(), shapes.size());
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    const walk::Costs c = walk::costs(shapes[i]);
    EXPECT_EQ(m->values[i][0], c.load_sectors) << i;
    EXPECT_EQ(m->values[i][1], c.store_sectors) << i;
    EXPECT_EQ(m->values[i][2], c.load_wavefronts) << i;
    EXPECT_EQ(m->values[i][3], c.store_wavefronts) << i;
  }
}

TEST(Live, MeasuresWhatChanged) {
  LS_NEEDS_COUNTERS();
  LS_NEEDS_COMPILER();
  cupti::Live live(live_command());
  cupti::Request request{.ptx = {}, .launches = {}, .buffers = {}, .metrics = metrics};
  const auto prepared = live.measure(request);
  ASSERT_TRUE(prepared) << to_string(prepared.error().front());
  EXPECT_TRUE(prepared->values.empty());
  const std::vector<std::vector<walk::Shape>> changes{
      {{.step = 1}},
      {{.step = 8, .rounds = 3}},
      {{.step = 8, .rounds = 3}, {.step = 2}},                 // other arguments, more launches
      {{.blocks = 7, .threads = 96, .step = 5, .rounds = 2}},  // larger buffers
      {{.step = 3}}};
  for (const auto& shapes : changes) {
    request = walk::request(shapes, metrics);
    expect_counts(live.measure(request), shapes);
    request.ptx = walk::ptx(1);
    EXPECT_NE(request.ptx, walk::ptx());
    expect_counts(live.measure(request), shapes);
  }
}

TEST(Live, BadRequestsAndFaultsAreFollowedByGoodOnes) {
  LS_NEEDS_COUNTERS();
  LS_NEEDS_COMPILER();
  cupti::Live live(live_command());
  const std::vector<walk::Shape> shapes{{.step = 4}};
  const auto good = walk::request(shapes, metrics);
  expect_counts(live.measure(good), shapes);
  auto bad = good;
  bad.ptx = "no PTX";
  EXPECT_FALSE(live.measure(bad));
  EXPECT_TRUE(live.running());
  expect_counts(live.measure(good), shapes);
  bad = good;
  bad.metrics = {"no__such_metric.sum"};
  EXPECT_FALSE(live.measure(bad));
  expect_counts(live.measure(good), shapes);
  bad = good;
  bad.launches.resize(cupti::live_launches + 1, bad.launches[0]);
  EXPECT_FALSE(live.measure(bad));
  expect_counts(live.measure(good), shapes);
  bad = good;
  bad.launches[0].arguments[1] = trace::BufferArgument{.buffer = 0, .offset_bytes = 2};
  EXPECT_FALSE(live.measure(bad)) << "a misaligned address";
  expect_counts(live.measure(good), shapes);
}

/// Least, median and largest of milliseconds.
nlohmann::ordered_json spread(std::vector<double> times) {
  std::sort(times.begin(), times.end());
  return {{"least", times.front()}, {"median", times[times.size() / 2]}, {"largest", times.back()}};
}

TEST(Live, TimesOfEditsAndOfParameters) {
  LS_NEEDS_COUNTERS();
  LS_NEEDS_COMPILER();
  cupti::Live live(live_command());
  auto start = Clock::now();
  ASSERT_TRUE(live.measure({.ptx = {}, .launches = {}, .buffers = {}, .metrics = metrics}));
  const double prepared = milliseconds_since(start);
  std::vector<double> edits, counted, parameters;
  cupti::Request request = walk::request({{.step = 1}}, metrics);
  for (int i = 0; i < 20; ++i) {
    start = Clock::now();
    request.ptx = walk::ptx(i + 1);
    const auto compiled = Clock::now();
    const auto m = live.measure(request);
    ASSERT_TRUE(m) << to_string(m.error().front());
    edits.push_back(milliseconds_since(start)), counted.push_back(milliseconds_since(compiled));
  }
  std::size_t passes = 0;
  for (int i = 0; i < 100; ++i) {
    request.launches = {walk::launch({.step = 1 + i % 40})};
    start = Clock::now();
    const auto m = live.measure(request);
    ASSERT_TRUE(m) << to_string(m.error().front());
    EXPECT_EQ(m->values[0][0], walk::costs({.step = 1 + i % 40}).load_sectors) << i;
    parameters.push_back(milliseconds_since(start));
    passes = m->passes;
  }
  write_results("gpu_live", {{"kernel", "tests/gpu/walk.cpp, one block of 32"},
                             {"metrics", metrics},
                             {"passes", passes},
                             {"milliseconds_to_prepare", prepared},
                             {"milliseconds_from_edit_to_counters", spread(edits)},
                             {"of_these_after_the_compiler", spread(counted)},
                             {"milliseconds_of_a_parameter_change", spread(parameters)}});
}

}  // namespace
}  // namespace lanescope::gpu_test
