#pragma once
// Launches whose blocks wait for each other (grid.sync()): all of them must be resident at once, so a GPU refuses more.

#include "app/engine/prepare/prepare.h"

namespace lanescope::engine {

/// Launches whose grid the host code takes from CUDA's occupancy functions: as many blocks as the same table says, which has
/// the registers that the compiler gave the kernel.
void fill_device(Prepared& prepared);

/// A launch with more blocks than the architecture's default GPU holds at once (cudaErrorCooperativeLaunchTooLarge). Empty
/// where no kernel synchronises its grid, or the table of GPUs has none of the architecture.
Diagnostics too_many_blocks(const Prepared& prepared);

}  // namespace lanescope::engine
