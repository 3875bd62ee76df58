#pragma once
// One access of a warp in the emulator above the same access on the GPU, lane by lane.

#include "results/measured.h"
#include "viz/views/base/draw.h"
#include "viz/views/base/selection.h"

namespace lanescope::views {

/// Lanes whose addresses differ, or that are active on one side only.
std::uint32_t differing_lanes(const AccessPair&);

/// The result of a traced launch, below `y`; returns where it ends.
float draw_trace(Scene&, const TraceInfo&, float y, const Theme&);

/// Of an Id::Kind::access_lane.
std::string lane_tooltip(const AccessPair&, const Id&);

}  // namespace lanescope::views
