#pragma once
// What the code alone says about stores to global memory: how much one thread stores at most, for any launch and data
// are, and whether the values come from shared memory.

#include <cstdint>
#include <optional>

#include "kernels/ptx/program.h"

namespace lanescope::ptx {

/// The sum of the widths of all stores, atomics and reductions that are not of shared or local memory. nullopt where no
/// such bound follows from the code: one of them is between a label and a branch back to it, a function is called, or
/// memory is written in bulk.
std::optional<std::uint64_t> most_stored_bytes(const Entry& entry);

/// Whether a value that was loaded from shared memory is stored to global memory as it is, but for conversions: another
/// thread may have computed it.
bool stores_from_shared(const Entry& entry);

}  // namespace lanescope::ptx
