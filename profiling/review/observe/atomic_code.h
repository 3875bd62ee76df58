#pragma once
// Facts about an access from the PTX alone: whether its address comes from memory, and which atomics a warp could combine.

#include <cstdint>
#include <vector>

#include "kernels/ptx/program.h"

namespace lanescope::review {

/// Memory holds the index, or a part of it: `q[list[i]]`. Registers are followed without a look at the flow of control.
bool address_is_loaded(const ptx::Entry& entry, std::uint32_t pc);

/// By instruction: an atomic that makes lanes at one address take turns, while a reduction in the warp and an atomic of one lane
/// would do the same. That is an add, minimum, maximum, and, or, exclusive or
///  - whose result is not read (ptx::unread_results): each lane that reads it needs a value of its own;
///  - whose address is not loaded: which lanes conflict is decided by the code, not by the data, as in a histogram;
///  - of floats, of 64 bits, or of halves. One of 32-bit integers at one address ptxas makes into REDUX and an atomic of one
///    lane (CUDA 13.0, sm_80 to sm_100):
///
///      atomicAdd(int *)         UFLO  VOTEU  REDUX  @P REDG     one lane
///      atomicAdd(float *)                           REDG        each lane
///      atomicAdd(ulong64 *)                         REDG        each lane
///
/// On an H200 one atomic a block instead of one a thread is 42 times as fast with floats (docs/references.md).
std::vector<bool> combinable_atomics(const ptx::Entry& entry);

}  // namespace lanescope::review
