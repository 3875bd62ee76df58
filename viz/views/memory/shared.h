#pragma once
// The shared memory view: 32 banks across, rows of 128 bytes down; what lies there, who touches it, and which banks are
// asked for several rows at once.

#include "viz/views/memory/banks.h"

namespace lanescope::views {

/// With a wavefront or a what-if: the access alone, played and compared (banks.h).
scene::Scene shared_view(const Summary&, const Moment&, const Selection&, const SharedOptions&, const Theme&);

}  // namespace lanescope::views
