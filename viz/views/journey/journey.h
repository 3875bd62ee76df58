#pragma once
// Journeys as a strip: one row for each element that is followed, its stations from left to right with a small picture
// of the place (32 lanes of a register, 32 banks of shared memory, the words of a line of 128 bytes), and between them
// the operation that moved it, with its line. A path is shown, the one to where the element arrives; copies that remain
// on the way are counted.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "results/journey.h"
#include "viz/views/base/draw.h"
#include "viz/views/base/selection.h"
#include "viz/views/base/theme.h"

namespace lanescope::views {

struct JourneyOptions {
  float width = 0;
  std::string color_by{};          ///< as in RegistersOptions
  std::vector<int> ends{};         ///< by journey: which of its arrivals the path leads to; absent: the first
  std::size_t most_stations = 24;  ///< of a path; the middle of a longer one is folded
};
/// Highlights the station of each element at `selection.step`.
Scene journey_view(const Summary&, const Journeys&, const Selection&, const JourneyOptions&, const Theme&);

/// The path that the strip shows of a journey.
std::vector<std::int32_t> shown_path(const Journey& journey, int end);

/// "x1.hi", "q[144]", "shared +256": a place in one word.
std::string short_place(const Summary&, const Journey&, const JourneyPlace&);
/// "x1.hi, warp 0, lane 8", "q[0, 9, 0] (element 144)", "shared memory, byte 256 (row 2, bank 0)".
std::string place_words(const Summary&, const Journey&, const JourneyPlace&);
/// "load", "sums".
std::string_view short_hop_name(results::Hop::Way);
/// "load", "shuffle from lane 12", "compute +".
std::string hop_name(const results::Hop&);
/// "load, line 26", "shuffle from lane 12, line 50 · select, line 51"; empty: it was there.
std::string hops_words(const Summary&, const Station&);
/// "with 31 other elements in one value", "some of its bits"; empty: the element itself.
std::string value_words(const Station&);
/// A sentence about parts that a journey does not show; empty: none. "The recorded block 0 does not access it; block 3
/// does."
std::string journey_remark(const Summary&, const Journeys&, const Journey&);

/// Words for an id of the strip; empty: it is none.
std::string journey_tooltip(const Summary&, const Journeys&, const Id&);
/// The step and the place that a click on an id of the strip shows; nullopt: it shows none.
std::optional<Selection> select_in_journey(const Summary&, const Journeys&, const JourneyOptions&, const Id&,
                                           Selection before);
/// One row a station of the shown paths.
std::string journey_csv(const Summary&, const Journeys&, const JourneyOptions&);

}  // namespace lanescope::views
