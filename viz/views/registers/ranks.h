#pragma once
// The rank of a lane in its group: cooperative groups number the threads of a tile, of a coalesced group or of a labelled
// part from 0 on, and shuffles of the group count in these numbers.
//
// No event says which group a statement belongs to, and none is needed: what lanes of a group do together is executed by
// these lanes and by no others. So the group of a step is its active lanes, and a lane's rank the number of active lanes
// below it, which is how coalesced_group::thread_rank() is defined.

#include <bit>
#include <cstdint>
#include <optional>

#include "results/moment.h"

namespace lanescope::views {

/// The lanes that execute the step; 0: there is no step, or ranks are the lanes' numbers, as of all lanes or the first few.
inline std::uint32_t group_of(const results::Moment& moment) {
  return (moment.active & (moment.active + 1)) == 0 ? 0 : moment.active;
}

/// nullopt: the lane is not in the group.
inline std::optional<int> rank_in(std::uint32_t group, int lane) {
  if ((group >> lane & 1) == 0) return std::nullopt;
  return std::popcount(group & ((std::uint32_t{1} << lane) - 1));
}

}  // namespace lanescope::views
