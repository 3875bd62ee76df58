#pragma once
// A span of instructions of one warp as a movement: its rows, and the sources of all written values.

#include "app/engine/movement/shown_registers.h"
#include "app/engine/values/span_flow.h"
#include "results/movement.h"

namespace lanescope::engine {

/// `flow`: of the same span. Lines are left to the caller.
results::Movement move(const RunState& state, const SpanFlow& flow, const ShownRegisters& shown,
                       const MovementSpan& span);

}  // namespace lanescope::engine
