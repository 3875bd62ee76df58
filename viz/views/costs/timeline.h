#pragma once
// The timeline: what each warp of the recorded block did, step by step.

#include <cstdint>
#include <string_view>

#include "viz/scene/scene.h"
#include "viz/views/base/selection.h"
#include "viz/views/base/theme.h"

namespace lanescope::views {

/// What a column of the timeline is: the n-th instruction of each warp (warps side by side, so that equal work lines up),
/// or the step of the block (the serial order in which the instructions really took effect).
enum class TimelineAxis : std::uint8_t { instruction, step };

struct TimelineOptions {
  float width = 0;
  TimelineAxis axis = TimelineAxis::instruction;
  double first = 0, last = -1;  ///< range shown, in columns, half open; last < 0: to the end
  int first_warp = 0, most_warps = 16;
  float row_height = 19;
  bool legend = true;
};
scene::Scene timeline_view(const Summary&, const Moment&, const Selection&, const TimelineOptions&, const Theme&);
/// "load", "barrier", ...; "other" for an instruction of no kind of its own.
std::string_view step_kind_name(trace::StepKind kind);
/// Number of columns of the whole timeline.
std::uint64_t timeline_columns(const Summary& summary, TimelineAxis axis);
/// The step under a horizontal position of a timeline scene: of `warp`, or (axis step) of any warp. -1: none.
std::int64_t timeline_step_at(const Summary& summary, const TimelineOptions& options, int warp, float x);

}  // namespace lanescope::views
