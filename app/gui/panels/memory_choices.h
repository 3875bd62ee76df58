#pragma once
// The drop-down lists of the generation whose memory an access is drawn on, and of the path of its loads.

#include "app/gui/commands/command.h"
#include "app/gui/commands/memory_route.h"
#include "app/gui/panels/panel.h"

namespace lanescope::gui {

/// `row`: a HeaderRow or a ControlStrip. `load`: loads of global memory choose a path.
template <class Row>
void memory_choices(App& app, const Stage& stage, Row& row, bool load) {
  const std::string& chosen = app.shell.view.memory_arch;
  const std::string shown = memory_shown(app).arch;
  if (row.choice("Generation", "memory of", shown.empty() ? "H200" : shown, hint_of("memory.generation")))
    ImGui::OpenPopup("generations");
  if (begin_menu(stage, "generations")) {
    if (menu_entry(stage, "that of the GPU", chosen.empty())) choose_generation(app, "");
    for (const std::string& name : engine::arch_names())
      if (menu_entry(stage, generation_words(name).c_str(), name == chosen)) choose_generation(app, name);
    end_menu();
  }
  const auto paths = paths_shown(app, load);
  if (paths.size() < 2) return;
  const auto path = path_shown(app, load);
  if (row.choice("Path", "path", path ? std::string(access::name_of(*path)) : "each", hint_of("memory.path")))
    ImGui::OpenPopup("paths");
  if (!begin_menu(stage, "paths")) return;
  if (menu_entry(stage, "each that differs", !path)) choose_path(app, std::nullopt);
  for (const access::LoadPath one : paths)
    if (menu_entry(stage, std::string(access::name_of(one)).c_str(), path == one)) choose_path(app, one);
  end_menu();
}

/// Of a scene's stamp: what these lists choose.
inline std::string memory_stamp(const App& app) {
  return "|" + memory_shown(app).arch + "|" + app.shell.view.load_path;
}

}  // namespace lanescope::gui
