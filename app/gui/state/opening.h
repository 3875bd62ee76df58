#pragma once
// Where a kernel that opens is looked at.

#include <cstdint>

#include "results/summary.h"

namespace lanescope::gui {

/// The step at which there is most to see: where lanes of this warp have exchanged data, at the first claim, where a
/// finding was seen (in whatever warp), at an atomic, where shared memory is accessed, where loaded values have arrived, at
/// a store. Never at the exit, unless the warp executes nothing else. -1: the warp has no step.
std::int64_t instructive_step(const results::Summary& summary, int warp);

}  // namespace lanescope::gui
