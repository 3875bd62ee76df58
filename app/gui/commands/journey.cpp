// Commands on elements that are followed.

#include "app/gui/commands/groups.h"
#include "app/gui/state/pins.h"

namespace lanescope::gui {

void add_journey_commands(std::vector<Command>& all) {
  CommandGroup group(all, "Picture");
  group.add(
      "journey.pin", "Follow the selected element",
      "Shows the path of the selected element in the panel Journey and flags it in every picture. The same command "
      "ends it; a click with Ctrl does the same.",
      {"K"}, toggle_pin, refusal_of_pin);
  group.add(
      "journey.unpin_all", "Follow no element", "Ends following of all elements.", {"Ctrl+Alt+K"}, unpin_all,
      [](const App& a) { return a.navigation.selection.pins.empty() ? std::string("No element is followed.") : ""; });
  group.add("journey.record", "Record the block that accesses it",
            "Of a followed element that the recorded block does not access: records the first block that does, and "
            "shows the journey.",
            {"Ctrl+Alt+J"}, record_block_of_journey, refusal_of_block);
  group.add_repeating(
      "journey.next", "Next place of the element",
      "Moves to the step at which the followed element is in the next place of its path.", {"J"},
      [](App& a) { turn_station(a, 1); }, refusal_of_journey);
  group.add_repeating(
      "journey.previous", "Previous place of the element",
      "Moves to the step at which the followed element is in the place before.", {"Shift+J"},
      [](App& a) { turn_station(a, -1); }, refusal_of_journey);
  group.add(
      "journey.arrival", "Next arrival of the element",
      "Shows the path to the next of the places in buffers at which the followed element arrives.", {"Shift+K"},
      [](App& a) { next_arrival(a, journey_at_hand(a)); }, refusal_of_journey);
}

}  // namespace lanescope::gui
