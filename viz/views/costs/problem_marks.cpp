#include "viz/views/costs/problem_marks.h"

#include <algorithm>

#include "results/problems.h"

namespace lanescope::views {

std::vector<TimelineProblem> problem_marks(const Summary& summary) {
  std::vector<TimelineProblem> marks;
  const auto problems = results::problems_of(summary);
  for (int i = 0; i < static_cast<int>(problems.size()); ++i) {
    const results::Problem& p = problems[static_cast<std::size_t>(i)];
    if (p.claim >= 0 || p.severity == Severity::note) continue;
    const auto add = [&](std::int64_t step) {  // the list begins with the worst
      const bool known = std::ranges::any_of(marks, [&](const auto& m) { return m.step == step; });
      if (step >= 0 && !known) marks.push_back({.step = step, .severity = results::shown_severity(p), .number = i});
    };
    add(p.step);
    for (const results::Party& side : p.parties) add(side.step);
  }
  std::ranges::sort(marks, {}, &TimelineProblem::step);
  return marks;
}

}  // namespace lanescope::views
