// Commands on the window: overlays, arrangements, themes, scale.

#include <cctype>

#include "app/gui/commands/groups.h"
#include "app/gui/state/app.h"

namespace lanescope::gui {
namespace {

void next_theme(App& app) {
  const auto all = views::themes();
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i] == &app.shell.theme()) return app.shell.set_theme(std::string(all[(i + 1) % all.size()]->name));
  }
  app.shell.set_theme("dark");
}

}  // namespace

void add_window_commands(std::vector<Command>& all) {
  const std::string g = "Window";
  all.push_back({"app.palette",
                 g,
                 "Find a command…",
                 "Every command by name.",
                 chords({"Ctrl+P", "Ctrl+Shift+P"}),
                 false,
                 [](App& a) { show_overlay(a, Overlay::palette); },
                 {}});
  all.push_back({"app.glossary",
                 g,
                 "Glossary",
                 "Explains the terms of the window, the commands and their JSON, with a search.",
                 chords({"F1"}),
                 false,
                 [](App& a) { show_overlay(a, Overlay::glossary); },
                 {}});
  all.push_back({"app.help",
                 g,
                 "Keys",
                 "Lists the key of each command.",
                 chords({"Shift+F1"}),
                 false,
                 [](App& a) { show_overlay(a, Overlay::help); },
                 {}});
  const char* keys[] = {"F2", "F3", "F4"};
  const char* meanings[] = {"Registers and memory at the current step in the middle.",
                            "A larger source panel, and the stated assignment beside the actual one.",
                            "Memory accesses and counters."};
  for (int i = 0; i < arrangement_count; ++i) {
    const auto a = static_cast<Arrangement>(i);
    std::string name(arrangement_name(a)), id = name;
    id[0] = static_cast<char>(std::tolower(id[0]));
    all.push_back({"arrange." + id,
                   g,
                   "Arrange: " + name,
                   meanings[i],
                   chords({keys[i]}),
                   false,
                   [a](App& app) { app.shell.set_arrangement(a); },
                   {}});
  }
  all.push_back({"view.theme", g, "Next theme", "Dark, light, high contrast.", chords({"T"}), false, next_theme, {}});
  all.push_back({"view.larger",
                 g,
                 "Larger",
                 "Enlarges text and pictures.",
                 chords({"Ctrl++"}),
                 true,
                 [](App& a) { a.shell.set_scale(a.shell.view.scale + 0.125f); },
                 {}});
  all.push_back({"view.smaller",
                 g,
                 "Smaller",
                 "Reduces text and pictures.",
                 chords({"Ctrl+-"}),
                 true,
                 [](App& a) { a.shell.set_scale(a.shell.view.scale - 0.125f); },
                 {}});
  all.push_back({"view.usual",
                 g,
                 "Default scale",
                 "Sets the scale to 1.",
                 chords({"Ctrl+0"}),
                 false,
                 [](App& a) { a.shell.set_scale(1); },
                 {}});
  all.push_back({"view.presentation",
                 g,
                 "Presentation mode",
                 "Enlarges text and lines by half, for a projector.",
                 chords({"F5"}),
                 false,
                 [](App& a) { a.shell.view.presentation = !a.shell.view.presentation; },
                 {}});
  all.push_back({"view.full_screen",
                 g,
                 "Full screen",
                 "The window covers the whole display.",
                 chords({"Ctrl+F11"}),
                 false,
                 [](App& a) { a.shell.full_screen_request = true; },
                 {}});
}

}  // namespace lanescope::gui
