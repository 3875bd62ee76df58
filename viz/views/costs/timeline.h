#pragma once
// The timeline of each warp of the recorded block, step by step. If there are more steps than pixels, a column of
// pixels shows the shares of the kinds of its steps, counted by results::StepIndex: drawing a thousand steps and a
// million has the same cost.

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "results/step_index.h"
#include "viz/scene/scene.h"
#include "viz/views/base/selection.h"
#include "viz/views/base/theme.h"

namespace lanescope::views {

/// Meaning of a column: the n-th instruction of each warp (warps side by side, so that equal work lines up),
/// or the step of the block (the serial order in which the instructions really took effect).
enum class TimelineAxis : std::uint8_t { instruction, step };

/// Something wrong at a step: a sign on its mark. Of several in one column of pixels the most severe one is drawn.
struct TimelineProblem {
  std::int64_t step = -1;
  Severity severity = Severity::warning;
  int number = -1;  ///< of the caller's count; the sign's id is timeline_problem/number
};

struct TimelineOptions {
  float width = 0;
  TimelineAxis axis = TimelineAxis::instruction;
  double first = 0, last = -1;  ///< range shown, in columns, half open; last < 0: to the end
  int first_warp = 0, most_warps = 16;
  float row_height = 19;
  bool legend = true;
  bool overview = false;                           ///< a strip of the whole run above, with the range shown in it
  std::span<const std::uint32_t> hits{};           ///< steps that a search found, ascending
  std::span<const TimelineProblem> problems = {};  ///< ascending step
};
/// `index`: of this summary; it may lack the last marks, which are then not drawn.
scene::Scene timeline_view(const Summary& summary, const StepIndex& index, const Moment& moment,
                           const Selection& selection, const TimelineOptions& options, const Theme& theme);
scene::Scene timeline_view(const Summary&, const Moment&, const Selection&, const TimelineOptions&, const Theme&);

/// Where the parts of the scene lie, in its pixels.
struct TimelineGeometry {
  float left = 0, width = 0;                    ///< of the columns
  float overview_top = 0, overview_height = 0;  ///< height 0: there is none
  float ruler_top = 0, rows_top = 0;
};
TimelineGeometry timeline_geometry(const Summary& summary, const TimelineOptions& options);

/// "load", "barrier", ...; "other" for an instruction of no kind of its own. `kind` as results::mark_kind gives it.
std::string_view mark_kind_name(int kind);

struct TimelineSign {
  enum class Shape : std::uint8_t { box, claim, underline, hatched, diverge, reconverge };
  Shape shape = Shape::box;
  std::string_view word, meaning;  ///< "barrier", "waits until all warps of the block have come here"
  char letter = ' ';
  Color fill{}, stroke{};
  claims::Verdict verdict = claims::Verdict::holds;  ///< of a claim
};
/// Everything that a timeline of this run can show.
std::vector<TimelineSign> timeline_signs(const Summary& summary, const Theme& theme);

/// Number of columns of the whole timeline.
std::uint64_t timeline_columns(const Summary& summary, TimelineAxis axis);
std::uint64_t timeline_columns(const Summary& summary, const StepIndex& index, TimelineAxis axis);
/// The column of a step; -1: the timeline has no such step.
std::int64_t timeline_column_of(const Summary& summary, const StepIndex& index, TimelineAxis axis, std::int64_t step);
/// The step under a horizontal position of a timeline scene: of `warp`, or (axis step) of any warp. -1: none.
std::int64_t timeline_step_at(const Summary& summary, const StepIndex& index, const TimelineOptions& options, int warp,
                              float x);
std::int64_t timeline_step_at(const Summary& summary, const TimelineOptions& options, int warp, float x);

}  // namespace lanescope::views
