#pragma once
// Views of warps: waits at barriers, active lanes, divergence.
//
// Who waits at a step of the recorded block: a row for each warp, with the barrier at which its lanes wait, since when, and which
// warp arrives last; of the others, the line at which they are.
//
//   warp   state   at          line   from step   to step   last to arrive   lanes
//      0   waits   barrier 0     30         120       141   warp 2           all lanes
//      1   waits   barrier 0     30         121       141   warp 2           all lanes
//      2   runs                  22         119                              all lanes
//
// Everything is read from Summary::waits and the timeline: no state is kept.

#include <cstdint>
#include <string>
#include <vector>

#include "results/step_index.h"
#include "viz/views/base/draw.h"
#include "viz/views/base/selection.h"
#include "viz/views/base/theme.h"

namespace lanescope::views {

/// Lanes of a warp that do the same after a step.
struct BarrierRow {
  enum class State : std::uint8_t { not_begun, runs, waits, ended };
  State state = State::not_begun;
  int warp = 0;
  std::uint32_t lanes = 0;  ///< 0: not known
  int line = 0;             ///< of the barrier, else of the last instruction; 0: not known
  std::int64_t step = -1;   ///< of the last instruction of the warp; -1: none yet
  int wait = -1;            ///< into Summary::waits; -1: they do not wait
};

/// Ascending by warp; a warp has several rows where some of its lanes wait and others do not. `step`: of the block, of which the
/// rows are the state after it.
std::vector<BarrierRow> barrier_rows(const Summary&, const StepIndex&, std::int64_t step);
/// "3 of 8 warps wait"; "no warp waits".
std::string barriers_words(const Summary&, const std::vector<BarrierRow>& rows);

struct BarriersOptions {
  float width = 0;
};
/// Ids of rows: wait, or timeline_step of the last instruction.
Scene barriers_view(const Summary&, const StepIndex&, const Selection&, const BarriersOptions&, const Theme&);
/// For those who draw once.
Scene barriers_view(const Summary&, const Selection&, const BarriersOptions&, const Theme&);
/// "warp,state,lanes,kind,object,line,from_step,to_step,last_warp", a row each.
std::string barriers_csv(const Summary&, std::int64_t step);

// The lanes of one warp over its instructions: which of them are active at each, where groups of lanes diverge and
// reconverge, and which lanes wait at a barrier. A row for each lane, a column for each instruction of the warp, or for
// as many as share a few pixels: then a cell says whether the lane was active in all of them, in some, or in none.

struct LanesOptions {
  float width = 0, height = 0;  ///< height 0: the natural one
  int warp = 0;
  double first = 0, last = -1;  ///< instructions of the warp shown, half open; last < 0: to the end
  int most_events = 12;         ///< of the list below, those around the step
};
Scene lanes_view(const Summary&, const StepIndex&, const Moment&, const Selection&, const LanesOptions&, const Theme&);
Scene lanes_view(const Summary&, const Moment&, const Selection&, const LanesOptions&, const Theme&);

/// Where the columns lie, in pixels of the scene.
struct LanesGeometry {
  float left = 0, width = 0;
};
LanesGeometry lanes_geometry(const LanesOptions&);

/// Of Id::Kind::wait, group_change and lane_row.
std::string lane_group_tooltip(const Summary&, const Id&);
/// Lanes that are apart or wait at a step, for the tooltip of its mark; empty: none.
std::string apart_words(const Summary&, std::int64_t step);

// Divergence: active lanes along the instructions of each warp, and for each line the number of divergent branches and
// the share of active lanes.

struct DivergenceOptions {
  float width = 0;
  double first = 0, last = -1;  ///< instructions of each warp shown, half open; last < 0: to the end
  int first_warp = 0, most_warps = 8;
  int most_lines = 12;  ///< of the table, those with most inactive lanes first
};
/// A bar is one instruction of a warp, or as many as share a few pixels (then their mean).
scene::Scene divergence_view(const Summary&, const Moment&, const Selection&, const DivergenceOptions&, const Theme&);

struct DivergenceSums {
  std::uint64_t instructions = 0, lanes = 0;  ///< lanes: summed over warp instructions
  double mean_lanes() const {
    return instructions == 0 ? 0.0 : static_cast<double>(lanes) / static_cast<double>(instructions);
  }
  std::uint64_t lost_lanes() const { return instructions * 32 - lanes; }
};
DivergenceSums sums_of(const LineDivergence& line);

}  // namespace lanescope::views
