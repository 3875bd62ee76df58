#pragma once
// Divergence: active lanes along the instructions of each warp, and for each line the number of divergent branches and
// the share of active lanes.

#include "viz/views/base/selection.h"
#include "viz/views/base/theme.h"

namespace lanescope::views {

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
