// The table of commands, put together from its groups.

#include "app/gui/commands/groups.h"

namespace lanescope::gui {

void CommandGroup::add(std::string id, std::string title, std::string description,
                       std::initializer_list<const char*> keys, std::function<std::string(const App&)> refusal,
                       std::function<void(App&)> run) {
  Command command{.id = std::move(id),
                  .group = name_,
                  .title = std::move(title),
                  .description = std::move(description),
                  .run = std::move(run),
                  .refusal = std::move(refusal)};
  for (const char* text : keys)
    if (const auto chord = parse_chord(text)) command.keys.push_back(*chord);
  all_.push_back(std::move(command));
}

void CommandGroup::add(std::string id, std::string title, std::string description,
                       std::initializer_list<const char*> keys, std::function<void(App&)> run) {
  add(std::move(id), std::move(title), std::move(description), keys, nullptr, std::move(run));
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
    for (AddCommands* add :
         {add_file_commands, add_edit_commands, add_run_commands, add_design_commands, add_problem_commands,
          add_output_commands, add_step_commands, add_picture_commands, add_tree_commands, add_journey_commands,
          add_movement_commands, add_memory_commands, add_buffer_commands, add_cost_commands, add_measure_commands,
          add_lesson_commands, add_panel_commands, add_window_commands})
      add(list);
    return list;
  }();
  return all;
}

}  // namespace lanescope::gui
