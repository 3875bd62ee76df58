#pragma once
// Places of a register grid: their names and cells.

#include <string>

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

}  // namespace lanescope::views
