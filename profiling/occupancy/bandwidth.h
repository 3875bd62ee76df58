#pragma once
// Bandwidth of each memory of a GPU, at its largest clock. These are peaks; kernels achieve less: the shared slides
// give 8,850 GB/s for the shared memory of a P100, whose peak is 56 multiprocessors x 32 banks x 4 bytes x 1.48 GHz =
// 10,609, and 18,140 of 19,492 for an A100.

#include <string>
#include <vector>

#include "profiling/occupancy/gpu_table.h"

namespace lanescope::occupancy {

enum class Memory : std::uint8_t { device, l2, shared };
/// "device memory", "L2", "shared memory".
std::string_view words(Memory memory);

struct Bandwidth {
  Memory memory = Memory::device;
  double gb_per_s = 0;  ///< 1 GB is 10^9 bytes
  std::string source;   ///< with how it is computed
};
/// From the slowest to the fastest; L2 is absent where its rate is not known.
std::vector<Bandwidth> bandwidths(const Gpu& gpu);

}  // namespace lanescope::occupancy
