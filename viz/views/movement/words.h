#pragma once
// A movement in words: found from the flows alone, so that the words describe the code as it ran and not as its
// author meant.

#include <array>
#include <optional>
#include <string>

#include "viz/views/base/selection.h"

namespace lanescope::views {

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

}  // namespace lanescope::views
