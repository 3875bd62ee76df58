#include "kernels/emulator/machine/program.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "kernels/emulator/lanes/addresses.h"

namespace lanescope::emulator {

Expected<void> check_launch(const trace::Launch& launch, const ptx::Entry& entry) {
  const trace::Dim3 &b = launch.block, &g = launch.grid;
  if (b.count() == 0 || g.count() == 0)
    return failure("the launch has no threads", "every extent of grid and block must be at least 1");
  if (b.count() > 1024)
    return failure(fmt::format("the block has {} threads; the maximum is 1024", b.count()), "use smaller blocks");
  if (b.z > 64) return failure(fmt::format("blocks have at most 64 threads in z, not {}", b.z), "use a smaller z");
  if (g.y > 65535 || g.z > 65535)
    return failure("a grid has at most 65535 blocks in y and z", "use x for the longest axis");
  if (g.count() > (u64{1} << 32))
    return failure(fmt::format("{} blocks are more than the emulator supports", g.count()), "use a smaller grid");
  const auto limit = [](const std::array<int, 3>& v) {
    return u64(std::max(v[0], 1)) * u64(std::max(v[1], 1)) * u64(std::max(v[2], 1));
  };
  if (entry.max_threads[0] > 0 && b.count() > limit(entry.max_threads))
    return failure(fmt::format("the block has {} threads; __launch_bounds__ of the kernel allows {}", b.count(),
                               limit(entry.max_threads)),
                   "use smaller blocks");
  trace::Dim3 cluster = launch.cluster;
  if (cluster.count() == 0 && entry.cluster[0] > 0)
    cluster = {static_cast<u32>(entry.cluster[0]), static_cast<u32>(std::max(entry.cluster[1], 1)),
               static_cast<u32>(std::max(entry.cluster[2], 1))};
  if (cluster.count() > most_cluster_blocks)
    return failure(fmt::format("the cluster has {} blocks; the maximum is {}", cluster.count(), most_cluster_blocks),
                   "use smaller clusters");
  if (cluster.count() > 0 && (g.x % cluster.x != 0 || g.y % cluster.y != 0 || g.z % cluster.z != 0))
    return failure(fmt::format("the grid of {} x {} x {} blocks is no whole number of clusters of {} x {} x {}", g.x,
                               g.y, g.z, cluster.x, cluster.y, cluster.z),
                   "make each extent of the grid a multiple of the cluster's");
  return {};
}

}  // namespace lanescope::emulator
