// Commands on the way between before and after a statement.

#include "app/gui/commands/groups.h"
#include "results/step_index.h"

namespace lanescope::gui {
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
  group.add(
      "movement.play", "Play the movement",
      "Moves every value of the statement from its old place to its new one. The same command stops it.",
      {"Shift+Space", "Alt+Shift+Space"},
      [](App& a) {
        const bool shown = a.shell.in_front(PanelId::movement);
        if (!shown) a.shell.show_panel(PanelId::movement);
        a.movement.play(!a.movement.playing(), a.shell.now);
      },
      needs_results);
  group.add_repeating(
      "movement.forward", "Move values on", "Moves the values of the statement a little further to their new places.",
      {"Shift+.", "Alt+Shift+."}, [](App& a) { scrub(a, MovementFocus::notch); }, needs_results);
  group.add_repeating(
      "movement.back", "Move values back", "Moves the values of the statement a little back to their old places.",
      {"Shift+,", "Alt+Shift+,"}, [](App& a) { scrub(a, -MovementFocus::notch); }, needs_results);
  group.add(
      "movement.before", "Before the statement", "Shows the state before the statement.", {"Shift+Home"},
      [](App& a) { scrub(a, -1); }, needs_results);
  group.add(
      "movement.after", "After the statement", "Shows the state after the statement.", {"Shift+End"},
      [](App& a) { scrub(a, 1); }, needs_results);
  group.add_repeating(
      "movement.next", "Next movement",
      "Moves to the next execution of a statement of this warp that moves a value; of a loop in one line, to its next "
      "iteration.",
      {"Shift+N", "Alt+Shift+N"}, [](App& a) { neighbour(a, true); }, needs_results);
  group.add_repeating(
      "movement.previous", "Previous movement",
      "Moves to the execution of a statement of this warp before that moved a value.", {"Shift+P", "Alt+Shift+P"},
      [](App& a) { neighbour(a, false); }, needs_results);
  group.add(
      "movement.speed", "Speed of the movement", "Switches between normal, double, a quarter and half speed.", {},
      [](App& a) {
        a.movement.next_speed();
        a.shell.show_panel(PanelId::movement);
      },
      needs_results);
  group.add(
      "movement.values", "Values or elements that move",
      "Labels the moving cells with values or with numbers of elements.", {},
      [](App& a) { a.movement.values = !a.movement.values; }, needs_results);
  group.add(
      "movement.exchange", "Statement or exchange",
      "Shows the movement of one statement, or of all statements that together make one exchange.", {},
      [](App& a) { a.movement.one_statement = !a.movement.one_statement; }, needs_results);
}

}  // namespace lanescope::gui
