// Commands on the list of problems.

#include "app/gui/commands/groups.h"
#include "app/gui/model/steps.h"

namespace lanescope::gui {
namespace {

std::string needs_problems(const App& app) {
  if (!app.results.problems.empty()) return {};
  if (std::string no = needs_results(app); !no.empty()) return no;
  return "No problem was found in this kernel.";
}

/// With the list in front; the panels that show the evidence stay where they are.
void look_at(App& app, int index) {
  app.shell.show_panel(PanelId::problems);
  app.show_problem(index);
}

void first_of(App& app, Severity severity) {
  const int index = app.problems.first_of(severity);
  if (index < 0) return app.shell.show_status("There is no " + std::string(results::severity_name(severity)) + ".");
  look_at(app, index);
}

void other_side(App& app) {
  const results::Problem* problem = app.problems.chosen();
  if (problem == nullptr) return look_at(app, 0);
  const int sides = static_cast<int>(problem->parties.size());
  if (sides == 0) return app.shell.show_status("This problem has no two sides.");
  app.show_party(app.problems.current(), (app.problems.party() + 1) % sides);
}

void change_block(App& app, int by) {
  const results::Summary& s = app.results.summary;
  const std::int64_t block = static_cast<std::int64_t>(s.recorded_block) + by;
  if (block < 0 || block >= static_cast<std::int64_t>(s.grid.count()))
    return app.shell.show_status("There is no further block in this direction.");
  app.requests.record_block(static_cast<std::uint32_t>(block));
}

std::string needs_launches(const App& app) {
  if (std::string no = needs_results(app); !no.empty()) return no;
  return app.results.summary.launches.size() > 1 ? std::string() : "This kernel is launched once.";
}

void next_launch(App& app) {
  const results::Summary& s = app.results.summary;
  const int next = (s.recorded_launch + 1) % static_cast<int>(s.launches.size());
  app.requests.record({0, next});
  app.shell.show_status("Recording " + launch_words(s, next) + "…");
}

// Commands on what the kernel printed.

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

void add_problem_commands(std::vector<Command>& all) {
  CommandGroup group(all, "Problems");
  group.add("problem.worst", "Worst problem", "Moves to the worst problem of the kernel: its block, warp and step.",
            {"E", "Alt+E"}, needs_problems, [](App& a) { look_at(a, 0); });
  group.add_repeating("problem.next", "Next problem", "Moves to the next problem of the list.", {"F8"}, needs_problems,
                      [](App& a) { look_at(a, a.problems.neighbour(1)); });
  group.add_repeating("problem.previous", "Previous problem", "Moves to the previous problem of the list.",
                      {"Shift+F8"}, needs_problems, [](App& a) { look_at(a, a.problems.neighbour(-1)); });
  group.add("problem.other_side", "Other side of the problem",
            "Moves to the next of the threads of a problem: writer and reader, or one lane and another.",
            {"Shift+E", "Alt+Shift+E"}, needs_problems, other_side);
  group.add("problem.first_warning", "First warning", "Moves to the first warning of the list of problems.", {},
            needs_problems, [](App& a) { first_of(a, Severity::warning); });
  group.add("problem.first_assumed", "First problem that rests on an assumption",
            "Moves to the first error of the list that rests on an assumption.", {}, needs_problems, [](App& a) {
              const int index = a.problems.first_assumed();
              index < 0 ? a.shell.show_status("No error rests on an assumption.") : look_at(a, index);
            });
  group.add("problem.first_note", "First note", "Moves to the first note of the list of problems.", {}, needs_problems,
            [](App& a) { first_of(a, Severity::note); });
  group.add("block.next", "Next block", "Records the next block of the grid and shows it.", {"Shift+Down"},
            needs_results, [](App& a) { change_block(a, 1); });
  group.add("block.previous", "Previous block", "Records the previous block of the grid and shows it.", {"Shift+Up"},
            needs_results, [](App& a) { change_block(a, -1); });
  group.add("launch.next", "Next launch", "Records the next of several launches and shows it.", {}, needs_launches,
            next_launch);
}

void add_output_commands(std::vector<Command>& all) {
  CommandGroup group(all, "Output");
  group.add_repeating("output.next", "Next printed line", "Moves to the step that printed the next line of the list.",
                      {}, needs_output, [](App& a) { go_by(a, 1); });
  group.add_repeating("output.previous", "Previous printed line",
                      "Moves to the step that printed the line before in the list.", {}, needs_output,
                      [](App& a) { go_by(a, -1); });
  group.add("output.filter", "Filter the output", "Takes a filter: words, or for example line 9, lane 3.", {},
            needs_output, [](App& a) {
              a.shell.show_panel(PanelId::output);
              a.output.focus_request = true;
            });
  group.add("output.of_line", "Output of this line",
            "Lists only lines that the current source line printed. The same command lists everything again.", {},
            needs_output, [](App& a) { filter_by(a, a.results.lines.words(a.navigation.selection.line)); });
  group.add("output.of_lane", "Output of this lane",
            "Lists only lines that the lane of the selected register printed. The same command lists everything again.",
            {}, needs_output, filter_lane);
}

}  // namespace lanescope::gui
