#pragma once
// The lanes of one warp over its instructions: which of them are active at each, where groups of lanes diverge and
// reconverge, and which lanes wait at a barrier. A row for each lane, a column for each instruction of the warp, or for
// as many as share a few pixels: then a cell says whether the lane was active in all of them, in some, or in none.

#include "results/step_index.h"
#include "viz/views/base/draw.h"
#include "viz/views/base/selection.h"
#include "viz/views/base/theme.h"

namespace lanescope::views {

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

}  // namespace lanescope::views
