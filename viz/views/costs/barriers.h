#pragma once
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

}  // namespace lanescope::views
