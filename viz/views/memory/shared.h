#pragma once
// The shared memory view: 32 banks across, rows of 128 bytes down; contents, accessing lanes, and the banks that
// deliver several rows.

#include "viz/views/memory/banks.h"

namespace lanescope::views {

/// With a wavefront or a what-if: the access alone, played and compared (banks.h).
scene::Scene shared_view(const Summary&, const Moment&, const Selection&, const SharedOptions&, const Theme&);

}  // namespace lanescope::views
