#pragma once
// The same operations, compiled for several instruction sets; which one runs is decided once, at run time.

#include <span>

#include "kernels/emulator/lane_math.h"

namespace lanescope::emulator {

struct LaneTable {
  std::span<const LaneOperation> operations;
  std::span<const LaneComparison> comparisons;
};

LaneTable lane_table_baseline();
LaneTable lane_table_avx2();
LaneTable lane_table_avx512();

}  // namespace lanescope::emulator
