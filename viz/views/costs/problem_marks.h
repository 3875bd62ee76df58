#pragma once
// The problems of a run as signs of the timeline.

#include <vector>

#include "viz/views/costs/timeline.h"

namespace lanescope::views {

/// Problems, and sides of problems, that are at a step of the recorded block: ascending step, one a step, the worst there.
/// Claims are left out, because they have signs of their own, and so are notes. `number`: in results::problems_of(summary).
std::vector<TimelineProblem> problem_marks(const Summary& summary);

}  // namespace lanescope::views
