#pragma once
// Kernels that launch kernels. What a kernel launches depends on its data, so the launches run once before all others, as
// fast as they can; then every grid of the tree is a launch like the host's, with costs, steps, claims and findings of its
// own, and stands behind the grid that launched it.

#include <atomic>

#include "app/engine/prepare/prepare.h"

namespace lanescope::engine {

/// Launches of kernels that become launches of their own. Where there are more, or their buffers would take too much, they
/// run with the host's launch that they come from, and a notice says what that costs.
inline constexpr std::size_t most_own_launches = 512;
inline constexpr std::uint64_t most_own_bytes = std::uint64_t{512} << 20;
/// Of the run that finds them. Grids that begin later are not found, and a notice says so.
inline constexpr double finding_seconds = 10;

bool launches_kernels(const ptx::Module& module);

/// Fills Prepared::grids, and adds launches to both programs and to the header, where the module launches kernels. On a GPU
/// the tree is only shown: the GPU launches itself.
void add_device_launches(Prepared& prepared, const RunRequest& request, const std::atomic<bool>* cancel);

}  // namespace lanescope::engine
