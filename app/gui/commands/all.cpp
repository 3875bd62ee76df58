// The table of commands, put together from its groups.

#include "app/gui/commands/groups.h"

namespace lanescope::gui {

void CommandGroup::add(std::string id, std::string title, std::string description,
                       std::initializer_list<const char*> keys, std::function<void(App&)> run,
                       std::function<std::string(const App&)> refusal) {
  Command command{.id = std::move(id),
                  .group = name_,
                  .title = std::move(title),
                  .description = std::move(description),
                  .run = std::move(run),
                  .refusal = std::move(refusal)};
  for (const char* text : keys) {
    if (const auto chord = parse_chord(text)) command.keys.push_back(*chord);
  }
  all_.push_back(std::move(command));
}

void CommandGroup::add_repeating(std::string id, std::string title, std::string description,
                                 std::initializer_list<const char*> keys, std::function<void(App&)> run,
                                 std::function<std::string(const App&)> refusal) {
  add(std::move(id), std::move(title), std::move(description), keys, std::move(run), std::move(refusal));
  all_.back().repeats = true;
}

std::string needs_results(const App& app) {
  if (app.results.have) return {};
  if (app.results.running) return "The kernel is still running. Wait for its result.";
  return "There is no result yet. Open a kernel, or correct the one on screen.";
}

void show_overlay(App& app, Overlay overlay) {
  app.shell.overlay_text.clear();
  app.shell.overlay = app.shell.overlay == overlay ? Overlay::none : overlay;
}

std::span<const Command> commands() {
  static const std::vector<Command> all = [] {
    std::vector<Command> list;
    add_file_commands(list);
    add_edit_commands(list);
    add_run_commands(list);
    add_design_commands(list);
    add_problem_commands(list);
    add_output_commands(list);
    add_step_commands(list);
    add_picture_commands(list);
    add_tree_commands(list);
    add_journey_commands(list);
    add_movement_commands(list);
    add_memory_commands(list);
    add_buffer_commands(list);
    add_cost_commands(list);
    add_measure_commands(list);
    add_lesson_commands(list);
    add_panel_commands(list);
    add_window_commands(list);
    return list;
  }();
  return all;
}

}  // namespace lanescope::gui
