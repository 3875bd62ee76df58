// The table of lane operations, compiled for AVX2 and FMA.
#include "kernels/emulator/lanes/instruction_sets.h"
#include "kernels/emulator/lanes/multifunction.h"

#if defined(__x86_64__)
#pragma GCC optimize("O3")
#pragma GCC target("avx2,fma,bmi,bmi2,popcnt,lzcnt,f16c")
#endif

namespace lanescope::emulator::lanes_avx2 {
#include "kernels/emulator/lanes/operation_table.inc.h"
}  // namespace lanescope::emulator::lanes_avx2

namespace lanescope::emulator {
LaneTable lane_table_avx2() { return {lanes_avx2::operations, lanes_avx2::comparisons}; }
}  // namespace lanescope::emulator
