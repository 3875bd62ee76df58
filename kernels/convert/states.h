#pragma once
// The assignment of the registers at each stage of a program.

#include <optional>
#include <vector>

#include "kernels/convert/place_map.h"
#include "kernels/convert/word_program.h"

namespace lanescope::convert {

/// The assignment at each stage, found by running the program on the numbers of the elements. nullopt if a register was
/// never made, if several words make an element, or if no assignment describes it. Warps and blocks stay as `from` has
/// them; nullopt, too, where the other rows depend on theirs.
std::vector<std::optional<layout::Assignment>> states_of(const WordProgram& program, const PlaceMap& map,
                                                         const layout::Assignment& from);

}  // namespace lanescope::convert
