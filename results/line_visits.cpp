#include "results/step_index.h"

namespace lanescope::results {

std::vector<LineVisit> line_visits(const Summary& summary, int warp) {
  std::vector<LineVisit> visits;
  for (const TimelineMark& m : summary.timeline) {
    if (m.warp != warp) continue;
    if (visits.empty() || (m.line != 0 && m.line != visits.back().line)) visits.push_back({m.line, m.step, m.step});
    visits.back().last = m.step;
  }
  return visits;
}

}  // namespace lanescope::results
