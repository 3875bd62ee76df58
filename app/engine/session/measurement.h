#pragma once
// What a GPU does with the launches of a run, beside what was predicted.

#include <atomic>

#include "app/engine/requests/requests.h"
#include "app/engine/summary/run_state.h"

namespace lanescope::engine {

/// On any thread: a failure is an answer. Blocks until it is done or no longer needed.
results::Measured measure_run(const RunState& s, const MeasureRequest& request, const std::atomic<bool>* cancel);

}  // namespace lanescope::engine
