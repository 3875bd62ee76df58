// Timeline: what each warp did, step by step. Dragging scrubs; the wheel zooms at the cursor.

#include <algorithm>
#include <cmath>

#include "app/gui/commands/command.h"
#include "app/gui/panels/panel.h"
#include "app/gui/panels/scene_canvas.h"
#include "app/gui/state/steps.h"
#include "app/gui/widgets/zoom_range.h"
#include "viz/views/base/selection.h"
#include "viz/views/costs/timeline.h"

namespace lanescope::gui {
namespace {

class TimelinePanel final : public Panel {
 public:
  PanelId id() const override { return PanelId::timeline; }

  std::string subtitle(const App& app) const override {
    if (!app.results.have) return {};
    const StepCount count =
        count_in_warp(app.results.summary, app.navigation.selection.step, app.navigation.selection.warp);
    return "step " + std::to_string(count.number) + " of " + std::to_string(count.of) + " · warp " +
           std::to_string(app.navigation.selection.warp);
  }

  float lead(App& app, Stage& stage, ImVec2 at) override {
    if (!app.results.have) return 0;
    const std::string refusal = refusal_of(app, *find_command("step.next"));
    float x = at.x;
    const auto press = [&](const char* id, Icon icon, const char* command) {
      ButtonLook look;
      look.icon = icon;
      look.refusal = refusal;
      if (button(stage, id, {x, at.y}, "", hint_of(command), look)) run_command(app, command);
      x += button_width(stage, "", look) + stage.px(2);
    };
    press("First step", Icon::to_first, "step.first");
    press("Step back", Icon::step_back, "step.previous");
    press("Play", app.navigation.playing ? Icon::pause : Icon::play, "step.play");
    press("Step forward", Icon::step_forward, "step.next");
    press("Last step", Icon::to_last, "step.last");
    return x - at.x;
  }

  void choices(App& app, Stage& stage, HeaderRow& row) override {
    if (!app.results.have) return;
    const bool serial = axis_ == views::TimelineAxis::step;
    if (row.choice("Axis", "columns", serial ? "execution order" : "instruction of each warp",
                   "Selects the meaning of a column"))
      ImGui::OpenPopup("axis");
    row.gap(10);
    if (row.left() - 420 * stage.scale > 560 * stage.scale) legend(stage, row);
    if (!begin_menu(stage, "axis")) return;
    if (menu_entry(stage, "instruction of each warp", !serial)) set_axis(views::TimelineAxis::instruction);
    if (menu_entry(stage, "execution order", serial)) set_axis(views::TimelineAxis::step);
    end_menu();
  }

  void body(App& app, Stage& stage, Rectangle area) override {
    if (draw_missing_results(app, stage, area)) return;
    views::TimelineOptions o;
    o.axis = axis_;
    o.width = std::max(area.w / stage.scale, 60.0f);
    o.first = range_.first;
    o.last = range_.last;
    o.legend = false;  // in the title bar
    const int warps = static_cast<int>(app.results.summary.warps);
    o.most_warps = std::clamp(static_cast<int>((area.h / stage.scale - 16) / o.row_height), 1, std::max(warps, 1));
    o.first_warp = std::clamp(app.navigation.selection.warp - o.most_warps / 2, 0, std::max(warps - o.most_warps, 0));
    const std::string stamp = scene_stamp(app) + std::to_string(range_.first) + "," + std::to_string(range_.last) +
                              "," + std::to_string(o.most_warps) + (axis_ == views::TimelineAxis::step ? "s" : "i");
    const views::Selection shown = app.navigation.shown();
    const auto make = [&](float width) {
      o.width = width;
      return views::timeline_view(app.results.summary, app.results.moment, shown, o, app.shell.theme());
    };
    const SceneCanvas::Result result =
        canvas_.draw(app, stage, id(), area, stamp, make,
                     {.zooms = false, .shrink_to_fit = false, .centered = false, .least_fit = 1});
    apply_pointer(app, id(), result);
    if (result.dragging) scrub(app, o, result.at);
    if (result.wheel != 0) zoom(app, o, result.at, result.wheel);
    if (result.double_clicked || (app.shell.active_panel == id() && app.shell.fit_request)) set_axis(axis_);
    if (app.shell.active_panel == id() && app.shell.zoom_request > 0) {
      zoom(app, o, {o.width / 2, 0}, std::log(app.shell.zoom_request) / std::log(1.25f));
    }
  }

 private:
  static void legend(const Stage& stage, HeaderRow& row) {
    row.swatch("claim", stage.theme->good, true);
    row.swatch("store", stage.theme->step(trace::StepKind::store), false);
    row.swatch("shuffle", stage.theme->step(trace::StepKind::shuffle), false);
    row.swatch("move", stage.theme->step(trace::StepKind::move), false);
    row.swatch("load", stage.theme->step(trace::StepKind::load), false);
  }

  void set_axis(views::TimelineAxis axis) {
    axis_ = axis;
    range_.show_all();
  }

  void scrub(App& app, const views::TimelineOptions& o, scene::Point at) {
    app.navigation.playing = false;
    const std::int64_t step = views::timeline_step_at(app.results.summary, o, app.navigation.selection.warp, at.x);
    if (step >= 0 && step != app.navigation.selection.step) app.navigation.go_to_step(step);
  }

  void zoom(const App& app, const views::TimelineOptions& o, scene::Point at, float wheel) {
    const double columns = static_cast<double>(views::timeline_columns(app.results.summary, axis_));
    range_.zoom(columns, at.x / o.width, wheel);
  }

  SceneCanvas canvas_;
  views::TimelineAxis axis_ = views::TimelineAxis::instruction;
  ZoomRange range_;
};

}  // namespace

std::unique_ptr<Panel> make_timeline_panel() { return std::make_unique<TimelinePanel>(); }

}  // namespace lanescope::gui
