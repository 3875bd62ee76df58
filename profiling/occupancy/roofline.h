#pragma once
// The roof that limits a kernel: operations per byte of traffic against the peaks of memory and arithmetic. A fused
// multiply-add is two operations here, as in data sheets.

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/base/diagnostic.h"
#include "profiling/occupancy/gpu_table.h"

namespace lanescope::occupancy {

enum class Precision : std::uint8_t { fp32, fp64 };
enum class Bound : std::uint8_t { memory, compute };

struct Roofline {
  double operations = 0, bytes = 0;
  double peak_gop_per_s = 0;  ///< multiprocessors x lanes x 2 x clock
  double bandwidth_gb_per_s = 0;
  double ridge_operations_per_byte = 0;      ///< intersection of the roofs; there and above, compute-bound
  double intensity_operations_per_byte = 0;  ///< infinite when no byte moves
  double attainable_gop_per_s = 0;
  Bound bound = Bound::memory;
};

/// `bytes` are those that cross to memory, both ways. Errors: negative amounts, or neither bytes nor operations.
Expected<Roofline> roofline(const Gpu& gpu, double operations, double bytes, Precision precision = Precision::fp32);

// Bandwidth of each memory of a GPU, at its largest clock. These are peaks; kernels achieve less: the shared slides
// give 8,850 GB/s for the shared memory of a P100, whose peak is 56 multiprocessors x 32 banks x 4 bytes x 1.48 GHz =
// 10,609, and 18,140 of 19,492 for an A100.

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
