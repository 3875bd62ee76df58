#pragma once
// Launches over time, one lane for each stream, so that overlap can be seen.

#include <cstddef>
#include <span>
#include <string>

#include "results/measured.h"
#include "viz/views/base/selection.h"
#include "viz/views/base/theme.h"

namespace lanescope::views {

bool in_several_streams(const Measured&);

/// Launches [first, first + count) of a measurement, which are one run of the whole list.
struct Repetition {
  std::size_t first = 0, count = 0;
  std::size_t repetitions = 1;  ///< that the measurement holds
};
/// The list of launches was run several times, each time to its end before the next: the last of these, since the
/// first one also pays for what is done once. `launches` by start. Where no repetition shows, all of them are one.
Repetition last_repetition(std::span<const LaunchRow> launches);

/// Time in which launches of several streams ran at once, and from the first start to the last end.
struct Overlap {
  double at_once_us = 0, whole_us = 0;
};
Overlap overlap(std::span<const LaunchRow> launches);

/// Title, lanes and axis of the last repetition, below `y`; returns where they end. Marks are Id::Kind::launch_mark.
float draw_stream_lanes(scene::Scene&, const Measured&, float y, const Theme&);
std::string launch_mark_tooltip(const Measured&, const scene::Id&);

/// "4.25 µs": three digits, in the unit that suits.
std::string duration_text(double us);

}  // namespace lanescope::views
