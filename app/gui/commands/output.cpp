// Commands on what the kernel printed.

#include "app/gui/commands/groups.h"

namespace lanescope::gui {
namespace {

std::string needs_output(const App& app) {
  if (std::string no = needs_results(app); !no.empty()) return no;
  return app.results.summary.printed.empty() ? "This kernel printed nothing." : "";
}

void go_by(App& app, int by) {
  app.output.lines(app.results.summary, app.results.version);
  const int call = app.output.neighbour(by);
  if (call < 0) return app.shell.show_status("No printed line matches the filter.");
  app.shell.show_panel(PanelId::output);
  app.show_printed(call);
}

/// The same filter again shows all lines.
void filter_by(App& app, const std::string& filter) {
  app.shell.show_panel(PanelId::output);
  app.output.filter = app.output.filter == filter ? std::string() : filter;
}

void filter_lane(App& app) {
  const auto& place = app.navigation.selection.place;
  if (!place) return app.shell.show_status("Select a register of the lane first.");
  filter_by(app, "warp " + std::to_string(place->warp) + ", lane " + std::to_string(place->lane));
}

}  // namespace

void add_output_commands(std::vector<Command>& all) {
  CommandGroup group(all, "Output");
  group.add_repeating(
      "output.next", "Next printed line", "Moves to the step that printed the next line of the list.", {},
      [](App& a) { go_by(a, 1); }, needs_output);
  group.add_repeating(
      "output.previous", "Previous printed line", "Moves to the step that printed the line before in the list.", {},
      [](App& a) { go_by(a, -1); }, needs_output);
  group.add(
      "output.filter", "Filter the output", "Takes a filter: words, or for example line 9, lane 3.", {},
      [](App& a) {
        a.shell.show_panel(PanelId::output);
        a.output.focus_request = true;
      },
      needs_output);
  group.add(
      "output.of_line", "Output of this line",
      "Lists only lines that the current source line printed. The same command lists everything again.", {},
      [](App& a) { filter_by(a, a.results.lines.words(a.navigation.selection.line)); }, needs_output);
  group.add("output.of_lane", "Output of this lane",
            "Lists only lines that the lane of the selected register printed. The same command lists everything again.",
            {}, filter_lane, needs_output);
}

}  // namespace lanescope::gui
