#pragma once
// Which blocks of a launch need not run, because each does the same as another one with other elements of the arrays.
//
//   y[i] = x[i] for i = blockIdx.x * 256 + threadIdx.x < n = 1000, 4 blocks:
//     block 0 runs; no lane is stopped, and none would be as long as blockIdx.x * 256 <= 744: block 1 and 2 repeat it
//     block 3 runs
//
// kernels/instrument/block_dependence.h finds what there is to watch; runs of single blocks without identities, here, say
// how far each condition holds.

#include <vector>

#include "app/engine/prepare/execution.h"
#include "kernels/claims/repeated.h"

namespace lanescope::engine {

/// Below that, all blocks run.
inline constexpr std::uint64_t least_blocks_to_repeat = 8;

/// By launch: whether nothing but the kernel's code, arguments and blockIdx determine what it executes.
std::vector<bool> steered_by_blocks_alone(const Program& program, const std::vector<trace::Buffer>& buffers);

/// Error: all blocks have to run, with the reason.
Expected<claims::RepeatedBlocks> repeated_blocks(const Program& program, const trace::Launch& launch,
                                                 const std::vector<trace::Buffer>& buffers,
                                                 const ExecutionOptions& options);

/// By block: an earlier one that executes the same instructions and accesses shared memory as it does, lane by lane, in
/// which no two such accesses race; itself where there is none. Empty: that is not known of any. `code`: of the kernel.
std::vector<std::uint32_t> alike_in_shared_memory(const Program& program, const trace::Launch& launch,
                                                  const std::vector<trace::CodeSite>& code,
                                                  const std::vector<trace::Buffer>& buffers,
                                                  const ExecutionOptions& options);

}  // namespace lanescope::engine
