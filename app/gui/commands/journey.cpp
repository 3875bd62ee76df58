// Commands on elements that are followed.

#include "app/gui/commands/groups.h"
#include "app/gui/state/pins.h"
#include "results/step_index.h"

namespace lanescope::gui {

void add_journey_commands(std::vector<Command>& all) {
  CommandGroup group(all, "Picture");
  group.add(
      "journey.pin", "Follow the selected element",
      "Shows the path of the selected element in the panel Journey and flags it in every picture. The same command "
      "ends it; a click with Ctrl does the same.",
      {"K"}, refusal_of_pin, toggle_pin);
  group.add(
      "journey.unpin_all", "Follow no element", "Ends following of all elements.", {"Ctrl+Alt+K"},
      [](const App& a) { return a.navigation.selection.pins.empty() ? std::string("No element is followed.") : ""; },
      unpin_all);
  group.add("journey.record", "Record the block that accesses it",
            "Of a followed element that the recorded block does not access: records the first block that does, and "
            "shows the journey.",
            {"Ctrl+Alt+J"}, refusal_of_block, record_block_of_journey);
  group.add_repeating("journey.next", "Next place of the element",
                      "Moves to the step at which the followed element is in the next place of its path.", {"J"},
                      refusal_of_journey, [](App& a) { turn_station(a, 1); });
  group.add_repeating("journey.previous", "Previous place of the element",
                      "Moves to the step at which the followed element is in the place before.", {"Shift+J"},
                      refusal_of_journey, [](App& a) { turn_station(a, -1); });
  group.add("journey.arrival", "Next arrival of the element",
            "Shows the path to the next of the places in buffers at which the followed element arrives.", {"Shift+K"},
            refusal_of_journey, [](App& a) { next_arrival(a, journey_at_hand(a)); });
}

// Commands on trees of values.

namespace {

std::string needs_register(const App& app) {
  if (std::string no = needs_results(app); !no.empty()) return no;
  return app.navigation.selection.place ? "" : "No register is selected. Click a cell of the registers first.";
}

std::string needs_address(const App& app) {
  if (std::string no = needs_results(app); !no.empty()) return no;
  return app.navigation.selection.address ? ""
                                          : "No memory is selected. Click a word of shared or global memory first.";
}

}  // namespace

void add_tree_commands(std::vector<Command>& all) {
  CommandGroup group(all, "Picture");
  group.add("tree.register", "Tree of the selected register",
            "Draws the elements that the value in the selected lane was made of, and where they were combined.",
            {"Ctrl+T"}, needs_register, [](App& a) {
              a.tree.show_register(a.results, a.navigation.selection, false);
              a.shell.show_panel(PanelId::tree);
            });
  group.add("tree.warp", "Tree of the selected register in all lanes",
            "Draws how the values of the whole warp were made: a butterfly or a scan with every lane.", {"Ctrl+Alt+T"},
            needs_register, [](App& a) {
              a.tree.show_register(a.results, a.navigation.selection, true);
              a.shell.show_panel(PanelId::tree);
            });
  group.add(
      "tree.memory", "Tree of the selected memory",
      "Draws the elements that the selected word of shared memory, or the selected element of a buffer, was made of.",
      {}, needs_address, [](App& a) {
        a.tree.show_memory(a.results, a.navigation.selection);
        a.shell.show_panel(PanelId::tree);
      });
  group.add("tree.result", "Tree of the result",
            "Draws the stored element of the recorded block that depends on most elements.", {}, needs_results,
            [](App& a) {
              a.tree.show_best();
              a.shell.show_panel(PanelId::tree);
            });
  group.add(
      "tree.back", "Whole tree", "Draws the whole tree again, after a part of it was unfolded.", {},
      [](const App& a) { return a.tree.root() >= 0 ? std::string() : "The whole tree is drawn."; },
      [](App& a) { a.tree.unfold(-1); });
}

// Commands on the way between before and after a statement.

namespace {

void scrub(App& app, float by) {
  if (!app.shell.in_front(PanelId::movement)) app.shell.show_panel(PanelId::movement);
  app.movement.go_to(app.navigation.selection.share + by);
}

void neighbour(App& app, bool forward) {
  const views::Selection& at = app.navigation.selection;
  const auto step = forward ? results::next_statement_end(app.results.summary, at.step, at.warp)
                            : results::previous_statement_end(app.results.summary, at.step, at.warp);
  app.navigation.playing = false;
  if (!step)
    return app.shell.show_status(forward ? "This warp moves nothing after this step."
                                         : "This warp moves nothing before this step.");
  app.navigation.go_to_step(*step);
}

}  // namespace

void add_movement_commands(std::vector<Command>& all) {
  CommandGroup group(all, "Picture");
  group.add("movement.play", "Play the movement",
            "Moves every value of the statement from its old place to its new one. The same command stops it.",
            {"Shift+Space", "Alt+Shift+Space"}, needs_results, [](App& a) {
              const bool shown = a.shell.in_front(PanelId::movement);
              if (!shown) a.shell.show_panel(PanelId::movement);
              a.movement.play(!a.movement.playing(), a.shell.now);
            });
  group.add_repeating("movement.forward", "Move values on",
                      "Moves the values of the statement a little further to their new places.",
                      {"Shift+.", "Alt+Shift+."}, needs_results, [](App& a) { scrub(a, MovementFocus::notch); });
  group.add_repeating("movement.back", "Move values back",
                      "Moves the values of the statement a little back to their old places.",
                      {"Shift+,", "Alt+Shift+,"}, needs_results, [](App& a) { scrub(a, -MovementFocus::notch); });
  group.add("movement.before", "Before the statement", "Shows the state before the statement.", {"Shift+Home"},
            needs_results, [](App& a) { scrub(a, -1); });
  group.add("movement.after", "After the statement", "Shows the state after the statement.", {"Shift+End"},
            needs_results, [](App& a) { scrub(a, 1); });
  group.add_repeating(
      "movement.next", "Next movement",
      "Moves to the next execution of a statement of this warp that moves a value; of a loop in one line, to its next "
      "iteration.",
      {"Shift+N", "Alt+Shift+N"}, needs_results, [](App& a) { neighbour(a, true); });
  group.add_repeating("movement.previous", "Previous movement",
                      "Moves to the execution of a statement of this warp before that moved a value.",
                      {"Shift+P", "Alt+Shift+P"}, needs_results, [](App& a) { neighbour(a, false); });
  group.add("movement.speed", "Speed of the movement", "Switches between normal, double, a quarter and half speed.", {},
            needs_results, [](App& a) {
              a.movement.next_speed();
              a.shell.show_panel(PanelId::movement);
            });
  group.add("movement.values", "Values or elements that move",
            "Labels the moving cells with values or with numbers of elements.", {}, needs_results,
            [](App& a) { a.movement.values = !a.movement.values; });
  group.add("movement.exchange", "Statement or exchange",
            "Shows the movement of one statement, or of all statements that together make one exchange.", {},
            needs_results, [](App& a) { a.movement.one_statement = !a.movement.one_statement; });
}

}  // namespace lanescope::gui
