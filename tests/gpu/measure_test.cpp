// How measuring behaves: names, passes, replays, kernels that fault.

#include <gtest/gtest.h>

#include "tests/gpu/machine.h"
#include "tests/gpu/trials.h"

namespace lanescope::gpu_test {
namespace {

const Kind& kind(std::string_view name) {
  for (const Kind& k : kinds())
    if (k.name == name) return k;
  return kinds().front();
}

Trial stride(std::string_view name, std::uint32_t stride_bytes) {
  Trial t{.kind = &kind(name)};
  for (std::uint32_t lane = 0; lane < 32; ++lane) t.offsets[lane] = lane * stride_bytes;
  return t;
}

cupti::Request request(std::vector<Trial> trials, std::vector<std::string> metrics) {
  cupti::Request r{
      .ptx = kernels_ptx(device().arch()), .launches = {}, .buffers = buffers(), .metrics = std::move(metrics)};
  for (const Trial& t : trials) r.launches.push_back(launch_of(t));
  return r;
}

const std::string sectors_of_loads = "smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_ld.sum";

TEST(Measure, KeepsLaunchesApartAndInOrder) {
  LS_NEEDS_COUNTERS();
  const auto m = measure_apart(request(
      {stride("global_load_4", 4), stride("global_load_4", 32), stride("global_load_4", 8)}, {sectors_of_loads}));
  ASSERT_TRUE(m) << to_string(m.error().front());
  ASSERT_EQ(m->values.size(), 3u);
  EXPECT_EQ(m->values[0][0], 4);
  EXPECT_EQ(m->values[1][0], 32);
  EXPECT_EQ(m->values[2][0], 8);
  EXPECT_EQ(m->total(sectors_of_loads), 44);
}

TEST(Measure, BothReplaysCountTheSame) {
  LS_NEEDS_COUNTERS();
  auto r = request({stride("global_load_4", 4), stride("global_load_16", 16)},
                   {sectors_of_loads, "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", "smsp__inst_executed.sum"});
  const auto by_kernel = measure_apart(r);
  r.replay = cupti::Replay::sequence;
  const auto by_sequence = measure_apart(r);
  ASSERT_TRUE(by_kernel) << to_string(by_kernel.error().front());
  ASSERT_TRUE(by_sequence) << to_string(by_sequence.error().front());
  EXPECT_GT(by_kernel->passes, 1u);
  EXPECT_EQ(by_kernel->values, by_sequence->values);
}

TEST(Measure, NamesThatTheChipLacksAreNamed) {
  LS_NEEDS_COUNTERS();
  const auto m = measure_apart(request({stride("global_load_4", 4)}, {"no__such_metric.sum", sectors_of_loads}));
  ASSERT_TRUE(m) << to_string(m.error().front());
  EXPECT_EQ(m->unknown, std::vector<std::string>{"no__such_metric.sum"});
  EXPECT_EQ(m->metrics, std::vector<std::string>{sectors_of_loads});
  const auto none = measure_apart(request({stride("global_load_4", 4)}, {"no__such_metric.sum"}));
  EXPECT_FALSE(none);
}

TEST(Measure, AFaultCostsTheChildOnly) {
  LS_NEEDS_COUNTERS();
  Trial wild = stride("global_load_4", 4);
  wild.offsets[7] = 2;  // misaligned
  const auto m = measure_apart(request({wild}, {sectors_of_loads}));
  ASSERT_FALSE(m);
  EXPECT_FALSE(m.error().front().message.empty());
  EXPECT_TRUE(measure_apart(request({stride("global_load_4", 4)}, {sectors_of_loads})));
}

TEST(Measure, RunsHaveTimings) {
  LS_NEEDS_GPU();
  auto memory = buffers();
  const auto run = gpu::run(kernels_ptx(device().arch()), {launch_of(stride("global_load_4", 4))}, memory,
                            {.warm_up = 2, .repetitions = 8});
  ASSERT_TRUE(run) << to_string(run.error().front());
  EXPECT_EQ(run->fault, "");
  EXPECT_EQ(run->timing.milliseconds.size(), 8u);
  EXPECT_GT(run->timing.median(), 0);
  EXPECT_GT(run->resources.registers, 0);
}

}  // namespace
}  // namespace lanescope::gpu_test
