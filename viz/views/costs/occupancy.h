#pragma once
// Occupancy as a picture: limits, curves, waves of blocks, warps in flight and the roofline. This folder draws the
// figures and computes none.

#include <span>

#include "results/occupancy.h"
#include "viz/scene/scene.h"
#include "viz/views/base/selection.h"
#include "viz/views/base/theme.h"

namespace lanescope::views {

struct OccupancyOptions {
  float width = 0;  ///< below 700 the curves are stacked
  int most_waves = 5;
};
scene::Scene occupancy_view(const OccupancyInfo&, const OccupancyOptions&, const Theme&);
/// The roofline alone, or a sentence where there is none.
scene::Scene roofline_view(const OccupancyInfo&, const OccupancyOptions&, const Theme&);
/// Tooltip of an id of that view; empty when nothing is known.
std::string occupancy_tooltip(const OccupancyInfo&, const scene::Id&);

/// "curve,x,unit,blocks,warps,percent,limiting"
std::string to_csv(const OccupancyInfo&);
/// "gpu,what,operations_per_byte,gop_per_s,gb_per_s": ridge, attainable, where it was measured, measured, and a row for
/// each memory; with the bandwidth achieved in a row of its own, where that was measured.
std::string roofline_csv(const OccupancyInfo&);

// --- parts, each below `y`, returning where it ends
// -------------------------------------------------------------------

/// Height of a heading, a row for each memory and, below them, the source of the rate of L2.
float roof_rows_height(std::span<const RoofInfo> roofs, float width);
/// Peak, achieved and attainable of each memory, as a table.
void draw_roof_rows(scene::Scene&, std::span<const RoofInfo> roofs, scene::Rect area, const Theme&);
float draw_curve(scene::Scene&, const OccupancyCurveInfo&, int number, scene::Rect area, const Theme&);
/// With a roof and a point for each memory of `roofs`; the rows about them below the plot need room for themselves.
float draw_roofline(scene::Scene&, const RooflineInfo&, std::span<const RoofInfo> roofs, scene::Rect area,
                    const Theme&);

}  // namespace lanescope::views
