#pragma once
// Where probes changed what the compiler made of the memory instructions.

#include <vector>

#include "kernels/ptx/program.h"
#include "results/notice.h"

namespace lanescope::engine {

/// One notice per line of the user's file whose loads, stores or atomics differ between the two programs; none where the
/// two have the same ones at other lines:
/// "line 12: one 16-byte global load in the plain program, four 4-byte ones in the probed one; ...".
std::vector<results::Notice> memory_differences(const ptx::Entry& plain, const ptx::Entry& probed);

}  // namespace lanescope::engine
