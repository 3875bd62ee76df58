// The child that stays: it measures what changed, survives bad requests, and is quick enough to follow a hand.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>

#include "profiling/cupti/device.h"
#include "profiling/cupti/host.h"
#include "profiling/cupti/live.h"
#include "profiling/cupti/session.h"
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

/// Milliseconds.
nlohmann::ordered_json spread(std::vector<double> times) {
  const double first = times.front();
  std::sort(times.begin(), times.end());
  return {{"first", first}, {"least", times.front()}, {"median", times[times.size() / 2]}, {"largest", times.back()}};
}

/// Steps of a child to its first answer, in this process: only the first time of each counts, so this needs a
/// process of its own.
TEST(Live, PartsOfTheFirstAnswer) {
  LS_NEEDS_COUNTERS();
  LS_NEEDS_COMPILER();
  nlohmann::ordered_json parts = nlohmann::ordered_json::array();
  auto start = Clock::now();
  const auto done = [&](const char* part) {
    parts.push_back({{"part", part}, {"milliseconds", milliseconds_since(start)}});
    fmt::print("{:<60}{:>9.2f} ms\n", part, milliseconds_since(start));
    start = Clock::now();
  };
  ASSERT_TRUE(cupti::library());
  done("CUPTI loaded");
  ASSERT_TRUE(gpu::Program::open(0));
  done("context made and given back (the driver is initialised already)");
  const auto context = gpu::Program::open(0);
  done("context made again");
  auto opened = cupti::open_device(0);
  ASSERT_TRUE(opened) << to_string(opened.error().front());
  done("CUPTI started, chip asked");
  const auto available = cupti::availability(*opened->library, opened->program->context());
  ASSERT_TRUE(available);
  done("what the device can count");
  auto host = cupti::Host::open(opened->chip, *available);
  ASSERT_TRUE(host && host->add(metrics));
  const auto config = host->config();
  ASSERT_TRUE(config);
  done("metrics scheduled");
  for (const int seed : {1, 2}) {
    const bool first = seed == 1;
    const std::string ptx = walk::ptx(seed);
    done(first ? "compiler, first" : "compiler, again");
    cupti::Request request = walk::request({{.step = 1}}, metrics);
    request.ptx = ptx;
    auto program = gpu::Program::open(0);
    ASSERT_TRUE(program && (*program)->load(request.ptx, request.launches, request.buffers));
    done(first ? "PTX loaded, first" : "PTX loaded, again");
    auto session = cupti::RangeSession::open(*opened->library, opened->program->context(), metrics, *config, 1,
                                             cupti::ReplayMode::library_replays_kernel);
    ASSERT_TRUE(session) << to_string(session.error().front());
    done(first ? "session of the range profiler, first" : "session of the range profiler, again");
    ASSERT_TRUE(session->start());
    done(first ? "pass started, first" : "pass started, again");
    ASSERT_EQ((*program)->launch(0), 0);
    ASSERT_EQ((*program)->synchronize(), 0);
    done(first ? "launch, first" : "launch, again");
    ASSERT_TRUE(session->stop());
    done(first ? "pass stopped, first" : "pass stopped, again");
    ASSERT_TRUE(session->decode());
    EXPECT_EQ(host->values(session->data(), 0, metrics)[0], walk::costs({.step = 1}).load_sectors);
    done(first ? "counters decoded, first" : "counters decoded, again");
  }
  write_results("gpu_live_parts", {{"kernel", "tests/gpu/walk.cpp, one block of 32"}, {"parts", parts}});
}

TEST(Live, TimesOfEditsAndOfParameters) {
  LS_NEEDS_COUNTERS();
  LS_NEEDS_COMPILER();
  cupti::Live live(live_command());
  auto start = Clock::now();
  ASSERT_TRUE(live.measure({.ptx = {}, .launches = {}, .buffers = {}, .metrics = metrics}));
  const double prepared = milliseconds_since(start);
  std::vector<double> edits, counted, loading, counting, parameters;
  cupti::Request request = walk::request({{.step = 1}}, metrics);
  for (int i = 0; i < 60; ++i) {
    start = Clock::now();
    request.ptx = walk::ptx(i + 1);
    const auto compiled = Clock::now();
    const auto m = live.measure(request);
    ASSERT_TRUE(m) << to_string(m.error().front());
    edits.push_back(milliseconds_since(start)), counted.push_back(milliseconds_since(compiled));
    loading.push_back(m->setup_milliseconds), counting.push_back(m->run_milliseconds);
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
  EXPECT_EQ(live.restarts(), std::vector<std::string>{});
  write_results("gpu_live", {{"kernel", "tests/gpu/walk.cpp, one block of 32"},
                             {"metrics", metrics},
                             {"passes", passes},
                             {"milliseconds_to_prepare", prepared},
                             {"milliseconds_from_edit_to_counters", spread(edits)},
                             {"of_these_after_the_compiler", spread(counted)},
                             {"of_these_loading", loading},
                             {"of_these_counting", counting},
                             {"restarts", live.restarts()},
                             {"milliseconds_of_a_parameter_change", spread(parameters)}});
}

}  // namespace
}  // namespace lanescope::gpu_test
