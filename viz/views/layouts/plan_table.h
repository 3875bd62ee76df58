#pragma once
// The plans of a conversion, compared, with the lower bound; and below them the steps that lead from one end to the
// other.

#include <string>
#include <vector>

#include "kernels/convert/planner.h"
#include "viz/scene/scene.h"
#include "viz/views/base/theme.h"

namespace lanescope::views {

struct StepRow {
  std::string exchange;  ///< "r0 <-> t2"
  std::string held;      ///< "j2 <-> k3"
  std::string kind;      ///< "between lanes"
  std::string cost;      ///< "2 shuffles, 4 selects"
  bool possible = true;
};

struct PlansInput {
  const convert::Planned* planned = nullptr;  ///< nullptr: see `problem`
  std::string problem;                        ///< or the pending computation
  bool waiting = false;                       ///< it is being planned: no mistake
  double milliseconds = 0;                    ///< that planning took
  int chosen_plan = -1;
  std::vector<StepRow> steps;
  int chosen_step = 0;  ///< 0: the whole conversion, else a step, from 1
};
/// Rows are plan_row/N and step_row/N, both from 0; step 0 is the whole.
scene::Scene plan_table(const PlansInput&, float width, const Theme&);

/// The kind of a plan, in a word or two: "shuffles", "shared", "in each lane"; "renaming" where no instruction is
/// needed.
std::string plan_kind(const convert::Plan& plan);

/// "Plan 1 needs 2 shuffles, and no way needs fewer: ...": the lower bound and its argument.
std::string bound_in_words(const convert::Planned& planned);

}  // namespace lanescope::views
