#pragma once
// The same kernel with one number changed: the effect of more registers, more shared memory or another block size, and
// the largest numbers that keep a given residency.

#include <functional>
#include <vector>

#include "profiling/occupancy/occupancy.h"

namespace lanescope::occupancy {

struct CurvePoint {
  int x = 0;  ///< registers per thread, bytes of shared memory per block, or threads per block
  int blocks_per_multiprocessor = 0, warps_per_multiprocessor = 0;
  double percent = 0;
  std::vector<Resource> limiting;
};
using Curve = std::vector<CurvePoint>;

/// One point per register count, 1 to the architecture's most.
Expected<Curve> curve_over_registers(const Arch& arch, const KernelUse& use);
/// Dynamic shared memory from 0 so that static and dynamic reach the most a block may have; `step_bytes` apart (0: one
/// allocation unit), the end included.
Expected<Curve> curve_over_shared_memory(const Arch& arch, const KernelUse& use, int step_bytes = 0);
/// Dynamic shared memory that a block of so many threads needs; absent: that of the kernel's use, for blocks of any
/// size.
using SharedBytesOfBlock = std::function<int(int threads_per_block)>;
/// One point per whole number of warps.
Expected<Curve> curve_over_block_size(const Arch& arch, const KernelUse& use, const SharedBytesOfBlock& shared = {});
/// Threads of the largest block that a multiprocessor holds, whole warps or not: launch bounds and bytes for each
/// thread need not end at one. `sizes`: the curve over block sizes of the same kernel. 0: no block runs.
int largest_block(const Arch& arch, const KernelUse& use, const Curve& sizes, const SharedBytesOfBlock& shared = {});

struct SuggestedBlock {
  int threads_per_block = 0;  ///< 0: the kernel cannot run at all
  int blocks_per_multiprocessor = 0;
  std::int64_t blocks_to_fill_the_gpu = 0;
  double percent = 0;
};
/// The block size with most resident threads, the largest of several (as cudaOccupancyMaxPotentialBlockSize suggests).
/// Most resident is not fastest: it is where a search begins.
Expected<SuggestedBlock> suggest_block(const Arch& arch, int multiprocessors, const KernelUse& use,
                                       const SharedBytesOfBlock& shared = {});

/// Most registers per thread with which `blocks` blocks of `threads_per_block` are resident: the limit of a compiler
/// under __launch_bounds__(threads, blocks). 0 if not even one register fits.
int register_ceiling(const Arch& arch, int threads_per_block, int blocks);
/// Most shared memory that each of `blocks` resident blocks can have, without the driver's reserve; a multiple of the
/// allocation unit. Absent when so many blocks cannot be resident.
std::optional<int> shared_ceiling_bytes(const Arch& arch, const KernelUse& use, int blocks);

}  // namespace lanescope::occupancy
