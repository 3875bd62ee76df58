#pragma once
// The movement of a statement of the recorded block (results/movement.h).

#include "app/engine/requests/requests.h"
#include "app/engine/summary/run_state.h"
#include "results/journey.h"

namespace lanescope::engine {

/// Of the statement that ends with `moment.step`, in its warp. Of an exchange (Moment::statement_first_line is known by
/// then) the registers that are exchanged, and none that helped.
results::Movement movement_of(const RunState& state, const results::Moment& moment, MomentRequest::MovementOf which);

// Journeys of elements (results/journey.h) through the recorded block of a run.

/// The last answer is cached. For elements that the recorded block does not access it names the block that does.
results::Journeys journeys_of(const RunState& state, const JourneyRequest& request);

}  // namespace lanescope::engine
