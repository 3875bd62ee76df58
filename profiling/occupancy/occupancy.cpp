#include "profiling/occupancy/occupancy.h"

#include <fmt/format.h>

#include <algorithm>

#include "kernels/base/check.h"
#include "kernels/base/enum_size.h"

namespace lanescope::occupancy {
namespace {

int round_up(int value, int unit) { return (value + unit - 1) / unit * unit; }

std::optional<int>& limit(Occupancy& o, Resource r) { return o.blocks_by_resource[static_cast<std::size_t>(r)]; }

/// Every refusal is kept: a launch that fails for two reasons needs both remedies.
void refuse(Occupancy& o, Resource r, const std::string& why) {
  limit(o, r) = 0;
  o.cannot_run += (o.cannot_run.empty() ? "" : "; ") + why;
}

void limit_by_warps(Occupancy& o, const Arch& arch, const KernelUse& use) {
  const int most = arch.limits.threads_per_block;
  if (use.threads_per_block > most)
    return refuse(o, Resource::warps,
                  fmt::format("{} threads in a block, at most {} on {}", use.threads_per_block, most, arch.name));
  if (use.launch_bounds_threads > 0 && use.threads_per_block > use.launch_bounds_threads)
    return refuse(o, Resource::warps,
                  fmt::format("{} threads in a block, but __launch_bounds__ allows at most {}", use.threads_per_block,
                              use.launch_bounds_threads));
  limit(o, Resource::warps) = arch.limits.warps_per_multiprocessor / o.warps_per_block;
}

int warps_by_registers(const RegisterFile& file, int registers_per_warp, int partitions) {
  return file.per_multiprocessor / partitions / registers_per_warp * partitions;
}

/// Compute capability 1.x: a block gets a multiple of the unit, its warps rounded up to the granularity.
void limit_by_registers_of_blocks(Occupancy& o, const Arch& arch, const KernelUse& use) {
  const RegisterFile& file = arch.registers;
  const int warps = round_up(o.warps_per_block, file.warp_allocation_granularity);
  const int block = round_up(warps * arch.limits.warp_lanes * use.registers_per_thread, file.allocation_unit);
  if (block > file.per_block)
    return refuse(o, Resource::registers,
                  fmt::format("{} registers per block (warps counted in groups of {}), at most {} on {}", block,
                              file.warp_allocation_granularity, file.per_block, arch.name));
  limit(o, Resource::registers) = file.per_multiprocessor / block;
}

void limit_by_registers(Occupancy& o, const Arch& arch, const KernelUse& use) {
  const RegisterFile& file = arch.registers;
  const int of_warp = use.registers_per_thread * arch.limits.warp_lanes;
  o.registers_per_warp = file.per_block_allocation ? of_warp : round_up(of_warp, file.allocation_unit);
  if (use.registers_per_thread > file.per_thread)
    return refuse(
        o, Resource::registers,
        fmt::format("{} registers per thread, at most {} on {}", use.registers_per_thread, file.per_thread, arch.name));
  if (use.registers_per_thread == 0) return;
  if (file.per_block_allocation) return limit_by_registers_of_blocks(o, arch, use);
  const auto checked = [&](int partitions) { return o.registers_per_warp * round_up(o.warps_per_block, partitions); };
  const int own = file.warp_allocation_granularity;
  const int other = file.must_also_fit_partitions;
  const int blocks = warps_by_registers(file, o.registers_per_warp, own) / o.warps_per_block;
  const bool fits_other = other == 0 || (checked(other) <= file.per_block &&
                                         warps_by_registers(file, o.registers_per_warp, other) >= o.warps_per_block);
  if (checked(own) > file.per_block || blocks == 0 || !fits_other)
    return refuse(o, Resource::registers,
                  fmt::format("{} registers per block (warps counted in groups of {}), at most {} on {}",
                              checked(std::max(own, other)), std::max(own, other), file.per_block, arch.name));
  limit(o, Resource::registers) = blocks;
}

/// The smallest split of at least `bytes`; the largest one when none is.
int split_of_at_least(const SharedMemory& shared, int bytes) {
  const auto at = std::lower_bound(shared.split_bytes.begin(), shared.split_bytes.end(), bytes);
  return at == shared.split_bytes.end() ? shared.split_bytes.back() : *at;
}

int shared_capacity(const SharedMemory& shared, const std::optional<int>& carveout_percent, int block_bytes) {
  if (shared.split_bytes.empty() || !carveout_percent) return shared.per_multiprocessor_bytes;
  const auto wanted = static_cast<std::int64_t>(shared.per_multiprocessor_bytes) * *carveout_percent / 100;
  const int preferred = split_of_at_least(shared, static_cast<int>(wanted));
  if (preferred >= block_bytes) return preferred;
  return shared.split_falls_back_to_largest ? shared.per_multiprocessor_bytes : split_of_at_least(shared, block_bytes);
}

void limit_by_shared_memory(Occupancy& o, const Arch& arch, const KernelUse& use) {
  const SharedMemory& shared = arch.shared;
  const std::int64_t requested = std::int64_t{use.static_shared_bytes} + use.dynamic_shared_bytes;
  const int most = use.opt_in ? shared.opt_in_per_block_bytes : shared.per_block_bytes;
  o.shared_capacity_bytes = shared.per_multiprocessor_bytes;
  if (use.static_shared_bytes > shared.per_block_bytes)
    return refuse(o, Resource::shared_memory,
                  fmt::format("{} bytes of static shared memory per block, at most {} on {}", use.static_shared_bytes,
                              shared.per_block_bytes, arch.name));
  if (requested <= most)
    o.shared_bytes_per_block =
        round_up(static_cast<int>(requested) + shared.reserved_per_block_bytes, shared.allocation_unit_bytes);
  if (requested > most || o.shared_bytes_per_block > most + shared.reserved_per_block_bytes)
    return refuse(o, Resource::shared_memory,
                  fmt::format("{} bytes of shared memory per block, at most {} on {}{}", requested, most, arch.name,
                              use.opt_in || most == shared.opt_in_per_block_bytes
                                  ? ""
                                  : fmt::format(" ({} with opt-in at launch)", shared.opt_in_per_block_bytes)));
  o.shared_capacity_bytes = shared_capacity(shared, use.carveout_percent, o.shared_bytes_per_block);
  if (o.shared_bytes_per_block > 0)
    limit(o, Resource::shared_memory) = o.shared_capacity_bytes / o.shared_bytes_per_block;
}

void limit_by_barriers(Occupancy& o, const Arch& arch, const KernelUse& use) {
  const int all = arch.limits.barriers_per_multiprocessor;
  if (all == 0 || use.barriers == 0) return;
  limit(o, Resource::barriers) = all / use.barriers;
  if (use.barriers > all)
    refuse(o, Resource::barriers,
           fmt::format("{} barriers per block, {} has {} per multiprocessor", use.barriers, arch.name, all));
}

void choose_split(Occupancy& o, const SharedMemory& shared, const KernelUse& use) {
  if (shared.split_bytes.empty()) return;
  const int held = o.blocks_per_multiprocessor * o.shared_bytes_per_block;
  o.shared_split_bytes = use.carveout_percent ? o.shared_capacity_bytes : split_of_at_least(shared, held);
}

std::string summarize(const Occupancy& o, const Arch& arch) {
  if (!o.cannot_run.empty()) return "no block can run: " + o.cannot_run;
  std::string by;
  for (std::size_t i = 0; i < o.limiting.size(); ++i) {
    if (i > 0) by += i + 1 == o.limiting.size() ? " and " : ", ";
    by += words(o.limiting[i]);
  }
  return fmt::format("{} block{} ({} of {} warps, {:.1f} %) per multiprocessor, limited by {}",
                     o.blocks_per_multiprocessor, o.blocks_per_multiprocessor == 1 ? "" : "s",
                     o.warps_per_multiprocessor, arch.limits.warps_per_multiprocessor, o.percent, by);
}

std::string what_is_wrong(const KernelUse& use) {
  if (use.threads_per_block < 1) return "a block has at least one thread";
  if (use.registers_per_thread < 0 || use.static_shared_bytes < 0 || use.dynamic_shared_bytes < 0 || use.barriers < 0 ||
      use.launch_bounds_threads < 0)
    return "registers, shared memory, barriers and launch bounds cannot be negative";
  if (use.carveout_percent && (*use.carveout_percent < 0 || *use.carveout_percent > 100))
    return "a carveout is a percentage from 0 to 100";
  // Beyond every GPU, and products of these still fit an int.
  if (use.threads_per_block > 1'000'000 || use.registers_per_thread > 10'000)
    return "no GPU supports a block of this size";
  return {};
}

}  // namespace

std::string_view words(Resource resource) {
  static_assert(resource_count == enum_size<Resource>);
  static constexpr std::string_view names[] = {"warp slots", "block slots", "registers", "shared memory", "barriers"};
  return entry_for(names, resource);
}

Expected<Occupancy> occupancy(const Arch& arch, const KernelUse& use) {
  if (std::string wrong = what_is_wrong(use); !wrong.empty()) return failure(std::move(wrong), "correct the launch");
  Occupancy o;
  const int lanes = arch.limits.warp_lanes;
  o.warps_per_block = (use.threads_per_block + lanes - 1) / lanes;
  limit(o, Resource::blocks) = arch.limits.blocks_per_multiprocessor;
  limit_by_warps(o, arch, use);
  if (use.threads_per_block <= arch.limits.threads_per_block) limit_by_registers(o, arch, use);
  limit_by_shared_memory(o, arch, use);
  limit_by_barriers(o, arch, use);

  o.blocks_per_multiprocessor = arch.limits.blocks_per_multiprocessor;
  for (const auto& blocks : o.blocks_by_resource)
    if (blocks) o.blocks_per_multiprocessor = std::min(o.blocks_per_multiprocessor, *blocks);
  for (std::size_t r = 0; r < resource_count; ++r)
    if (o.blocks_by_resource[r] == o.blocks_per_multiprocessor) o.limiting.push_back(static_cast<Resource>(r));
  o.warps_per_multiprocessor = o.blocks_per_multiprocessor * o.warps_per_block;
  o.threads_per_multiprocessor = o.blocks_per_multiprocessor * use.threads_per_block;
  o.percent = 100.0 * o.warps_per_multiprocessor / arch.limits.warps_per_multiprocessor;
  choose_split(o, arch.shared, use);
  o.summary = summarize(o, arch);
  return o;
}

int Waves::blocks_on(std::int64_t wave, int multiprocessor) const {
  LS_CHECK_LE(0, multiprocessor);
  LS_CHECK_LT(multiprocessor, multiprocessors);
  if (wave < 0 || wave >= waves) return 0;
  if (wave < full_waves) return blocks_per_multiprocessor;
  return static_cast<int>((tail_blocks + multiprocessors - 1 - multiprocessor) / multiprocessors);
}

Expected<Waves> lay_out(std::int64_t blocks, int multiprocessors, int blocks_per_multiprocessor) {
  if (blocks < 1) return failure("a grid has at least one block", "correct the grid");
  if (multiprocessors < 1)
    return failure("a GPU has at least one multiprocessor", "name the GPU or its multiprocessors");
  if (blocks_per_multiprocessor < 1)
    return failure("no block of this kernel fits on a multiprocessor",
                   "use fewer threads, registers or less shared memory");
  Waves w{.blocks = blocks, .multiprocessors = multiprocessors, .blocks_per_multiprocessor = blocks_per_multiprocessor};
  w.blocks_per_wave = std::int64_t{multiprocessors} * blocks_per_multiprocessor;
  w.full_waves = blocks / w.blocks_per_wave;
  w.tail_blocks = blocks % w.blocks_per_wave;
  w.waves = w.full_waves + (w.tail_blocks > 0 ? 1 : 0);
  w.waves_exact = static_cast<double>(blocks) / static_cast<double>(w.blocks_per_wave);
  w.used_percent = 100.0 * w.waves_exact / static_cast<double>(w.waves);
  return w;
}

}  // namespace lanescope::occupancy
