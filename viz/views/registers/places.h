#pragma once
// Places of a register grid: their names and cells.

#include <cstdint>
#include <string>
#include <vector>

#include "viz/views/base/selection.h"

namespace lanescope::views {

/// "y1.lo", "x0.b3", "v.x"; for reg and part of a family.
std::string register_name(const Summary& summary, int family, int reg, int part, int parts);
/// "warp 0 · lane 11 · y1.lo".
std::string place_text(const Summary& summary, const Moment& moment, const PlaceRef& place);
/// The grid of this moment that shows a place; nullptr: none does.
const RegisterGrid* grid_of(const Moment& moment, const PlaceRef& place);
/// The cell at a place of a grid of this moment; nullptr when no grid shows it.
const Cell* cell_at(const Moment& moment, const PlaceRef& place);

// Moves of a step, bundled as the arrows that are drawn.

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
