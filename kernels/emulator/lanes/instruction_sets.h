#pragma once
// The same operations, compiled for several instruction sets; which one runs is decided once, at run time.

#include <span>
#include <string_view>

#include "kernels/emulator/lanes/op.h"

namespace lanescope::emulator {

struct LaneOperation {
  std::string_view key;  ///< "add.s32", "fma.ftz.f32": opcode and the modifiers that change the result
  Exec exec;
};
struct LaneComparison {
  std::string_view key;  ///< "lt.s32"
  Compare compare;
};

struct LaneTable {
  std::span<const LaneOperation> operations;
  std::span<const LaneComparison> comparisons;
};

LaneTable lane_table_baseline();
LaneTable lane_table_avx2();
LaneTable lane_table_avx512();
/// Whether operations run in the table of AVX-512, or at least in that of AVX2.
bool has_avx512();
bool has_avx2();

}  // namespace lanescope::emulator
