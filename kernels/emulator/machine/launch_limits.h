#pragma once
// What no device launches, by any path.

#include "kernels/base/diagnostic.h"
#include "kernels/ptx/program.h"
#include "kernels/trace/launch.h"

namespace lanescope::emulator {

/// Bytes of shared memory that a block can have at most.
inline constexpr std::uint32_t most_shared_bytes = 227 * 1024;

/// Grids, blocks and clusters that are empty or too large.
Expected<void> check_launch(const trace::Launch& launch, const ptx::Entry& entry);

}  // namespace lanescope::emulator
