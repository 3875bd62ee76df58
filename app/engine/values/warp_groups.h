#pragma once
// Groups of lanes and waits of a recorded block (results/warp_groups.h), from its events.
//
// A warp begins as one group. It parts at a branch that only some of the group take, and where an instruction without guard
// is run by some of it. Groups have met where one instruction is run by lanes of several. A lane that runs nothing any more
// belongs to no group. Lanes wait at a `.sync` operation from their last step until the last step of the conflicting threads
// there: nothing else was left for them to run.

#include <vector>

#include "kernels/trace/trace.h"
#include "results/warp_groups.h"

namespace lanescope::engine {

struct WarpGroups {
  std::vector<results::GroupChange> changes;  ///< ascending step
  std::vector<results::Wait> waits;           ///< ascending `from`
};
/// Of steps before `end`, one block.
WarpGroups warp_groups(const trace::Trace& trace, std::size_t end);

/// shfl, vote, match, redux, bar.warp.sync and their like: the lanes of its mask wait for each other.
bool is_warp_sync(const trace::CodeSite& site);

}  // namespace lanescope::engine
