// Commands on the pictures in the panels.

#include <algorithm>
#include <array>
#include <filesystem>

#include "app/gui/commands/groups.h"
#include "app/gui/state/app.h"

namespace lanescope::gui {
namespace {

void escape(App& app) {
  app.navigation.playing = false;
  app.memory.play_wavefronts(false);
  if (app.shell.overlay != Overlay::none) {
    app.shell.overlay = Overlay::none;
  } else if (app.shell.view.maximised) {
    app.shell.view.maximised.reset();
  } else {
    app.memory.dismiss_evidence();
    app.memory.show_wavefront(-1);
    app.navigation.selection.place.reset();
    app.navigation.selection.element.reset();
    app.navigation.selection.address.reset();
    app.navigation.selection.family = -1;
  }
}

/// The counters that say most; one of the others comes before all of them.
void next_heat(App& app) {
  constexpr std::array<const char*, 4> usual{"", "instructions", "global_sectors", "shared_wavefronts"};
  const auto* now = std::find(usual.begin(), usual.end(), app.shell.view.heat);
  app.shell.view.heat = now == usual.end() || now + 1 == usual.end() ? usual[0] : now[1];
}

/// Asks for a path; its suffix chooses the form.
void save_panel(App& app, const char* suffix) {
  show_overlay(app, Overlay::export_path);
  const std::filesystem::path file(app.document.file());
  const std::string stem = file.empty() ? "lanescope" : file.stem().string();
  const std::string name = stem + "-" + std::string(panel_name(app.shell.active_panel)) + suffix;
  app.shell.overlay_text =
      (app.shell.view.export_folder.empty() ? file.parent_path()
                                            : std::filesystem::path(app.shell.view.export_folder)) /
      name;
}

void add_export_commands(std::vector<Command>& all, const std::string& g) {
  struct Form {
    const char *id, *title, *description, *key, *suffix;
  };
  constexpr Form forms[] = {{"picture.save_svg", "Save the panel as SVG…",
                             "The picture of the active panel as an SVG document.", "Ctrl+Alt+S", ".svg"},
                            {"picture.save_png", "Save the panel as PNG…", "The picture of the active panel in pixels.",
                             "Ctrl+Alt+P", ".png"},
                            {"picture.save_csv", "Save the panel as CSV…",
                             "The numbers of the active panel as comma-separated values.", "Ctrl+Alt+C", ".csv"}};
  for (const Form& f : forms) {
    all.push_back({f.id, g, f.title, f.description, chords({f.key}), false,
                   [suffix = f.suffix](App& a) { save_panel(a, suffix); }, needs_results});
  }
}

}  // namespace

void add_picture_commands(std::vector<Command>& all) {
  const std::string g = "Picture";
  all.push_back({"picture.label",
                 g,
                 "Next label mode",
                 "Cells show their element, their value or their tag.",
                 chords({"L"}),
                 false,
                 [](App& a) {
                   a.shell.view.label = static_cast<views::LabelMode>((static_cast<int>(a.shell.view.label) + 1) % 3);
                 },
                 {}});
  all.push_back({"picture.arrows",
                 g,
                 "Arrows",
                 "Shows or hides where data moved in this step.",
                 chords({"A"}),
                 false,
                 [](App& a) { a.shell.view.arrows = !a.shell.view.arrows; },
                 {}});
  all.push_back({"picture.all_warps",
                 g,
                 "All warps or one",
                 "Registers of one warp, or of up to sixteen.",
                 chords({"W"}),
                 false,
                 [](App& a) { a.shell.view.warps_shown = a.shell.view.warps_shown > 1 ? 1 : 16; },
                 {}});
  all.push_back({"picture.heat",
                 g,
                 "Next heat column",
                 "Counts beside the source lines: none, instructions, sectors, wavefronts; the list has all counters.",
                 chords({"H"}),
                 false,
                 next_heat,
                 {}});
  all.push_back({"picture.fit",
                 g,
                 "Fit",
                 "Shows the whole picture of the active panel.",
                 chords({"0"}),
                 false,
                 [](App& a) { a.shell.fit_request = true; },
                 {}});
  all.push_back({"picture.zoom_in",
                 g,
                 "Zoom in",
                 "Enlarges the picture of the active panel.",
                 chords({"+"}),
                 true,
                 [](App& a) { a.shell.zoom_request = 1.25f; },
                 {}});
  all.push_back({"picture.zoom_out",
                 g,
                 "Zoom out",
                 "Shrinks the picture of the active panel.",
                 chords({"-"}),
                 true,
                 [](App& a) { a.shell.zoom_request = 0.8f; },
                 {}});
  all.push_back({"picture.deselect",
                 g,
                 "Back out",
                 "Closes what is open, restores a maximised panel, or forgets the selected cell.",
                 chords({"Escape"}),
                 false,
                 escape,
                 {}});
  add_export_commands(all, g);
}

}  // namespace lanescope::gui
