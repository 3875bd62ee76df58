// Commands on the window: overlays, arrangements, themes, scale.

#include <algorithm>

#include "app/gui/commands/groups.h"
#include "kernels/base/text.h"

namespace lanescope::gui {
namespace {

void next_theme(App& app) {
  const auto all = views::themes();
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i] == &app.shell.theme()) return app.shell.set_theme(std::string(all[(i + 1) % all.size()]->name));
  }
  app.shell.set_theme("dark");
}

void next_picture(App& app) {
  const std::vector<PanelId> pictures = app.shell.stage_pictures();
  const auto at = std::find(pictures.begin(), pictures.end(), app.shell.staged);
  app.shell.show_panel(at == pictures.end() || at + 1 == pictures.end() ? pictures.front() : at[1]);
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
  group.add("view.next_picture", "Next picture of the presentation",
            "Shows the next picture: registers, assignment, global memory, shared memory, timeline.", {"Tab"},
            next_picture,
            [](const App& a) { return a.shell.view.presentation ? "" : "Presentation mode is off. F5 starts it."; });
  group.add("view.full_screen", "Full screen", "The window covers the whole display.", {"Ctrl+F11"},
            [](App& a) { a.shell.full_screen_request = true; });
}

}  // namespace lanescope::gui
