#pragma once
// The visits of a warp to the lines of the source: stretches of its steps that belong to one line after the other. What a
// person calls "the third time it comes to line 58".

#include <cstdint>
#include <vector>

#include "results/summary.h"

namespace lanescope::results {

struct LineVisit {
  int line = 0;                      ///< 0: the steps before the first one whose line is known
  std::int64_t first = 0, last = 0;  ///< steps
};
/// Of the recorded block, ascending. A step whose line is unknown counts to the line before it.
std::vector<LineVisit> line_visits(const Summary& summary, int warp);

}  // namespace lanescope::results
