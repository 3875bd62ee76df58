#pragma once
// The groups of the command table, in the order of the menus; each has a file of its own (command_list_*.cpp).

#include <initializer_list>
#include <string>
#include <vector>

#include "app/gui/commands/command.h"
#include "app/gui/state/app.h"

namespace lanescope::gui {

void add_file_commands(std::vector<Command>& all);
void add_edit_commands(std::vector<Command>& all);
void add_run_commands(std::vector<Command>& all);
void add_step_commands(std::vector<Command>& all);
void add_picture_commands(std::vector<Command>& all);
void add_memory_commands(std::vector<Command>& all);
void add_buffer_commands(std::vector<Command>& all);
void add_cost_commands(std::vector<Command>& all);
void add_measure_commands(std::vector<Command>& all);
void add_panel_commands(std::vector<Command>& all);
void add_window_commands(std::vector<Command>& all);

// --- shared by the groups ----------------------------------------------------------------------------------------------

/// Keys by their names; a name that is none is left out.
std::vector<Chord> chords(std::initializer_list<const char*> texts);
/// Refusal of what needs a run that worked.
std::string needs_results(const App& app);
/// Opens it empty, or closes it when it is the one that is open.
void show_overlay(App& app, Overlay overlay);

}  // namespace lanescope::gui
