// Registers: which element is in which lane of which register, at this step.

#include <imgui_internal.h>

#include <algorithm>
#include <cmath>

#include "app/gui/panels/panel.h"
#include "kernels/base/enum_size.h"
#include "results/moment.h"
#include "results/summary.h"
#include "viz/views/base/selection.h"
#include "viz/views/registers/registers.h"

namespace lanescope::gui {
namespace {

class RegistersPanel final : public Panel {
 public:
  std::string subtitle(const App& app) const override {
    if (!app.results.have || app.results.moment.grids.empty()) return {};
    std::string text;
    for (const results::RegisterGrid& grid : app.results.moment.grids) {
      if (grid.family < 0 || grid.family >= static_cast<int>(app.results.summary.families.size())) continue;
      const auto& names = app.results.summary.families[grid.family].registers;
      if (names.empty()) continue;
      text += text.empty() ? "" : ", ";
      text += names.size() == 1 ? names.front() : names.front() + " … " + names.back();
    }
    const results::RegisterGrid& grid = app.results.moment.grids.front();
    const std::string first = std::to_string(grid.first_warp);
    return text + (grid.warps == 1 ? " · warp " + first
                                   : " · warps " + first + "–" + std::to_string(grid.first_warp + grid.warps - 1));
  }

  void choices(App& app, Stage& stage, HeaderRow& row) override {
    if (!app.results.have) return;
    const int warps = static_cast<int>(app.results.summary.warps);
    if (app.shell.view.warps_shown == 1 && warps > 1) {
      if (row.icon("Next warp", Icon::right, hint_of("warp.next"),
                   app.navigation.selection.warp + 1 < warps ? "" : "This is the last warp."))
        run_command(app, "warp.next");
      row.words("warp " + std::to_string(app.navigation.selection.warp));
      if (row.icon("Previous warp", Icon::left, hint_of("warp.previous"),
                   app.navigation.selection.warp > 0 ? "" : "This is the first warp."))
        run_command(app, "warp.previous");
    }
    drop_down(row, stage, "Families", "show", families_words(app), "Selects the register array",
              [&] { family_list(app, stage); });
    drop_down(row, stage, "Label", "label", std::string(enum_name(app.shell.view.label)), hint_of("picture.label"),
              [&] {
                for (const views::LabelMode mode : all_of<views::LabelMode>)
                  if (menu_entry(stage, std::string(enum_name(mode)).c_str(), app.shell.view.label == mode))
                    app.shell.view.label = mode;
              });
    drop_down(row, stage, "Colour", "colour", app.shell.view.color_by.empty() ? "automatic" : app.shell.view.color_by,
              "Selects the colour of the cells: by axis, logical bit or place", [&] { colour_list(app, stage); });
  }

  void body(App& app, Stage& stage, Rectangle area) override {
    if (draw_missing_results(app, stage, area)) return;
    const views::Selection shown = app.navigation.shown();
    const std::string stamp = scene_stamp(app) + app.shell.view.color_by +
                              char('0' + static_cast<int>(app.shell.view.label)) + (app.shell.view.arrows ? "a" : "") +
                              std::to_string(static_cast<int>(area.h / stage.scale));
    const float room = std::floor(area.h / stage.scale);
    const auto make = [&](float width) {
      views::RegistersOptions o{.width = width,
                                .height = room,
                                .label = app.shell.view.label,
                                .color_by = app.shell.view.color_by,
                                .arrows = app.shell.view.arrows};
      return views::registers_view(app.results.summary, app.results.moment, shown, o, app.shell.theme());
    };
    follow(app);
    apply_pointer(app, id(), canvas_.draw(app, stage, id(), area, stamp, make, {.least_fit = 0.92f}));
  }

 private:
  /// Rows that a step wrote come into sight if not all rows fit.
  void follow(const App& app) {
    const results::Moment& moment = app.results.moment;
    if (followed_ == app.results.moment_version) return;
    followed_ = app.results.moment_version;
    for (const results::RegisterGrid& grid : moment.grids) {
      const auto changed = std::find_if(grid.cells.begin(), grid.cells.end(), [](const auto& c) { return c.changed; });
      if (changed == grid.cells.end()) continue;
      const int row = static_cast<int>(changed - grid.cells.begin()) / 32, part = row % grid.parts;
      const int reg = row / grid.parts % grid.registers, warp = row / grid.parts / grid.registers;
      return canvas_.reveal({.kind = scene::Id::Kind::register_row,
                             .a = reg,
                             .b = grid.first_warp + warp,
                             .d = part,
                             .group = grid.family});
    }
  }

  static std::string families_words(const App& app) {
    if (app.shell.view.families.empty()) return "automatic";
    return app.shell.view.families.size() == 1 ? app.shell.view.families.front()
                                               : std::to_string(app.shell.view.families.size()) + " arrays";
  }

  static void colour_list(App& app, const Stage& stage) {
    const auto entry = [&](const std::string& label, const std::string& value) {
      if (menu_entry(stage, label.c_str(), app.shell.view.color_by == value)) app.shell.view.color_by = value;
    };
    entry("automatic", "");
    for (const results::BufferInfo& buffer : app.results.summary.buffers) {
      for (const source::Axis& axis : buffer.axes) entry(axis.name, axis.name);
      if (!buffer.axes.empty()) break;
    }
    for (const char* place : {"lane", "warp", "register"}) entry(place, place);
  }

  static void family_list(App& app, const Stage& stage) {
    auto& chosen = app.shell.view.families;
    if (menu_entry(stage, "automatic", chosen.empty())) chosen.clear();
    ImGui::Separator();
    ImGui::PushItemFlag(ImGuiItemFlags_SelectableDontClosePopup, true);
    for (const results::RegisterArray& family : app.results.summary.families) {
      const auto at = std::find(chosen.begin(), chosen.end(), family.name);
      const std::string label = family.registers.size() == 1
                                    ? family.name
                                    : family.name + " (" + std::to_string(family.registers.size()) + " registers)";
      if (menu_entry(stage, label.c_str(), at != chosen.end())) {
        if (at != chosen.end())
          chosen.erase(at);
        else
          chosen.push_back(family.name);
      }
    }
    ImGui::PopItemFlag();
    ImGui::Separator();
    if (menu_entry(stage, "all warps", app.shell.view.warps_shown > 1, key_of("picture.all_warps")))
      run_command(app, "picture.all_warps");
    if (menu_entry(stage, "arrows", app.shell.view.arrows, key_of("picture.arrows")))
      run_command(app, "picture.arrows");
  }

  SceneCanvas canvas_;
  std::uint64_t followed_ = 0;  ///< the moment whose changes were brought into sight
};

}  // namespace

std::unique_ptr<Panel> make_registers_panel() { return std::make_unique<RegistersPanel>(); }

}  // namespace lanescope::gui
