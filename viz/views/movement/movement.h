#pragma once
// A statement as two states and the way between them: every value at its place before, at its place after, or on its way.

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "viz/scene/scene.h"
#include "viz/views/base/selection.h"
#include "viz/views/base/theme.h"

namespace lanescope::views {

// A movement in words: found from the flows alone, so that the words describe the code as it ran and not as its
// author meant.

/// Which lane each lane's new value comes from, over all flows between registers that need another lane: -1 where none
/// does, nullopt where one lane receives from several.
struct LaneMap {
  std::array<int, 32> from{};
  bool any = false;
};
std::optional<LaneMap> lane_map(const results::Movement& movement);
/// "a reversal of the 32 lanes: lane l receives from lane 31 − l"; empty for a map without a simple rule.
std::string lane_map_words(const LaneMap& map);

/// One or two sentences: what the statement does with the values. Never empty.
std::string movement_words(const Summary& summary, const Moment& moment);
/// The same in a few words, for a title: "v · line 12".
std::string movement_subject(const Summary& summary, const Moment& moment);

/// "x0 in lane 5", "p[140] in global memory", "bank 3 of shared memory, byte 140".
std::string movement_place_words(const Summary& summary, const results::Movement& movement, int row, int column);
/// Of a cell: its value, and the origin or the destination of that.
std::string movement_cell_words(const Summary& summary, const results::Movement& movement, int row, int column,
                                bool after);
/// One row per value that is read, written or both.
std::string to_csv(const Summary& summary, const results::Movement& movement);
/// Of a value on its way.
std::string movement_flow_words(const Summary& summary, const results::Movement& movement, int flow);

struct MovementOptions {
  float width = 0, height = 0;  ///< height 0: 0.62 of the width
  std::string color_by{};       ///< as RegistersOptions; "": from the first to the last element that is shown
  bool values = false;          ///< cells are labelled with values, not with numbers of elements
  bool words = true;            ///< with the sentence above
};

/// Most flows that are drawn with their path; of more only those that are selected or followed.
inline constexpr int most_movement_paths = 130;

/// At Selection::share. The selected place, element or address has arrows from before to after, one for each of its
/// values; followed elements have a frame. Cells are movement_cell/ROW/COLUMN/AFTER, moving values movement_chip/FLOW.
scene::Scene movement_view(const Summary&, const Moment&, const Selection&, const MovementOptions&, const Theme&);

/// Flows that the selection is about: of its element, else from and to its place.
std::vector<int> selected_flows(const results::Movement&, const Selection&);
/// A movement_cell or movement_chip in words; empty for any other id.
std::string movement_tooltip(const Summary&, const Moment&, const scene::Id&);
/// The selection that pointing at one means.
void select_of_movement(const results::Movement&, const scene::Id&, Selection&);

}  // namespace lanescope::views
