#pragma once
// Costs made by hand, as the engine would hand them to the views of profiling.

#include <algorithm>

#include "results/access.h"
#include "results/occupancy.h"
#include "results/problems.h"
#include "tests/viz/fixtures.h"
#include "viz/views/base/selection.h"

namespace lanescope::views::fixtures {

/// The transpose of fixtures.h with counters by line and by pc, and lanes that part in the middle of every third warp.
inline Summary profiled(int warps = 4, int steps_per_warp = 68) {
  Summary s = summary(warps, steps_per_warp);
  const auto w = static_cast<std::uint64_t>(warps);
  LineCounters total = s.counters[0];
  total.instructions = total.thread_instructions = 0;
  std::vector<LineCounters> lines;
  for (std::size_t pc = 0; pc < s.code.size(); ++pc) {
    const bool diverged = pc >= 30 && pc < 40;
    LineCounters c{.line = s.code[pc].line, .instructions = w, .thread_instructions = w * (diverged ? 20 : 32)};
    if (s.code[pc].kind == trace::StepKind::load)
      c.global_requests = w, c.global_sectors = 4 * w * (pc % 8 == 0 ? 8 : 1);
    if (s.code[pc].kind == trace::StepKind::shuffle) c.shuffles = w;
    s.pc_counters.push_back(c);
    auto line = std::find_if(lines.begin(), lines.end(), [&](const auto& l) { return l.line == c.line; });
    if (line == lines.end()) line = lines.insert(lines.end(), {.line = c.line});
    for (LineCounters* sum : {&*line, &total}) {
      sum->instructions += c.instructions, sum->thread_instructions += c.thread_instructions;
      if (sum == &total) continue;
      sum->global_requests += c.global_requests, sum->global_sectors += c.global_sectors, sum->shuffles += c.shuffles;
    }
  }
  std::sort(lines.begin(), lines.end(), [](const auto& a, const auto& b) { return a.line < b.line; });
  s.counters = {total};
  s.counters.insert(s.counters.end(), lines.begin(), lines.end());
  for (const LineCounters& c : s.counters) {
    LineDivergence d{.line = c.line};
    if (c.line == 34 || c.line == 0) d.branches = 4 * w, d.divergent_branches = w;
    s.divergence.push_back(d);
  }
  for (const TimelineMark& mark : s.timeline) {
    const int n = static_cast<int>(mark.step) / warps;
    const int lanes = mark.warp % 3 == 0 && n >= 30 && n < 40 ? (n % 2 ? 12 : 20) : 32;
    s.active_masks.push_back(lanes == 32 ? ~0u : (1u << lanes) - 1);
    for (LineDivergence& d : s.divergence) {
      if (d.line == 0 || d.line == mark.line) ++d.instructions_by_lanes[static_cast<std::size_t>(lanes)];
    }
  }
  return s;
}

/// The column access of line 19 summed over 8 warps beside a coalesced one of line 12.
/// A grid of x by y blocks: block 0 did not run, every third diverges, block 5 faults and block 7 has a warning.
inline std::pair<Summary, std::vector<results::Problem>> grid_of_blocks(std::uint32_t x, std::uint32_t y) {
  Summary s;
  s.ok = true;
  s.grid = {x, y, 1};
  for (std::uint64_t n = 0; n < std::uint64_t{x} * y; ++n)
    s.blocks.push_back({.instructions = n * 10,
                        .thread_instructions = n * 300,
                        .divergent_branches = n % 3 == 0 ? n : 0,
                        .global_sectors = n * n,
                        .shared_wavefronts = 7});
  std::vector<results::Problem> problems(2);
  problems[0].title = "out of bounds", problems[0].block = 5;
  problems[1].title = "race", problems[1].block = 7, problems[1].severity = Severity::warning;
  return {std::move(s), std::move(problems)};
}

inline AccessTotals totals() {
  AccessTotals t{.buffer = 0};
  for (int n = 0; n < 24; ++n) accumulate(t, coalesced_load());
  for (int n = 0; n < 3; ++n) accumulate(t, strided_load());
  AccessInfo second = coalesced_load();
  for (auto& offset : second.addresses) offset += 192;
  for (int n = 0; n < 1000; ++n) accumulate(t, second);
  return t;
}

/// 256 threads with 65 registers and 20 kB on sm_90, as the header of profiling/occupancy/occupancy.h works it out.
inline OccupancyInfo occupancy_info() {
  OccupancyInfo info{.gpu = "NVIDIA H200",
                     .summary = "3 blocks (24 of 64 warps, 37.5 %) per multiprocessor, limited by registers",
                     .warps = 24,
                     .most_warps = 64,
                     .warps_per_block = 8,
                     .blocks = 3,
                     .percent = 37.5,
                     .suggested_threads = 896,
                     .suggested_percent = 43.75};
  info.limiters = {{"warp slots", 8, false, "8 warps a block, 64 places"},
                   {"block slots", 32, false, "32 places"},
                   {"registers", 3, true, "65 a thread, 18 432 a block of 65 536"},
                   {"shared memory", 10, false, "21 504 bytes a block of 233 472"},
                   {"barriers", std::nullopt, false, ""}};
  OccupancyCurveInfo registers{.title = "Registers per thread", .unit = "registers", .current = 65};
  for (int x = 1; x <= 255; ++x) {
    const int warps = std::min(64, 4 * (16384 / ((x * 32 + 255) / 256 * 256)) / 8 * 8);
    registers.dots.push_back({x, warps / 8, warps, warps / 0.64, "registers"});
  }
  OccupancyCurveInfo shared{.title = "Shared memory per block", .unit = "bytes", .current = 20480};
  for (int x = 0; x <= 232448; x += 1024) {
    const int blocks = std::min(3, 233472 / (x + 1024));
    shared.dots.push_back({x, blocks, blocks * 8, blocks * 12.5, blocks == 3 ? "registers" : "shared memory"});
  }
  OccupancyCurveInfo block{.title = "Threads per block", .unit = "threads", .current = 256, .suggested = 896};
  for (int x = 32; x <= 1024; x += 32) {
    const int blocks = 28 / (x / 32);
    block.dots.push_back({x, blocks, blocks * x / 32, blocks * x / 32 / 0.64, "registers"});
  }
  info.curves = {registers, shared, block};
  info.waves = WavesInfo{.blocks = 4096,
                         .waves = 11,
                         .tail_blocks = 136,
                         .multiprocessors = 132,
                         .blocks_per_multiprocessor = 3,
                         .used_percent = 94};
  info.in_flight = {
      {"arithmetic", false, "4 cycles × 128 operations a cycle = 512 operations = 16 warps", 16, 24, 1},
      {"memory, 4 bytes a thread", true, "600 cycles × 2 424 bytes a cycle = 1 454 400 bytes", 86, 24, 4}};
  info.roofline = RooflineInfo{.operations_per_byte = 0.25,
                               .ridge_operations_per_byte = 13.9,
                               .peak_gop_per_s = 66908,
                               .bandwidth_gb_per_s = 4800,
                               .attainable_gop_per_s = 1200,
                               .compute_bound = false};
  return info;
}

}  // namespace lanescope::views::fixtures
