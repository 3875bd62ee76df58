// The table of lane operations, compiled for AVX-512.
#include "kernels/emulator/lanes/instruction_sets.h"
#include "kernels/emulator/lanes/multifunction.h"

#if defined(__x86_64__)
#pragma GCC optimize("O3")
#pragma GCC target("avx2,fma,bmi,bmi2,popcnt,lzcnt,f16c,avx512f,avx512vl,avx512bw,avx512dq,prefer-vector-width=512")
#endif

namespace lanescope::emulator::lanes_avx512 {
#include "kernels/emulator/lanes/operation_table.inc.h"
}  // namespace lanescope::emulator::lanes_avx512

namespace lanescope::emulator {
LaneTable lane_table_avx512() { return {lanes_avx512::operations, lanes_avx512::comparisons}; }
}  // namespace lanescope::emulator
