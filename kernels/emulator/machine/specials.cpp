// Special registers as rows.

#include <algorithm>

#include "kernels/emulator/machine/machine.h"
#include "kernels/ptx/target.h"
#include "kernels/trace/reserved_shared.h"

namespace lanescope::emulator {

namespace {

using ptx::Special;

/// Bytes that cooperative groups use of the reserved memory, from %reserved_smem_offset_1
/// (cooperative_groups/details/memory.h). They lie at the beginning, and nothing else is in use: measured on an H200,
/// driver for CUDA 13.0 (bench/results/gpu_reserved_shared.json).
constexpr u32 cooperative_groups_bytes = 288;

u32 lane_value(Special s, const Program& program, const Block& block, const Warp& warp, u32 lane) {
  const trace::Launch& launch = program.launch;
  const trace::Dim3 &b = launch.block, &g = launch.grid, &k = program.cluster;
  const auto shared = [&] {
    const u32 unit = ptx::shared_unit_bytes(*program.module);
    return (program.shared_bytes + unit - 1) / unit * unit;
  };
  const u32 thread = warp.index * 32 + lane;
  switch (s) {
    case Special::tid_x:
      return thread % b.x;
    case Special::tid_y:
      return thread / b.x % b.y;
    case Special::tid_z:
      return thread / (b.x * b.y) % b.z;
    case Special::ntid_x:
      return b.x;
    case Special::ntid_y:
      return b.y;
    case Special::ntid_z:
      return b.z;
    case Special::ctaid_x:
      return block.index % g.x;
    case Special::ctaid_y:
      return block.index / g.x % g.y;
    case Special::ctaid_z:
      return block.index / g.x / g.y;
    case Special::nctaid_x:
      return g.x;
    case Special::nctaid_y:
      return g.y;
    case Special::nctaid_z:
      return g.z;
    case Special::laneid:
      return lane;
    case Special::warpid:
      return warp.index;
    case Special::nwarpid:
      return 64;  // sm_75..90 but for consumer chips with 32 or 48: an upper bound
    case Special::nsmid:
      return 132;  // H200
    case Special::smid:
      return block.index % 132;
    case Special::lanemask_eq:
      return 1u << lane;
    case Special::lanemask_le:
      return (2u << lane) - 1;
    case Special::lanemask_lt:
      return (1u << lane) - 1;
    case Special::lanemask_ge:
      return ~((1u << lane) - 1);
    case Special::lanemask_gt:
      return ~((2u << lane) - 1);
    case Special::dynamic_smem_size:
      return launch.dynamic_shared_bytes;
    case Special::total_smem_size:
      return shared();
    case Special::aggr_smem_size:
      return shared() + trace::reserved_shared_bytes;
    case Special::reserved_smem_offset_begin:
    case Special::reserved_smem_offset_0:
    case Special::reserved_smem_offset_1:
      return program.first_shared - trace::reserved_shared_bytes;
    case Special::reserved_smem_offset_end:
      return program.first_shared - trace::reserved_shared_bytes + cooperative_groups_bytes;
    case Special::reserved_smem_offset_cap:
      return trace::reserved_shared_bytes;
    case Special::warp_size:
      return 32;
    // Without clusters every block is a cluster of its own.
    case Special::cluster_nctaid_x:
      return k.x;
    case Special::cluster_nctaid_y:
      return k.y;
    case Special::cluster_nctaid_z:
      return k.z;
    case Special::cluster_nctarank:
      return static_cast<u32>(k.count());
    case Special::cluster_ctaid_x:
      return block.index % g.x % k.x;
    case Special::cluster_ctaid_y:
      return block.index / g.x % g.y % k.y;
    case Special::cluster_ctaid_z:
      return block.index / g.x / g.y % k.z;
    case Special::cluster_ctarank:
      return block.rank;
    case Special::clusterid_x:
      return block.index % g.x / k.x;
    case Special::clusterid_y:
      return block.index / g.x % g.y / k.y;
    case Special::clusterid_z:
      return block.index / g.x / g.y / k.z;
    case Special::nclusterid_x:
      return g.x / k.x;
    case Special::nclusterid_y:
      return g.y / k.y;
    case Special::nclusterid_z:
      return g.z / k.z;
    case Special::is_explicit_cluster:  // a predicate: its first word has the lanes
      return launch.cluster.count() > 0 || program.entry->cluster[0] > 0 ? all_lanes : 0;
    default:
      return 0;
  }
}

bool differs_by_lane(Special s) {
  switch (s) {
    case Special::tid_x:
    case Special::tid_y:
    case Special::tid_z:
    case Special::laneid:
    case Special::lanemask_eq:
    case Special::lanemask_le:
    case Special::lanemask_lt:
    case Special::lanemask_ge:
    case Special::lanemask_gt:
      return true;
    default:
      return false;
  }
}

}  // namespace

void Running::set_specials(const Block& block, Warp& warp, bool is_new) const {
  for (const SpecialRow& s : program->specials) {
    u32* const values = row<u32>(warp.registers.data(), s.offset);
    if (!differs_by_lane(s.special)) {
      std::fill_n(values, lanes, lane_value(s.special, *program, block, warp, 0));
      continue;
    }
    // The same in every block that the warp's registers serve.
    for (u32 l = 0; l < lanes && is_new; ++l) values[l] = lane_value(s.special, *program, block, warp, l);
  }
  if (program->stack_row != 0)
    for (u32 l = 0; l < lanes; ++l) row<u64>(warp.registers.data(), program->stack_row)[l] = program->local_bytes;
}

}  // namespace lanescope::emulator
