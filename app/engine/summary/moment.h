#pragma once
// What one step of a run looks like.

#include "app/engine/requests/requests.h"
#include "app/engine/summary/run_state.h"

namespace lanescope::engine {

results::Moment moment_of(const RunState& state, const MomentRequest& request);

/// Fills the claimed and the real assignment of a moment, and what its last statement did.
void fill_assignment(const RunState& state, const MomentRequest& request, results::Moment& moment);

}  // namespace lanescope::engine
