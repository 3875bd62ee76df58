#pragma once
// A statement as two states and the way between them: every value at its place before, at its place after, or on its way.

#include <string>
#include <vector>

#include "viz/scene/scene.h"
#include "viz/views/base/selection.h"
#include "viz/views/base/theme.h"
#include "viz/views/movement/words.h"

namespace lanescope::views {

struct MovementOptions {
  float width = 0, height = 0;  ///< height 0: 0.62 of the width
  std::string color_by{};       ///< as RegistersOptions; "": from the first to the last element that is shown
  bool values = false;          ///< cells are labelled with values, not with numbers of elements
  bool words = true;            ///< with the sentence above
};

/// Most flows that are drawn with their path; of more only those that are selected or followed.
inline constexpr int most_movement_paths = 130;

/// At Selection::share. What Selection names (place, element, address) has an arrow from before to after, each of its values
/// one; followed elements have a frame. Cells are movement_cell/ROW/COLUMN/AFTER, what travels movement_chip/FLOW.
scene::Scene movement_view(const Summary&, const Moment&, const Selection&, const MovementOptions&, const Theme&);

/// Flows that the selection is about: of its element, else from and to its place.
std::vector<int> selected_flows(const results::Movement&, const Selection&);
/// What a movement_cell or movement_chip is, in words; empty for any other id.
std::string movement_tooltip(const Summary&, const Moment&, const scene::Id&);
/// The selection that pointing at one means.
void select_of_movement(const results::Movement&, const scene::Id&, Selection&);

}  // namespace lanescope::views
