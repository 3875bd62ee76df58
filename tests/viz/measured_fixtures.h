#pragma once
// A measurement with every part, in round numbers: a transpose of 64 blocks.

#include <algorithm>
#include <random>

#include "results/measured.h"
#include "viz/views/base/selection.h"

namespace lanescope::views::fixtures {

inline Measured measured() {
  Measured m{.device = "NVIDIA H200", .arch = "sm_90", .driver = "13.0", .multiprocessors = 132};
  m.timing =
      TimingInfo{.warm_up = 3, .repetitions = 20, .median_us = 4.25, .spread_us = 0.5, .least_us = 4.0, .most_us = 6.5};
  m.passes = 6;
  const auto row = [&](const char* name, const char* legacy, const char* unit, const char* group, int line,
                       std::optional<double> predicted, std::optional<double> measured_value, const char* cause = "") {
    m.metrics.push_back({.name = name,
                         .legacy = legacy,
                         .unit = unit,
                         .group = group,
                         .formula = "summed over all launches",
                         .line = line,
                         .predicted = predicted,
                         .measured = measured_value,
                         .cause = cause});
  };
  const char* load = "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum";
  const char* store = "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum";
  row("smsp__sass_inst_executed.sum", "inst_executed", "inst", "instructions", 0, 10240, 9728,
      "the machine code has other instructions than the PTX: 9 728 warp instructions were executed where the PTX has "
      "10 240");
  row(load, "gld_transactions", "sector", "global memory", 0, 8192, 8192);
  row("l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", "", "wavefront", "shared memory", 0, 65536, 65812,
      "lost arbitration among many warps: smsp__sass counts 65 536, as predicted");
  row(store, "gst_transactions", "sector", "global memory", 0, 8192, 8192);
  row("dram__bytes_read.sum", "dram_read_bytes", "byte", "device memory", 0, std::nullopt, 270336);
  row("lanescope__inst_executed_op_shuffle.sum", "", "inst", "instructions", 0, 0, std::nullopt);
  row("smsp__sass_branch_targets.sum", "branch", "branch", "branches", 0, 0, 0);
  row("smsp__sass_inst_executed.sum", "inst_executed", "inst", "instructions", 21, 2048, 2048);
  row(load, "gld_transactions", "sector", "global memory", 21, 8192, 8192);
  row("smsp__sass_inst_executed.sum", "inst_executed", "inst", "instructions", 24, 4096, 3584, "compiler");
  const char* texts[] = {
      "S2R R0, SR_TID.X", "LDG.E R2, desc[UR4][R2.64]", "STS [R5], R2", "BAR.SYNC.DEFER_BLOCKING 0x0",
      "LDS R7, [R6]",     "STG.E desc[UR4][R8.64], R7", "EXIT"};
  for (int n = 0; n < 42; ++n)
    m.sass.push_back({.function = "transpose",
                      .text = texts[n % 7],
                      .offset = static_cast<std::uint32_t>(16 * n),
                      .line = 19 + n / 6,
                      .executed = n == 41 ? 0u : static_cast<std::uint64_t>(64 * (n % 5 + 1)),
                      .threads_executed = static_cast<std::uint64_t>(64 * 32 * (n % 5 + 1)),
                      .ptx_line = 30 + n,
                      .ptx = "mov.u32 %r1, %tid.x;"});
  m.opcodes = {{"global load", 6, 768}, {"shared store", 6, 900}, {"barrier", 6, 512}};
  const std::pair<const char*, const char*> reasons[] = {
      {"long_scoreboard", "a value from global, local or texture memory has not arrived"},
      {"barrier", "other warps have not reached the barrier"},
      {"short_scoreboard", "a value from shared memory or a special function has not arrived"},
      {"wait", "a fixed latency of the previous instruction"},
      {"mio_throttle", "the queue of shared memory and special instructions is full"},
      {"selected", "it issues; no stall"},
      {"no_instructions", "the next instruction has not been fetched"},
      {"drain", "the warp has exited and its stores are still on their way"},
      {"imc_miss", "a constant is not in the constant cache"},
      {"branch_resolving", "the target of a branch is being worked out"},
      {"math_pipe_throttle", "the arithmetic pipe is busy"}};
  for (int line = 19; line < 26; ++line)
    for (int r = 0; r < 11; ++r)
      if ((line * 7 + r * 3) % 4 != 0)
        m.stalls.push_back({.line = line == 25 ? 0 : line,
                            .reason = reasons[r].first,
                            .words = reasons[r].second,
                            .samples = static_cast<std::uint64_t>((line * 31 + r * 17) % 211 * (r == 0 ? 9 : 1)),
                            .idle = static_cast<std::uint64_t>(r == 5 ? 0 : (line * 31 + r * 17) % 211 / 2)});
  for (int n = 0; n < 20; ++n)
    m.launches.push_back({.kernel = "transpose",
                          .start_us = 12.0 * n,
                          .duration_us = 4 + n % 3 * 0.25,
                          .grid = {8, 8, 1},
                          .block = {32, 8, 1},
                          .registers = 24,
                          .static_shared_bytes = 4224,
                          .dynamic_shared_bytes = 0,
                          .local_bytes = 0});
  m.launches.push_back({.kernel = "fill_with_a_rather_long_name_of_a_kernel<float, 32>",
                        .start_us = 300,
                        .duration_us = 2.5,
                        .grid = {64, 1, 1},
                        .block = {256, 1, 1},
                        .registers = 16});
  m.host_calls = {{"copy HtoD", 2, 84.5, 42.25, 30.5, 54.0},
                  {"cuLaunchKernel", 21, 130.2, 6.2, 2.1, 71.0},
                  {"cuMemcpyHtoD_v2", 2, 190.0, 95.0, 60.0, 130.0},
                  {"cuModuleLoadDataEx", 1, 24100.0, 24100.0, 24100.0, 24100.0}};
  return m;
}

/// Three repetitions of launches in three streams: "load" and "store" in stream 0, one after the other; beside them "sum" in
/// stream 2, and a short launch in stream 5. In each repetition two or more streams run at once for 9 us of 20 us.
inline Measured streams() {
  Measured m = measured();
  m.launches.clear();
  const auto add = [&](const char* kernel, std::uint32_t stream, double start, double duration) {
    m.launches.push_back({.kernel = kernel,
                          .start_us = start,
                          .duration_us = duration,
                          .grid = {8, 8, 1},
                          .block = {32, 8, 1},
                          .stream = stream,
                          .registers = 24});
  };
  for (const double round : {0.0, 400.0, 800.0}) {
    add("load_with_a_long_name", 0, round, 9);
    add("sum", 2, round + 2, 10);
    add("flag", 5, round + 8, 0.05);
    add("store", 0, round + 10, 10);
  }
  return m;
}

/// The same kernel, changed: twice the sectors of its loads, slower.
inline Measured slower() {
  Measured m = measured();
  m.timing->median_us = 6.8, m.timing->spread_us = 0.2;
  for (MetricRow& row : m.metrics)
    if (row.name == "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum") row.measured = *row.measured * 2;
  return m;
}

/// A machine without a GPU.
inline Measured refused() {
  Measured m;
  for (int part = 0; part < 3; ++part)
    m.refused.push_back({.file = {},
                         .message = "libcuda.so.1 cannot be opened, so there is no GPU to launch on",
                         .remedy = "install the NVIDIA driver, or run where there is a GPU with --via"});
  return m;
}

}  // namespace lanescope::views::fixtures
