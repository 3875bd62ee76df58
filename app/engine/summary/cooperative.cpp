#include "app/engine/summary/summarize.h"

#include <algorithm>

#include <fmt/format.h>

#include "app/engine/summary/occupancy_info.h"
#include "kernels/emulator/emulator.h"
#include "profiling/occupancy/gpu_table.h"
#include "profiling/occupancy/occupancy.h"

namespace lanescope::engine {

namespace {

/// Of a launch that synchronises its grid: blocks that are resident at once on the GPU that the program is compiled for.
struct Residency {
  std::uint64_t blocks = 0;
  std::string gpu, words;
};

std::optional<Residency> residency_of(const Prepared& prepared, const trace::Launch& launch) {
  const Program& program = prepared.plain;
  const auto& table = occupancy::gpu_table();
  const auto name = default_gpu(prepared.arch);
  if (!program.cooperative || !launch.cooperative || !table || !name) return std::nullopt;
  const auto gpu = table->gpu(*name);
  if (!gpu || !emulator::synchronises_grid(program.module, entry_of(program, launch))) return std::nullopt;
  const auto known = prepared.resources.find(launch.kernel);
  const int registers = known == prepared.resources.end() ? 0 : std::max(known->second.registers, 0);
  const int shared = known == prepared.resources.end() ? 0 : std::max(known->second.shared_bytes, 0);
  const auto fits =
      occupancy::occupancy(gpu->arch, {.threads_per_block = static_cast<int>(launch.block.count()),
                                       .registers_per_thread = registers,
                                       .static_shared_bytes = shared,
                                       .dynamic_shared_bytes = static_cast<int>(launch.dynamic_shared_bytes)});
  if (!fits) return std::nullopt;
  return Residency{.blocks = static_cast<std::uint64_t>(fits->blocks_per_multiprocessor) *
                             static_cast<std::uint64_t>(gpu->multiprocessors),
                   .gpu = *name,
                   .words = fits->summary};
}

}  // namespace

void fill_device(Prepared& prepared) {
  if (!prepared.source) return;
  std::vector<source::LaunchSpec>& specs = prepared.source->header.launches;
  for (std::size_t i = 0; i < specs.size() && i < prepared.plain.launches.size(); ++i) {
    const trace::Launch& launch = prepared.plain.launches[i];
    if (!specs[i].grid_of_occupancy || launch.grid.y != 1 || launch.grid.z != 1) continue;
    const auto most = residency_of(prepared, launch);
    if (!most || most->blocks == 0 || launch.grid.count() <= most->blocks) continue;
    const auto blocks = static_cast<std::uint32_t>(most->blocks);
    specs[i].grid[0] = blocks;
    for (Program* program : {&prepared.plain, &prepared.probed})
      if (i < program->launches.size()) program->launches[i].grid.x = blocks;
    prepared.source->header.inferred.push_back(
        fmt::format("Grid of {}: {} blocks, as many as are resident on {} at once, which the host code requests ({}).",
                    specs[i].kernel, blocks, most->gpu, most->words));
  }
}

Diagnostics too_many_blocks(const Prepared& prepared) {
  Diagnostics out;
  for (std::size_t i = 0; i < prepared.plain.launches.size(); ++i) {
    const trace::Launch& launch = prepared.plain.launches[i];
    const auto most = residency_of(prepared, launch);
    if (!most || launch.grid.count() <= most->blocks) continue;
    out.push_back({.file = prepared.source ? prepared.source->file : std::string(),
                   .line = prepared.source && i < prepared.source->header.launches.size()
                               ? prepared.source->header.launches[i].line
                               : 0,
                   .message = fmt::format("the cooperative launch is too large: the grid has {} blocks, and {} fit on "
                                          "{} at once ({})",
                                          launch.grid.count(), most->blocks, most->gpu, most->words),
                   .remedy = "launch at most that many blocks, each of which does more (a grid-stride loop)"});
  }
  return out;
}

}  // namespace lanescope::engine
