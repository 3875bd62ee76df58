#pragma once
// Journeys of elements (results/journey.h) through the recorded block of a run.

#include "app/engine/requests/requests.h"
#include "app/engine/summary/run_state.h"
#include "results/journey.h"

namespace lanescope::engine {

/// The last answer is kept. Of elements that the recorded block does not access it says which block does.
results::Journeys journeys_of(const RunState& state, const JourneyRequest& request);

}  // namespace lanescope::engine
