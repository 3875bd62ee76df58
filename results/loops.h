#pragma once
// Which iteration of which loop a step belongs to, and the step that corresponds to it in another iteration.
//
// A loop is a stretch of instructions that a backward branch repeats (Summary::loops). A warp enters it, and starts an
// iteration each time it executes its first instruction; it leaves the loop when it executes an instruction outside. A
// function that the loop calls belongs to the iteration. Iterations are numbered from 1 in each visit of the loop: an
// inner loop starts anew in every iteration of the outer one. Lanes that run apart are one warp here: where two groups of
// lanes reach the loop's start one after the other, each of them starts an iteration.

#include <cstdint>
#include <vector>

#include "results/step_index.h"

namespace lanescope::results {

struct Iteration {
  int loop = -1;                                 ///< into Summary::loops
  std::int64_t number = 0, of = 0;               ///< from 1, in this visit of the loop
  std::int64_t first_step = -1, last_step = -1;  ///< of this warp
};

/// Of the loops around this step of `warp`, the innermost first; empty where there is none.
std::vector<Iteration> iterations_at(const Summary& summary, const StepIndex& index, int warp, std::int64_t step);

/// The loop's iteration `number` in the visit that `step` is in, else in the next visit, else in the first one: there the
/// same instruction as at `step` where it runs, else the iteration's first one. -1: there is no such iteration.
std::int64_t step_in_iteration(const Summary& summary, const StepIndex& index, int loop, int warp, std::int64_t step,
                               std::int64_t number);

/// Loops that `warp` enters at all.
std::vector<int> loops_of(const Summary& summary, const StepIndex& index, int warp);

}  // namespace lanescope::results
