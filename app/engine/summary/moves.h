#pragma once
// Where elements went between two states of a block's registers.

#include <cstdint>
#include <vector>

#include "kernels/trace/trace.h"
#include "results/moment.h"

namespace lanescope::engine {

/// Every place of `after` that holds another element than the same place of `before` did, with a place of `before` that
/// held it. Where several did, the choice prefers the same warp; then the lane that a shuffle between the two states
/// read from, or the same lane; then the same family, register and part. Grids pair up by position.
std::vector<results::Move> moves_between(const trace::Trace& trace, const std::vector<results::RegisterGrid>& before,
                                         const std::vector<results::RegisterGrid>& after, std::int64_t from_step,
                                         std::int64_t to_step);

}  // namespace lanescope::engine
