// Grid: every block of the launch on one map; a click records the block and shows it.

#include <algorithm>

#include "app/gui/panels/panel.h"
#include "app/gui/panels/scene_canvas.h"
#include "viz/views/costs/grid.h"

namespace lanescope::gui {
namespace {

class GridPanel final : public Panel {
 public:
  PanelId id() const override { return PanelId::grid; }

  std::string subtitle(const App& app) const override {
    return app.results.have ? "block " + std::to_string(app.results.summary.recorded_block) + " is recorded" : "";
  }

  void choices(App& app, Stage& stage, HeaderRow& row) override {
    if (!app.results.have) return;
    if (row.choice("Block heat", "heat", std::string(views::block_heat_name(heat_)),
                   "Selects the counter by which blocks are coloured"))
      ImGui::OpenPopup("block heat");
    if (!begin_menu(stage, "block heat")) return;
    for (int i = 0; i < views::block_heat_count; ++i) {
      const auto heat = static_cast<views::BlockHeat>(i);
      if (menu_entry(stage, std::string(views::block_heat_name(heat)).c_str(), heat == heat_)) heat_ = heat;
    }
    end_menu();
  }

  void body(App& app, Stage& stage, Rectangle area) override {
    if (draw_missing_results(app, stage, area)) return;
    views::GridOptions o{.width = area.w / stage.scale, .height = area.h / stage.scale, .heat = heat_};
    const std::string stamp =
        scene_stamp(app) + std::to_string(static_cast<int>(heat_)) + "," + std::to_string(static_cast<int>(o.height));
    const auto make = [&](float width) {
      o.width = width;
      return views::grid_view(app.results.summary, app.results.problems, o, app.shell.theme());
    };
    SceneCanvas::Result result = canvas_.draw(
        app, stage, id(), area, stamp, make,
        {.zooms = false, .shrink_to_fit = false, .centered = false, .least_fit = 1, .grabs = {}, .scrolls = true});
    if (result.clicked && result.clicked->kind == scene::Id::Kind::grid_block) {
      if (const auto block = static_cast<std::uint32_t>(result.clicked->a);
          block != app.results.summary.recorded_block) {
        app.requests.record_block(block);
        app.shell.show_status("Recording block " + std::to_string(block) + "…");
      }
      result.clicked.reset();
    }
    apply_pointer(app, id(), result);
  }

 private:
  SceneCanvas canvas_;
  views::BlockHeat heat_ = views::BlockHeat::instructions;
};

}  // namespace

std::unique_ptr<Panel> make_grid_panel() { return std::make_unique<GridPanel>(); }

}  // namespace lanescope::gui
