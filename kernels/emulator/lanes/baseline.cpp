// The table of lane operations, compiled for the same target as this program.
#include "kernels/emulator/lanes/instruction_sets.h"
#include "kernels/emulator/lanes/multifunction.h"

#if defined(__x86_64__)
#pragma GCC optimize("O3")

#endif

namespace lanescope::emulator::lanes_baseline {
#include "kernels/emulator/lanes/operation_table.inc.h"
}  // namespace lanescope::emulator::lanes_baseline

namespace lanescope::emulator {
LaneTable lane_table_baseline() { return {lanes_baseline::operations, lanes_baseline::comparisons}; }
}  // namespace lanescope::emulator
