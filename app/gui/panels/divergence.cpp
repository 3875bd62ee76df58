// Divergence: how many lanes each instruction ran with, warp by warp, and the lines that lose most of them.

#include <algorithm>
#include <cmath>

#include "app/gui/panels/panel.h"
#include "app/gui/widgets/zoom_range.h"
#include "viz/views/costs/timeline.h"
#include "viz/views/costs/warps.h"

namespace lanescope::gui {
namespace {

// Of divergence_view: the bars' share of the width, and the heights of its parts.
constexpr float bars_left = 66, bars_right = 82 + 12, heading_px = 28, warp_px = 40, table_px = 44, text_line_px = 20;

class DivergencePanel final : public Panel {
 public:
  std::string subtitle(const App& app) const override {
    if (!app.results.have) return {};
    views::DivergenceSums all;
    for (const results::LineDivergence& line : app.results.summary.divergence)
      if (line.line == 0) all = views::sums_of(line);
    if (all.instructions == 0) return {};
    return all.lost_lanes() == 0 ? "all lanes are active in every instruction" : "";
  }

  void body(App& app, Stage& stage, Rectangle area) override {
    if (draw_missing_results(app, stage, area)) return;
    views::DivergenceOptions o = fitting(app, area.h / stage.scale);
    const std::string stamp = scene_stamp(app) + std::to_string(range_.first) + "," + std::to_string(range_.last) +
                              "," + std::to_string(o.first_warp) + "," + std::to_string(o.most_warps) + "," +
                              std::to_string(o.most_lines);
    const views::Selection shown = app.navigation.shown();
    const auto make = [&](float width) {
      o.width = width;
      return views::divergence_view(app.results.summary, app.results.moment, shown, o, app.shell.theme());
    };
    SceneCanvas::Result result =
        canvas_.draw(app, stage, id(), area, stamp, make,
                     {.zooms = false, .shrink_to_fit = true, .centered = false, .least_fit = 0.8f});
    if (result.clicked && result.clicked->kind == scene::Id::Kind::divergence_row) {
      app.navigation.reveal_line = result.clicked->a;
      app.navigation.go_to_line(result.clicked->a);
      result.clicked.reset();
    }
    apply_pointer(app, id(), result);
    const bool active = app.shell.active_panel == id();
    if (result.wheel != 0) zoom(app, result.at.x, area.w / stage.scale, result.wheel);
    if (active && app.shell.zoom_request > 0)
      zoom(app, area.w / stage.scale / 2, area.w / stage.scale, std::log(app.shell.zoom_request) / std::log(1.25));
    if (result.double_clicked || (active && app.shell.fit_request)) range_.show_all();
  }

 private:
  /// As many warps as fit into two thirds of the room, around the one looked at, and lines in the rest.
  views::DivergenceOptions fitting(const App& app, float height) const {
    views::DivergenceOptions o;
    const int warps = std::max(static_cast<int>(app.results.summary.warps), 1);
    // Whole instructions: a bar is then one of them as long as there is room.
    o.first = std::floor(range_.first);
    o.last = range_.last < 0 ? -1 : std::ceil(range_.last);
    o.most_warps = std::clamp(static_cast<int>((height * 0.66f - heading_px) / warp_px), 1, warps);
    o.first_warp = std::clamp(app.navigation.selection.warp - o.most_warps / 2, 0, warps - o.most_warps);
    const float left = height - heading_px - warp_px * static_cast<float>(o.most_warps) - table_px;
    o.most_lines = std::max(static_cast<int>(left / text_line_px) - 1, 2);
    return o;
  }

  void zoom(const App& app, float x, float width, double notches) {
    const double columns =
        static_cast<double>(views::timeline_columns(app.results.summary, views::TimelineAxis::instruction));
    if (columns > 0) range_.zoom(columns, (x - bars_left) / std::max(width - bars_left - bars_right, 1.0f), notches);
  }

  SceneCanvas canvas_;
  ZoomRange range_;
};

}  // namespace

std::unique_ptr<Panel> make_divergence_panel() { return std::make_unique<DivergencePanel>(); }

}  // namespace lanescope::gui
