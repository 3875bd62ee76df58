// Costs of a run and resources that its kernel requests of a multiprocessor, as values for the views.

#include <algorithm>

#include "app/engine/summary/summarize.h"
#include "profiling/counters/counters.h"

namespace lanescope::engine {
namespace {

results::LineCounters line_counters(int line, const counters::Counts& c) {
  const access::Sum global = c.global();
  const access::Sum shared = c.shared();
  return {.line = line,
          .instructions = c.instructions,
          .thread_instructions = c.thread_instructions,
          .global_requests = global.requests,
          .global_sectors = global.sectors,
          .shared_requests = shared.requests,
          .shared_wavefronts = shared.wavefronts,
          .bank_conflicts = shared.bank_conflicts,
          .shuffles = c.shuffles,
          .barriers = c.barriers};
}

void fill_lines(const PlainRun& plain, results::Summary& summary) {
  const auto divergence = [](int line, const counters::Counts& c, const counters::LaneHistogram& lanes) {
    return results::LineDivergence{.line = line,
                                   .branches = c.branches,
                                   .divergent_branches = c.divergent_branches,
                                   .instructions_by_lanes = lanes.instructions};
  };
  summary.counters.push_back(line_counters(0, plain.counters.total));
  summary.divergence.push_back(divergence(0, plain.counters.total, plain.divergence.total));
  for (const auto& [line, counts] : plain.counters.lines) {
    if (line <= 0) continue;
    summary.counters.push_back(line_counters(line, counts));
    const auto lanes = plain.divergence.lines.find(line);
    if (lanes != plain.divergence.lines.end()) summary.divergence.push_back(divergence(line, counts, lanes->second));
  }
}

/// All launches of the kernel that is shown, by pc of its plain program.
void fill_program(const Prepared& prepared, const PlainRun& plain, const trace::Launch& shown,
                  results::Summary& summary) {
  summary.plain_code = sites_of(prepared.plain, shown);
  std::vector<counters::Counts> sums(summary.plain_code.size());
  for (std::size_t i = 0; i < plain.launches.size(); ++i) {
    if (prepared.plain.launches[i].kernel != shown.kernel) continue;
    const auto& by_pc = plain.launches[i].by_pc;
    for (std::size_t pc = 0; pc < std::min(by_pc.size(), sums.size()); ++pc) sums[pc] += by_pc[pc];
  }
  for (std::size_t pc = 0; pc < sums.size(); ++pc)
    summary.pc_counters.push_back(line_counters(summary.plain_code[pc].line, sums[pc]));
  summary.plain_pcs = plain_pcs(summary.code, summary.plain_code);
}

results::WorkInfo work_of(const PlainLaunch& launch, const std::vector<trace::CodeSite>& code) {
  results::WorkInfo work;
  for (std::size_t pc = 0; pc < std::min(launch.by_pc.size(), code.size()); ++pc) {
    const counters::Counts& c = launch.by_pc[pc];
    const counters::FloatOperations each = counters::operations_of(code[pc].text);
    work.fp32_operations += c.thread_instructions * static_cast<std::uint64_t>(each.fp32);
    work.fp64_operations += c.thread_instructions * static_cast<std::uint64_t>(each.fp64);
    work.global_bytes += c.global().bytes_moved;
  }
  return work;
}

results::ResourceInfo resources_of(const Prepared& prepared, const trace::Launch& shown, std::uint32_t shared_bytes) {
  results::ResourceInfo out{.dynamic_shared_bytes = static_cast<int>(shown.dynamic_shared_bytes),
                            .threads_per_block = static_cast<int>(shown.block.count()),
                            .blocks = shown.grid.count()};
  out.static_shared_bytes = static_cast<int>(shared_bytes) - out.dynamic_shared_bytes;
  if (const auto r = prepared.resources.find(shown.kernel); r != prepared.resources.end()) {
    out.registers = r->second.registers;
    out.spill_bytes = r->second.spill_bytes;
    out.local_bytes = r->second.local_bytes;
  }
  if (const auto words = prepared.assembled.find(shown.kernel); words != prepared.assembled.end())
    out.assembled = words->second;
  if (const ptx::Entry* entry = prepared.plain.module.find_entry(shown.kernel)) {
    const auto& most = entry->max_threads[0] > 0 ? entry->max_threads : entry->required_threads;
    out.launch_bounds_threads = most[0] * std::max(most[1], 1) * std::max(most[2], 1);
    out.launch_bounds_blocks = entry->min_blocks;
  }
  return out;
}

}  // namespace

void fill_costs(const Prepared& prepared, const PlainRun& plain, int recorded_launch, results::Summary& summary) {
  fill_lines(plain, summary);
  const auto shown = static_cast<std::size_t>(recorded_launch);
  if (shown >= plain.launches.size()) return;  // an earlier launch faulted
  const trace::Launch& launch = prepared.plain.launches[shown];
  fill_program(prepared, plain, launch, summary);
  for (const counters::Counts& c : plain.launches[shown].blocks) {
    const access::Sum global = c.global();
    const access::Sum shared = c.shared();
    summary.blocks.push_back({.instructions = c.instructions,
                              .thread_instructions = c.thread_instructions,
                              .divergent_branches = c.divergent_branches,
                              .global_sectors = global.sectors,
                              .shared_wavefronts = shared.wavefronts,
                              .bank_conflicts = shared.bank_conflicts});
  }
  summary.blocks_each = plain.launches[shown].blocks_each;
  summary.work = work_of(plain.launches[shown], summary.plain_code);
  summary.resources = resources_of(prepared, launch, plain.launches[shown].shared_bytes);
}

}  // namespace lanescope::engine
