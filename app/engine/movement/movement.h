#pragma once
// What a statement of the recorded block moved (results/movement.h).

#include "app/engine/requests/requests.h"
#include "app/engine/summary/run_state.h"

namespace lanescope::engine {

/// Of the statement that ends with `moment.step`, in its warp. Of an exchange (Moment::statement_first_line is known by then)
/// the registers that are exchanged, and none that helped.
results::Movement movement_of(const RunState& state, const results::Moment& moment, MomentRequest::MovementOf which);

}  // namespace lanescope::engine
