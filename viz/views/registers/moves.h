#pragma once
// Moves of a step, bundled as the arrows that are drawn.

#include <cstdint>
#include <vector>

#include "viz/views/base/selection.h"

namespace lanescope::views {

/// Moves that are drawn together: same registers and parts, same step from lane to lane (XOR) and from warp to warp (XOR).
struct MoveBundle {
  Move first;  ///< the move drawn
  std::uint32_t moves = 1, warps = 1;
  int lane_xor = 0, warp_xor = 0;
  std::vector<std::uint32_t> members;  ///< indices into the moves given
};
/// Every move is in exactly one bundle; largest first, ties in order of appearance.
std::vector<MoveBundle> bundle(const std::vector<Move>& moves);

}  // namespace lanescope::views
