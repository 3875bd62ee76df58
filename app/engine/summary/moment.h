#pragma once
// One step of a run, as the views show it.

#include <cstdint>
#include <string>
#include <vector>

#include "app/engine/requests/requests.h"
#include "app/engine/summary/run_state.h"
#include "kernels/layout/assignment.h"
#include "kernels/trace/trace.h"
#include "results/moment.h"
#include "results/value_tree.h"

namespace lanescope::engine {

results::Moment moment_of(const RunState& state, const MomentRequest& request);

/// Fills the claimed and the real assignment of a moment, and what its last statement did.
void fill_assignment(const RunState& state, const MomentRequest& request, results::Moment& moment);

// Where elements went between two states of a block's registers.

/// Every place of `after` that holds another element than the same place of `before` did, with a place of `before` that
/// held it. Where several did, the choice prefers the same warp; then the lane that a shuffle between the two states
/// read from, or the same lane; then the same family, register and part. Grids pair up by position.
std::vector<results::Move> moves_between(const trace::Trace& trace, const std::vector<results::RegisterGrid>& before,
                                         const std::vector<results::RegisterGrid>& after, std::int64_t from_step,
                                         std::int64_t to_step);

// The change of a register assignment by a statement, in the words of the notation.

/// "r0 <-> t2 (warp transpose)" where the two differ by the exchange of two physical bits; empty otherwise.
std::string statement_words(const layout::Assignment& before, const layout::Assignment& after);

/// The first step of the statement that a warp executes at `step`: of its latest run of instructions of one line.
std::int64_t statement_begin(const trace::Trace& trace, std::int64_t step, std::uint32_t warp);

// The tree of a value of a run: from the value that is requested to its roots in the recorded block.

/// `step`: of the moment; -1: before the first. A value that there is not is refused with the reason.
results::ValueTree tree_of(const RunState& state, const TreeRequest& request, std::int64_t step);

}  // namespace lanescope::engine
