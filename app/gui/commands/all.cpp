// The table of commands, put together from its groups.

#include "app/gui/commands/groups.h"

namespace lanescope::gui {

std::vector<Chord> chords(std::initializer_list<const char*> texts) {
  std::vector<Chord> result;
  for (const char* text : texts) {
    if (const auto chord = parse_chord(text)) result.push_back(*chord);
  }
  return result;
}

std::string needs_results(const App& app) {
  if (app.results.have) return {};
  if (app.results.running) return "The kernel is still running; wait for its result.";
  return "Nothing has run yet; open a kernel, or mend the one on screen.";
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
    add_step_commands(list);
    add_picture_commands(list);
    add_memory_commands(list);
    add_buffer_commands(list);
    add_cost_commands(list);
    add_measure_commands(list);
    add_panel_commands(list);
    add_window_commands(list);
    return list;
  }();
  return all;
}

}  // namespace lanescope::gui
