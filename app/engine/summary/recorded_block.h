#pragma once
// What a summary says of the recorded block, made anew after another part was recorded.

#include "app/engine/summary/run_state.h"

namespace lanescope::engine {

/// Everything else stays: counters, outputs, verdicts, findings.
void refresh_recorded(RunState& run);

}  // namespace lanescope::engine
