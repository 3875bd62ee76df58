#pragma once
// One warp-wide access as the emulator makes it above the same access as the GPU made it, lane under lane.

#include "results/measured.h"
#include "viz/views/base/draw.h"
#include "viz/views/base/selection.h"

namespace lanescope::views {

/// Lanes whose places differ, or that only one side has.
std::uint32_t differing_lanes(const AccessPair&);

/// What a traced launch says, below `y`; returns where it ends.
float draw_trace(Scene&, const TraceInfo&, float y, const Theme&);

/// Of an Id::Kind::access_lane.
std::string lane_tooltip(const AccessPair&, const Id&);

}  // namespace lanescope::views
