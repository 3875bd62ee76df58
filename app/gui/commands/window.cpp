// Commands on the window: overlays, arrangements, themes, scale.

#include <algorithm>

#include "app/gui/commands/groups.h"
#include "app/gui/model/arrangement.h"
#include "kernels/base/text.h"

namespace lanescope::gui {
namespace {

void next_theme(App& app) {
  const auto all = views::themes();
  for (std::size_t i = 0; i < all.size(); ++i)
    if (all[i] == &app.shell.theme()) return app.shell.set_theme(std::string(all[(i + 1) % all.size()]->name));
  app.shell.set_theme("dark");
}

void next_picture(App& app) {
  const std::vector<PanelId> pictures = app.shell.stage_pictures();
  const auto at = std::find(pictures.begin(), pictures.end(), app.shell.staged);
  app.shell.show_panel(at == pictures.end() || at + 1 == pictures.end() ? pictures.front() : at[1]);
}

// Commands on panels: which are shown, which is in front, which has the window to itself.

void toggle_maximise(App& app) {
  if (app.shell.view.maximised)
    app.shell.view.maximised.reset();
  else
    app.shell.view.maximised = app.shell.active_panel;
}

/// Elsewhere: moves there; already there: hides it.
void toggle_panel(App& app, PanelId id) {
  if (app.shell.view.presentation) return app.shell.show_panel(id);
  if (id == PanelId::shared && app.shell.without_shared)
    return app.shell.show_status("This kernel uses no shared memory.");
  if (app.shell.in_front(id) && app.shell.active_panel == id)
    app.shell.hide_panel(id);
  else
    app.shell.show_panel(id);
}

void turn_tabs(App& app, int by) {
  const std::vector<PanelId> tabs = tabs_beside(app.shell.shown_view(), app.shell.active_panel);
  const auto at = std::find(tabs.begin(), tabs.end(), app.shell.active_panel);
  if (tabs.size() < 2 || at == tabs.end()) return app.shell.show_status("The active panel has no other tabs.");
  const auto count = static_cast<std::ptrdiff_t>(tabs.size());
  app.shell.show_panel(tabs[static_cast<std::size_t>((at - tabs.begin() + by + count) % count)]);
}

/// Ctrl+1 to Ctrl+9, then Alt, then Ctrl+Alt, then Ctrl+Shift+Alt.
std::string key_of_panel(int number) {
  constexpr const char* modifiers[] = {"Ctrl+", "Alt+", "Ctrl+Alt+", "Ctrl+Shift+Alt+"};
  return modifiers[std::min((number - 1) / 9, 3)] + std::to_string((number - 1) % 9 + 1);
}

}  // namespace

void add_window_commands(std::vector<Command>& all) {
  CommandGroup group(all, "Window");
  group.add("app.palette", "Find a command…", "Every command by name.", {"Ctrl+P", "Ctrl+Shift+P"},
            [](App& a) { show_overlay(a, Overlay::palette); });
  group.add("app.menu", "Menu", "Opens the menu with all commands.", {"F10"},
            [](App& a) { a.shell.menu_request = true; });
  group.add("app.glossary", "Glossary", "Explains the terms of the window, the commands and their JSON, with a search.",
            {"F1"}, [](App& a) { show_overlay(a, Overlay::glossary); });
  group.add("app.picture_notes", "What the picture means", "Notes on every panel, with lines to what they explain.",
            {"Ctrl+F1"}, [](App& a) { show_overlay(a, Overlay::picture_notes); });
  group.add("app.welcome", "Welcome page", "The lessons, recent files and the catalogue with pictures.", {"Alt+F1"},
            [](App& a) { show_overlay(a, Overlay::welcome); });
  group.add("app.help", "Keys", "Lists the key of each command.", {"Shift+F1"},
            [](App& a) { show_overlay(a, Overlay::help); });
  const char* keys[] = {"F2", "F3", "F4", "F6"};
  const char* meanings[] = {"Registers and memory at the current step in the middle.",
                            "A larger source panel, and the stated assignment beside the actual one.",
                            "Memory accesses and counters.",
                            "The layout under design: both ends as chips, plans, elements and code."};
  for (int i = 0; i < arrangement_count; ++i) {
    const auto a = static_cast<Arrangement>(i);
    const std::string name(arrangement_name(a));
    group.add("arrange." + lower(name), "Arrange: " + name, meanings[i], {keys[i]},
              [a](App& app) { app.shell.set_arrangement(a); });
  }
  group.add("view.theme", "Next theme", "Dark, light, high contrast.", {"T"}, next_theme);
  group.add_repeating("view.larger", "Larger", "Enlarges text and pictures.", {"Ctrl++"},
                      [](App& a) { a.shell.set_scale(a.shell.view.scale + 0.125f); });
  group.add_repeating("view.smaller", "Smaller", "Reduces text and pictures.", {"Ctrl+-"},
                      [](App& a) { a.shell.set_scale(a.shell.view.scale - 0.125f); });
  group.add("view.usual", "Default scale", "Sets the scale to 1.", {"Ctrl+0"}, [](App& a) { a.shell.set_scale(1); });
  group.add("view.presentation", "Presentation mode",
            "Shows one picture as large as possible, with the current line, a caption and the step control, for a "
            "projector. The same command shows the panels again.",
            {"F5"}, [](App& a) {
              a.shell.present(!a.shell.view.presentation);
              if (a.shell.view.presentation) a.stage_moment();
            });
  group.add(
      "view.next_picture", "Next picture of the presentation",
      "Shows the next picture: registers, assignment, global memory, shared memory, timeline.", {"Tab"},
      [](const App& a) { return a.shell.view.presentation ? "" : "Presentation mode is off. F5 starts it."; },
      next_picture);
  group.add("view.full_screen", "Full screen", "The window covers the whole display.", {"Ctrl+F11"},
            [](App& a) { a.shell.full_screen_request = true; });
}

void add_panel_commands(std::vector<Command>& all) {
  CommandGroup group(all, "Panels");
  group.add("view.maximise", "Maximise the panel",
            "Shows the active panel in the whole window. The same command restores it.", {"M", "F11"}, toggle_maximise);
  group.add("view.hide", "Hide the panel", "Hides the active panel.", {},
            [](App& a) { a.shell.hide_panel(a.shell.active_panel); });
  int number = 1;
  for (const PanelId id : all_panels) {
    const std::string key = key_of_panel(number++), title(panel_title(id));
    group.add("panel." + std::string(panel_name(id)), "Panel: " + title,
              "Moves to the panel, in front of its tabs. In the active panel, hides it.", {key.c_str()},
              [id](App& a) { toggle_panel(a, id); });
  }
  group.add("view.code_beside", "Source and PTX side by side",
            "Shows PTX or machine code beside the source. The same command puts them into one place again.",
            {"Ctrl+\\"}, [](App& a) {
              ViewOptions& v = a.shell.view;
              v.code_beside = !v.code_beside;
              if (v.code_beside) a.shell.show_panel(PanelId::ptx);
              a.shell.show_panel(PanelId::source);
            });
  group.add(
      "view.block_map", "Threads of the block",
      "Maps the threads of the block to warps and lanes in the panel of the grid. The same command shows the grid "
      "again.",
      {}, [](App& a) {
        ViewOptions& v = a.shell.view;
        const bool shown = v.grid_map == GridMap::threads && a.shell.in_front(PanelId::grid);
        v.grid_map = shown ? GridMap::blocks : GridMap::threads;
        a.shell.show_panel(PanelId::grid);
      });
  group.add(
      "view.launch_tree", "Grids that launch grids",
      "Draws the grids that kernels launch as a tree in the panel of the grid. The same command shows the grid again.",
      {}, [](const App& a) { return a.results.summary.grids.empty() ? "no kernel of this run launches kernels" : ""; },
      [](App& a) {
        ViewOptions& v = a.shell.view;
        const bool shown = v.grid_map == GridMap::launches && a.shell.in_front(PanelId::grid);
        v.grid_map = shown ? GridMap::blocks : GridMap::launches;
        a.shell.show_panel(PanelId::grid);
      });
  group.add("panel.all", "Show all panels", "Shows all panels in the default sizes of the arrangement.", {},
            [](App& a) {
              a.shell.view.hidden = {};
              a.shell.view.maximised.reset();
              a.shell.view.shares[static_cast<int>(a.shell.view.arrangement)] = {};
            });
  group.add_repeating("panel.next_tab", "Next tab", "Shows the next tab beside the active panel.", {"Ctrl+PageDown"},
                      [](App& a) { turn_tabs(a, 1); });
  group.add_repeating("panel.previous_tab", "Previous tab", "Shows the previous tab beside the active panel.",
                      {"Ctrl+PageUp"}, [](App& a) { turn_tabs(a, -1); });
}

}  // namespace lanescope::gui
