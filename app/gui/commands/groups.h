#pragma once
// The groups of the command table, in the order of the menus; each has a file of its own.

#include <initializer_list>
#include <string>
#include <vector>

#include "app/gui/commands/command.h"
#include "app/gui/state/app.h"

namespace lanescope::gui {

/// Adds the commands of a file to the table.
using AddCommands = void(std::vector<Command>& all);
AddCommands add_file_commands, add_edit_commands, add_design_commands, add_run_commands, add_problem_commands,
    add_output_commands, add_step_commands, add_picture_commands, add_tree_commands, add_journey_commands,
    add_movement_commands, add_memory_commands, add_buffer_commands, add_cost_commands, add_measure_commands,
    add_lesson_commands, add_panel_commands, add_window_commands;

// --- shared by the groups
// ----------------------------------------------------------------------------------------------

/// Adds the commands of one group to the table.
class CommandGroup {
 public:
  CommandGroup(std::vector<Command>& all, std::string name) : all_(all), name_(std::move(name)) {}
  /// `keys`: as parse_chord reads them; an unknown name is left out.
  void add(std::string id, std::string title, std::string description, std::initializer_list<const char*> keys,
           std::function<std::string(const App&)> refusal, std::function<void(App&)> run);
  /// The command can always run.
  void add(std::string id, std::string title, std::string description, std::initializer_list<const char*> keys,
           std::function<void(App&)> run);
  /// As add(); it runs again and again while its key is held.
  template <class... Actions>
  void add_repeating(std::string id, std::string title, std::string description,
                     std::initializer_list<const char*> keys, Actions... actions) {
    add(std::move(id), std::move(title), std::move(description), keys, std::move(actions)...);
    all_.back().repeats = true;
  }

 private:
  std::vector<Command>& all_;
  std::string name_;
};

/// Refusal of commands that need a successful run.
std::string needs_results(const App& app);
/// Opens it empty, or closes it when it is the one that is open.
void show_overlay(App& app, Overlay overlay);
/// Begins to write a handout of the run on show.
void write_handout(App& app, const std::string& path);

}  // namespace lanescope::gui
