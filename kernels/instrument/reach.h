#pragma once
// What one arithmetic instruction makes of the data in its operands. Private to this folder.

#include <vector>

#include "kernels/instrument/slice.h"
#include "kernels/ptx/program.h"

namespace lanescope::instrument {

/// `carries[i]`: operand i (0 is the destination) may hold data. At least one does.
Reach reach_of(const ptx::Instruction& instruction, const std::vector<bool>& carries);

}  // namespace lanescope::instrument
