#pragma once
// The groups of the command table, in the order of the menus; each has a file of its own.

#include <initializer_list>
#include <string>
#include <vector>

#include "app/gui/commands/command.h"
#include "app/gui/state/app.h"

namespace lanescope::gui {

void add_file_commands(std::vector<Command>& all);
void add_edit_commands(std::vector<Command>& all);
void add_design_commands(std::vector<Command>& all);
void add_run_commands(std::vector<Command>& all);
void add_problem_commands(std::vector<Command>& all);
void add_output_commands(std::vector<Command>& all);
void add_step_commands(std::vector<Command>& all);
void add_picture_commands(std::vector<Command>& all);
void add_tree_commands(std::vector<Command>& all);
void add_journey_commands(std::vector<Command>& all);
void add_movement_commands(std::vector<Command>& all);
void add_memory_commands(std::vector<Command>& all);
void add_buffer_commands(std::vector<Command>& all);
void add_cost_commands(std::vector<Command>& all);
void add_measure_commands(std::vector<Command>& all);
void add_lesson_commands(std::vector<Command>& all);
void add_panel_commands(std::vector<Command>& all);
void add_window_commands(std::vector<Command>& all);

// --- shared by the groups
// ----------------------------------------------------------------------------------------------

/// Adds the commands of one group to the table.
class CommandGroup {
 public:
  CommandGroup(std::vector<Command>& all, std::string name) : all_(all), name_(std::move(name)) {}
  /// `keys`: as parse_chord reads them; an unknown name is left out.
  void add(std::string id, std::string title, std::string description, std::initializer_list<const char*> keys,
           std::function<void(App&)> run, std::function<std::string(const App&)> refusal = {});
  /// As add(); it runs again and again while its key is held.
  void add_repeating(std::string id, std::string title, std::string description,
                     std::initializer_list<const char*> keys, std::function<void(App&)> run,
                     std::function<std::string(const App&)> refusal = {});

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
