#pragma once
// Next and previous steps, lines and claims of a run. Pure functions over a Summary; -1 means there is none.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "results/summary.h"

namespace lanescope::gui {

/// The recorded steps of a run: those of one block of one launch.
struct Recording {
  std::uint32_t block = 0;
  int launch = -1;         ///< from 0; -1: the one that is shown
  std::int64_t step = -1;  ///< of the block, to select afterwards; -1: the present one
  bool operator==(const Recording&) const = default;
};
/// "block 3", where there are several launches "block 3 of launch 2 (transpose)".
std::string words_of(const Recording& recording, const results::Summary& summary);
/// "launch 2 (transpose)"; launches are numbered from 1 where people read it.
std::string launch_words(const results::Summary& summary, int launch);

enum class Direction : std::int8_t { back = -1, forward = 1 };

/// The step of `warp` next to `step`; from -1 the first one.
std::int64_t neighbour_step(const results::Summary& summary, std::int64_t step, int warp, Direction direction);
std::int64_t neighbour_step_any_warp(const results::Summary& summary, std::int64_t step, Direction direction);
/// Forward: the last step of this warp's next run of instructions of one line (so that its effect is seen). Back: the
/// last step of the line before.
std::int64_t neighbour_line(const results::Summary& summary, std::int64_t step, int warp, Direction direction);
/// The steps at which a line of this warp ends, ascending: where stepping by lines stops.
std::vector<std::int64_t> line_ends(const results::Summary& summary, int warp);
std::int64_t first_step(const results::Summary& summary, int warp);
std::int64_t last_step(const results::Summary& summary, int warp);
/// The step that a click on a source line selects: the end of the next visit of that line after `step`, else of the
/// first visit.
std::int64_t step_at_line(const results::Summary& summary, int line, int warp, std::int64_t step);
/// The visit of its line, by its warp, that a step belongs to.
struct VisitOfLine {
  int line = 0, warp = 0;
  int number = 0;  ///< from 0
};
std::optional<VisitOfLine> visit_of_step(const results::Summary& summary, std::int64_t step);
/// The end of that visit, else of the last one; -1: the warp never executes the line.
std::int64_t step_of_visit(const results::Summary& summary, const VisitOfLine& visit);
/// The step that a click on a row of the shown program selects (see views::ptx_code): the one at which this warp runs
/// that instruction next after `step`, else first; -1: it never does, or the instruction has no counterpart in the
/// probed program.
std::int64_t step_at_instruction(const results::Summary& summary, int row, int warp, std::int64_t step);
/// The last step of this warp before its current run of instructions of one line.
std::int64_t step_before_line(const results::Summary& summary, std::int64_t step, int warp);
/// The end of the line after the warp's first shuffle, where its data has arrived; -1: it never shuffles.
std::int64_t step_after_shuffle(const results::Summary& summary, int warp);
/// The step at which a claim is checked in this warp.
std::int64_t step_of_claim(const results::Summary& summary, const results::ClaimInfo& claim, int warp);
/// Whether the plain run's counters have a request to global memory on this line.
bool reaches_global(const results::Summary& summary, int line);
/// The last step of `warp` before `step` that reaches memory on such a line.
std::int64_t earlier_global_step(const results::Summary& summary, std::int64_t step, int warp);
/// Of the visit that the step belongs to, where the instruction has no line itself.
int line_of_step(const results::Summary& summary, std::int64_t step);
int warp_of_step(const results::Summary& summary, std::int64_t step);
/// n-th step of its warp, from 1, and how many that warp has.
struct StepCount {
  std::int64_t number = 0, of = 0;
};
StepCount count_in_warp(const results::Summary& summary, std::int64_t step, int warp);
/// The n-th time, from 1, that the warp of this step executes its instruction, and how often it does in all.
StepCount iteration_of(const results::Summary& summary, std::int64_t step);

/// The most instructive step: where lanes of this warp have exchanged data, at the first claim, where a
/// finding was seen (in any warp), at an atomic, where shared memory is accessed, where loaded values have arrived, at
/// a store. Never at the exit, unless the warp executes nothing else. -1: the warp has no step.
std::int64_t instructive_step(const results::Summary& summary, int warp);

struct ClaimTally {
  int holds = 0, differs = 0, unchecked = 0;
  int total() const { return holds + differs + unchecked; }
};
ClaimTally tally(const results::Summary& summary);

}  // namespace lanescope::gui
