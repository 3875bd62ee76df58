#pragma once
// The roof that limits a kernel: operations per byte of traffic against the peaks of memory and arithmetic. A fused
// multiply-add is two operations here, as in data sheets.

#include <cstdint>

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

}  // namespace lanescope::occupancy
