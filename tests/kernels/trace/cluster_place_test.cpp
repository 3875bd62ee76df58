// Ranks of blocks in their clusters: every block has one place, and a cluster is as many blocks side by side as it says.

#include <gtest/gtest.h>

#include <map>
#include <random>

#include "kernels/trace/launch.h"

namespace lanescope::trace {
namespace {

TEST(ClusterPlaces, LeadBackToTheirBlocks) {
  std::mt19937 random(7);
  for (int trial = 0; trial < 200; ++trial) {
    Launch launch;
    const auto up_to = [&](std::uint32_t n) { return 1 + static_cast<std::uint32_t>(random()) % n; };
    const bool none = trial % 8 == 0;
    if (!none) launch.cluster = {up_to(3), up_to(2), up_to(2)};
    const Dim3 k = none ? Dim3{} : launch.cluster;
    launch.grid = {k.x * up_to(4), k.y * up_to(3), k.z * up_to(3)};
    std::map<std::uint32_t, std::uint32_t> blocks;  ///< by cluster
    for (std::uint32_t b = 0; b < launch.grid.count(); ++b) {
      const ClusterPlace place = cluster_place(launch, b);
      ASSERT_EQ(block_at(launch, place), b);
      ASSERT_LT(place.rank, k.count());
      ++blocks[place.cluster];
      const std::uint32_t first = block_at(launch, {place.cluster, 0});
      const auto x = [&](std::uint32_t n) { return n % launch.grid.x; };
      const auto y = [&](std::uint32_t n) { return n / launch.grid.x % launch.grid.y; };
      const auto z = [&](std::uint32_t n) { return n / launch.grid.x / launch.grid.y; };
      ASSERT_EQ(place.rank, x(b) - x(first) + k.x * (y(b) - y(first) + k.y * (z(b) - z(first))));
    }
    ASSERT_EQ(blocks.size(), launch.grid.count() / k.count());
    for (const auto& [cluster, count] : blocks) ASSERT_EQ(count, k.count()) << cluster;
  }
}

}  // namespace
}  // namespace lanescope::trace
