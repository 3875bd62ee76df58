#pragma once
// cp.async.cg: 16 bytes a lane from global to shared memory, past the L1 cache.
//
// Measured on an H200 (bench/results/gpu_access_cp_async.json, counter
// smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_ldgsts): a sector is fetched once for each place that it goes to.
// Two lanes share a fetch when their sectors agree in global memory and in shared memory and both keep, or both swap, the
// sector's halves. Of several lanes that write the same 16 bytes of shared memory only the last fetches.
//
//   32 lanes, 16 bytes each, side by side   to the same order: 16 sectors     to places of their own: 32 sectors
//
// cp.async.ca is no different from a load here: its sectors are those of global_cost.

#include <cstdint>
#include <span>

namespace lanescope::access {

/// Lane l of `mask` copies 16 bytes from global[l] to shared[l]; addresses in bytes, multiples of 16.
std::uint32_t bypass_copy_sectors(std::uint32_t mask, std::span<const std::uint64_t, 32> global,
                                  std::span<const std::uint64_t, 32> shared);

}  // namespace lanescope::access
