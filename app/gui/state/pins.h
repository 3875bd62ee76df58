#pragma once
// Elements that are followed: pinning them, and going along their journeys.

#include <cstdint>
#include <optional>
#include <string>

#include "app/gui/state/app.h"
#include "viz/views/journey/journey.h"

namespace lanescope::gui {

/// The selected element is followed from now on, and the panel of journeys is shown; or it is followed no longer.
void toggle_pin(App& app);
/// Why the selected element cannot be followed; empty: it can.
std::string refusal_of_pin(const App& app);
void unpin_all(App& app);

/// How the strip is drawn: colours as in the registers, and which arrival each path leads to.
views::JourneyOptions journey_options(const App& app);
/// Moves to the step and the place of a station or a hop of the strip.
void go_in_journey(App& app, const scene::Id& id);
/// The station after the one of the present step, or the one before it, of the element that is selected, else pinned
/// last.
void turn_station(App& app, int by);
/// The path to the next of the places that it arrives at.
void next_arrival(App& app, int journey);
std::string refusal_of_journey(const App& app);
/// The block that accesses an element which is followed and the recorded block does not; nullopt: there is none, or it
/// is not known.
std::optional<std::uint32_t> block_of_journey(const App& app);
/// Records that block, so that the journey is shown.
void record_block_of_journey(App& app);
std::string refusal_of_block(const App& app);
/// The journey of the selected element, else of the one pinned last; -1: nothing is pinned, or it has not arrived yet.
int journey_at_hand(const App& app);

/// Where followed elements lie in memory at the step of the moment.
std::vector<results::PinnedPlace> pinned_now(const App& app);
/// The followed element at a shape in a view of memory, "holds p[0, 4, 0], which is followed"; empty: none.
std::string pinned_words(const App& app, const scene::Id& id);
/// Of the memory that is selected: which followed element it holds since when; empty: none.
std::string pinned_here(const App& app);

}  // namespace lanescope::gui
