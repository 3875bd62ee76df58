#include "app/engine/summary/cooperative.h"

#include <algorithm>

#include <fmt/format.h>

#include "app/engine/summary/occupancy_info.h"
#include "kernels/emulator/emulator.h"
#include "profiling/occupancy/gpu_table.h"
#include "profiling/occupancy/occupancy.h"

namespace lanescope::engine {

Diagnostics too_many_blocks(const Prepared& prepared) {
  const Program& program = prepared.plain;
  const auto& table = occupancy::gpu_table();
  const auto name = default_gpu(prepared.arch);
  if (!program.cooperative || !table || !name) return {};
  const auto gpu = table->gpu(*name);
  if (!gpu) return {};
  Diagnostics out;
  for (std::size_t i = 0; i < program.launches.size(); ++i) {
    const trace::Launch& launch = program.launches[i];
    if (!emulator::synchronises_grid(program.module, entry_of(program, launch))) continue;
    const auto known = prepared.resources.find(launch.kernel);
    const int registers = known == prepared.resources.end() ? 0 : std::max(known->second.registers, 0);
    const int shared = known == prepared.resources.end() ? 0 : std::max(known->second.shared_bytes, 0);
    const auto fits =
        occupancy::occupancy(gpu->arch, {.threads_per_block = static_cast<int>(launch.block.count()),
                                         .registers_per_thread = registers,
                                         .static_shared_bytes = shared,
                                         .dynamic_shared_bytes = static_cast<int>(launch.dynamic_shared_bytes)});
    if (!fits) continue;
    const std::uint64_t most =
        static_cast<std::uint64_t>(fits->blocks_per_multiprocessor) * static_cast<std::uint64_t>(gpu->multiprocessors);
    if (launch.grid.count() <= most) continue;
    out.push_back({.file = prepared.source ? prepared.source->file : std::string(),
                   .line = prepared.source && i < prepared.source->header.launches.size()
                               ? prepared.source->header.launches[i].line
                               : 0,
                   .message = fmt::format("the cooperative launch is too large: the grid has {} blocks, and {} fit on "
                                          "{} at once ({})",
                                          launch.grid.count(), most, *name, fits->summary),
                   .remedy = "launch at most that many blocks, each of which does more (a grid-stride loop)"});
  }
  return out;
}

}  // namespace lanescope::engine
