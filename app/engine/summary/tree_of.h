#pragma once
// The tree of a value of a run: from the value that is asked for to its roots in the recorded block.

#include "app/engine/requests/requests.h"
#include "app/engine/summary/run_state.h"
#include "results/value_tree.h"

namespace lanescope::engine {

/// `step`: of the moment; -1: before the first. A value that there is not is refused with the reason.
results::ValueTree tree_of(const RunState& state, const TreeRequest& request, std::int64_t step);

}  // namespace lanescope::engine
