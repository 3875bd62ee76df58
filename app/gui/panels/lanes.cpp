// Lanes: which lanes of the warp are active at each instruction, where they diverge and reconverge, and where they wait.

#include <algorithm>
#include <cmath>

#include "app/gui/panels/panel.h"
#include "app/gui/widgets/zoom_range.h"
#include "viz/views/costs/warps.h"

namespace lanescope::gui {
namespace {

class LanesPanel final : public Panel {
 public:
  void choices(App& app, Stage& stage, HeaderRow& row) override {
    static_cast<void>(stage);
    const int warps = static_cast<int>(app.results.summary.warps);
    if (!app.results.have || warps < 2) return;
    const int warp = app.navigation.selection.warp;
    if (row.icon("Next warp of lanes", Icon::right, hint_of("warp.next"),
                 warp + 1 < warps ? "" : "This is the last warp."))
      run_command(app, "warp.next");
    row.words("warp " + std::to_string(warp));
    if (row.icon("Previous warp of lanes", Icon::left, hint_of("warp.previous"),
                 warp > 0 ? "" : "This is the first warp."))
      run_command(app, "warp.previous");
  }

  void body(App& app, Stage& stage, Rectangle area) override {
    if (draw_missing_results(app, stage, area)) return;
    const results::StepIndex& index = app.results.index;
    const int warp = app.navigation.selection.warp;
    const auto columns = static_cast<double>(index.of_warp(warp).size());
    follow(app, columns);
    views::LanesOptions o{.height = area.h / stage.scale - 4, .warp = warp, .first = range_.first, .last = range_.last};
    const std::string stamp = scene_stamp(app) + std::to_string(warp) + "," + std::to_string(range_.first) + "," +
                              std::to_string(range_.last) + "," + std::to_string(static_cast<int>(o.height)) + "," +
                              std::to_string(index.marks());
    const views::Selection shown = app.navigation.shown();
    const auto make = [&](float width) {
      o.width = width;
      return views::lanes_view(app.results.summary, index, app.results.moment, shown, o, app.shell.theme());
    };
    const SceneCanvas::Result result =
        canvas_.draw(app, stage, id(), area, stamp, make,
                     {.zooms = false, .shrink_to_fit = true, .centered = false, .least_fit = 0.8f});
    apply_pointer(app, id(), result);
    const views::LanesGeometry at = views::lanes_geometry({.width = area.w / stage.scale});
    const auto share = [&](float x) { return std::clamp((x - at.left) / std::max(at.width, 1.0f), 0.0f, 1.0f); };
    const ImGuiIO& io = ImGui::GetIO();
    const bool active = app.shell.active_panel == id();
    if (result.wheel != 0 && io.KeyShift)
      range_.move_to(columns, range_.first - result.wheel * (range_.last - range_.first) / 8);
    else if (result.wheel != 0)
      range_.zoom(columns, share(result.at.x), result.wheel);
    if (active && app.shell.zoom_request > 0)
      range_.zoom(columns, 0.5, std::log(app.shell.zoom_request) / std::log(1.25));
    if (result.double_clicked || (active && app.shell.fit_request)) range_.show_all();
  }

 private:
  void follow(const App& app, double columns) {
    const std::int64_t step = app.navigation.selection.step;
    if (step == followed_) return;
    followed_ = step;
    range_.follow(columns, static_cast<double>(
                               app.results.index.before(app.results.summary, app.navigation.selection.warp, step)));
  }

  SceneCanvas canvas_;
  ZoomRange range_;
  std::int64_t followed_ = -1;
};

}  // namespace

std::unique_ptr<Panel> make_lanes_panel() { return std::make_unique<LanesPanel>(); }

}  // namespace lanescope::gui
