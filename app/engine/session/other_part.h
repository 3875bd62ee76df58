#pragma once
// Another part of the last run, recorded from its checkpoints.

#include <atomic>

#include "app/engine/requests/requests.h"
#include "app/engine/requests/time_limit.h"
#include "app/engine/summary/run_state.h"

namespace lanescope::engine {

/// The run as it is, with the part that `given` requests; where that was cancelled, as it was. False: it needs a run, and
/// nothing has changed.
bool record_elsewhere(RunState& s, const RunRequest& given, TimeLimit& limit);
/// A block may have fewer steps than it had when one of them was chosen: then its last ones are shown.
void record_some_part(RunState& s, const std::atomic<bool>* cancel);

}  // namespace lanescope::engine
