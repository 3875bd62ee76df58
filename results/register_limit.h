#pragma once
// A kernel compiled with a register limit: why it has more registers than the limit, in words.

#include <string>

#include "results/summary.h"

namespace lanescope::results {

/// The assembler keeps at least the registers of its calling convention (24 on sm_90), and ignores the limit of a kernel
/// with launch bounds. `launch_bounds_threads`: 0, there are none. Empty: the limit was kept, or nothing is known.
std::string above_the_limit(const RegisterLimit& row, int launch_bounds_threads);

}  // namespace lanescope::results
