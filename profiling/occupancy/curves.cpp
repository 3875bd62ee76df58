#include "profiling/occupancy/curves.h"

#include <algorithm>

namespace lanescope::occupancy {
namespace {

CurvePoint point(int x, Occupancy&& o) {
  return {.x = x,
          .blocks_per_multiprocessor = o.blocks_per_multiprocessor,
          .warps_per_multiprocessor = o.warps_per_multiprocessor,
          .percent = o.percent,
          .limiting = std::move(o.limiting)};
}

/// False when `use` is no launch at all; the curve then carries the diagnostic.
bool append(Expected<Curve>& curve, const Arch& arch, const KernelUse& use, int x) {
  Expected<Occupancy> o = occupancy(arch, use);
  if (!o) {
    curve = tl::unexpected<Diagnostics>(std::move(o.error()));
    return false;
  }
  curve->push_back(point(x, std::move(*o)));
  return true;
}

}  // namespace

Expected<Curve> curve_over_registers(const Arch& arch, const KernelUse& use) {
  Expected<Curve> curve;
  KernelUse changed = use;
  for (int registers = 1; registers <= arch.registers.per_thread; ++registers) {
    changed.registers_per_thread = registers;
    if (!append(curve, arch, changed, registers)) break;
  }
  return curve;
}

Expected<Curve> curve_over_shared_memory(const Arch& arch, const KernelUse& use, int step_bytes) {
  Expected<Curve> curve;
  KernelUse changed = use;
  const int step = step_bytes > 0 ? step_bytes : arch.shared.allocation_unit_bytes;
  const int most = use.opt_in ? arch.shared.opt_in_per_block_bytes : arch.shared.per_block_bytes;
  for (int bytes = std::max(use.static_shared_bytes, 0);; bytes = std::min(bytes + step, most)) {
    changed.dynamic_shared_bytes = bytes - use.static_shared_bytes;
    if (!append(curve, arch, changed, bytes) || bytes >= most) break;
  }
  return curve;
}

Expected<Curve> curve_over_block_size(const Arch& arch, const KernelUse& use, const SharedBytesOfBlock& shared) {
  Expected<Curve> curve;
  KernelUse changed = use;
  for (int threads = arch.limits.warp_lanes; threads <= arch.limits.threads_per_block;
       threads += arch.limits.warp_lanes) {
    changed.threads_per_block = threads;
    if (shared) changed.dynamic_shared_bytes = shared(threads);
    if (!append(curve, arch, changed, threads)) break;
  }
  return curve;
}

int largest_block(const Arch& arch, const KernelUse& use, const Curve& sizes, const SharedBytesOfBlock& shared) {
  int most = 0;
  for (const CurvePoint& p : sizes)
    if (p.blocks_per_multiprocessor > 0) most = std::max(most, p.x);
  KernelUse changed = use;
  const int whole = most;
  for (int threads = std::min(whole + arch.limits.warp_lanes - 1, arch.limits.threads_per_block); threads > whole;
       --threads) {
    changed.threads_per_block = threads;
    if (shared) changed.dynamic_shared_bytes = shared(threads);
    if (const auto o = occupancy(arch, changed); o && o->blocks_per_multiprocessor > 0) return threads;
  }
  return whole;
}

Expected<SuggestedBlock> suggest_block(const Arch& arch, int multiprocessors, const KernelUse& use,
                                       const SharedBytesOfBlock& shared) {
  SuggestedBlock best;
  KernelUse changed = use;
  const int lanes = arch.limits.warp_lanes;
  const int most = use.launch_bounds_threads > 0 ? std::min(use.launch_bounds_threads, arch.limits.threads_per_block)
                                                 : arch.limits.threads_per_block;
  int best_threads = 0;
  // Launch bounds need not be whole warps: the first size tried is the bound itself, the others are multiples.
  for (int aligned = (most + lanes - 1) / lanes * lanes; aligned > 0; aligned -= lanes) {
    changed.threads_per_block = std::min(most, aligned);
    if (shared) changed.dynamic_shared_bytes = shared(changed.threads_per_block);
    const Occupancy o = LS_TRY(occupancy(arch, changed));
    if (o.threads_per_multiprocessor <= best_threads) continue;
    best_threads = o.threads_per_multiprocessor;
    best = {.threads_per_block = changed.threads_per_block,
            .blocks_per_multiprocessor = o.blocks_per_multiprocessor,
            .blocks_to_fill_the_gpu = std::int64_t{o.blocks_per_multiprocessor} * multiprocessors,
            .percent = o.percent};
  }
  return best;
}

int register_ceiling(const Arch& arch, int threads_per_block, int blocks) {
  for (int registers = arch.registers.per_thread; registers > 0; --registers) {
    const auto o = occupancy(arch, {.threads_per_block = threads_per_block, .registers_per_thread = registers});
    if (o && o->blocks_per_multiprocessor >= blocks) return registers;
  }
  return 0;
}

std::optional<int> shared_ceiling_bytes(const Arch& arch, const KernelUse& use, int blocks) {
  KernelUse changed = use;
  const auto resident = [&](int bytes) {
    changed.static_shared_bytes = 0;
    changed.dynamic_shared_bytes = bytes;
    const auto o = occupancy(arch, changed);
    return o && o->blocks_per_multiprocessor >= blocks;
  };
  if (blocks < 1 || !resident(0)) return std::nullopt;
  const int unit = arch.shared.allocation_unit_bytes;
  int bytes = (use.opt_in ? arch.shared.opt_in_per_block_bytes : arch.shared.per_block_bytes) / unit * unit;
  while (bytes > 0 && !resident(bytes)) bytes -= unit;
  return bytes;
}

}  // namespace lanescope::occupancy
