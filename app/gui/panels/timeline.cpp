// Timeline: what each warp did, step by step. Dragging scrubs; the wheel zooms at the cursor, with Shift it scrolls; the
// strip above shows the whole run while a part of it is shown below.

#include "viz/views/costs/timeline.h"
#include "viz/views/costs/timeline_bands.h"

#include <algorithm>
#include <cmath>

#include "app/gui/panels/panel.h"
#include "app/gui/widgets/zoom_range.h"
#include "kernels/base/numbers.h"
#include "viz/views/base/selection.h"

namespace lanescope::gui {
namespace {

constexpr float lowest_row = 12, usual_row = 19, highest_row = 24;
constexpr float lead_px = 132;  ///< of the buttons at the left
constexpr int rows_wanted = 4;

class TimelinePanel final : public Panel {
 public:
  std::string subtitle(const App& app) const override {
    if (!app.results.have) return {};
    const int warp = app.navigation.selection.warp;
    const results::StepIndex& index = app.results.index;
    const std::size_t number = index.before(app.results.summary, warp, app.navigation.selection.step + 1);
    const results::Summary& s = app.results.summary;
    std::string words =
        "step " + spaced(number) + " of " + spaced(index.of_warp(warp).size()) + " · warp " + std::to_string(warp);
    if (s.first_step > 0)
      words += " · in steps " + spaced(s.first_step + 1) + " to " + spaced(s.first_step + s.timeline.size()) +
               (s.block_steps > 0 ? " of " + spaced(s.block_steps) : "") + " of the block";
    return words;
  }

  float lead(App& app, Stage& stage, ImVec2 at) override {
    if (!app.results.have) return 0;
    const std::string refusal = refusal_of(app, *find_command("step.next"));
    float x = at.x;
    const auto press = [&](const char* id, Icon icon, const char* command) {
      ButtonLook look{.icon = icon, .refusal = refusal};
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
    drop_down(row, stage, "Axis", "columns", serial ? "execution order" : "instruction of each warp",
              "Selects the meaning of a column", [&] {
                if (menu_entry(stage, "instruction of each warp", !serial)) set_axis(views::TimelineAxis::instruction);
                if (menu_entry(stage, "execution order", serial)) set_axis(views::TimelineAxis::step);
              });
    const auto room = [&] { return row.room() / stage.scale - lead_px; };
    row.gap(4);
    if (room() > 300) search_field(app, row);
    const auto around = iterations(app);
    if (!app.results.summary.loops.empty() && room() > 150) {
      const std::string value =
          around.empty() ? "none"
                         : spaced(around.front().number) + " of " + spaced(around.front().of) +
                               (app.results.summary.first_step > 0 ? " shown" : "");  // earlier ones are not counted
      if (row.choice("Iteration", "iteration", value,
                     "Iteration of the compiled loop around this step: one may be several of the source's\n" +
                         hint_of("iteration.next")))
        ImGui::OpenPopup("iteration");
    }
    if (room() > 80 && row.choice("Legend", "", "legend", "What the marks mean")) ImGui::OpenPopup("legend");
    row.gap(6);
    inline_legend(app, stage, row, room() - 170);
    iteration_menu(app, stage, around);
    legend_menu(app, stage);
  }

  void body(App& app, Stage& stage, Rectangle area) override {
    if (draw_missing_results(app, stage, area)) return;
    app.search.refresh();
    follow(app);
    views::TimelineOptions o = options_for(app, area.h / stage.scale);
    o.width = std::max(area.w / stage.scale, 60.0f);
    if (problems_of_ != app.results.version) {
      problems_of_ = app.results.version;
      problems_ = views::problem_marks(app.results.summary);
    }
    o.problems = problems_;
    const std::string stamp = scene_stamp(app) + std::to_string(range_.first) + "," + std::to_string(range_.last) +
                              "," + std::to_string(o.most_warps) + "," + std::to_string(o.row_height) + "," +
                              std::to_string(app.search.version()) + (axis_ == views::TimelineAxis::step ? "s" : "i");
    const views::Selection shown = app.navigation.shown();
    const auto make = [&](float width) {
      o.width = width;
      return views::timeline_view(app.results.summary, app.results.index, app.results.moment, shown, o,
                                  app.shell.theme());
    };
    const SceneCanvas::Result result = canvas_.draw(
        app, stage, id(), area, stamp, make,
        {.zooms = false, .shrink_to_fit = false, .centered = false, .least_fit = 1, .grabs = [](const scene::Id& hit) {
           return hit.kind == scene::Id::Kind::timeline_overview;
         }});
    apply_pointer(app, id(), result);
    if (result.clicked && result.clicked->kind == scene::Id::Kind::timeline_problem) {
      app.shell.show_panel(PanelId::problems);
      app.show_problem(result.clicked->a);
    }
    act(app, o, result);
  }

 private:
  void act(App& app, const views::TimelineOptions& o, const SceneCanvas::Result& result) {
    const double columns = static_cast<double>(views::timeline_columns(app.results.summary, app.results.index, axis_));
    const views::TimelineGeometry at = views::timeline_geometry(app.results.summary, o);
    const auto share = [&](float x) { return std::clamp((x - at.left) / std::max(at.width, 1.0f), 0.0f, 1.0f); };
    if (result.grabbed)
      range_.move_to(columns, share(result.at.x) * columns - (range_.last - range_.first) / 2);
    else if (result.dragging)
      scrub(app, o, result.at);
    const ImGuiIO& io = ImGui::GetIO();
    const float across = result.hovered ? (io.KeyShift ? io.MouseWheel : -io.MouseWheelH) : 0;
    if (across != 0)
      range_.move_to(columns, range_.first - across * (range_.last - range_.first) / 8);
    else if (result.wheel != 0)
      range_.zoom(columns, share(result.at.x), result.wheel);
    if (result.double_clicked || (app.shell.active_panel == id() && app.shell.fit_request)) range_.show_all();
    if (app.shell.active_panel == id() && app.shell.zoom_request > 0) {
      // Around the step, where it is in sight.
      const auto column = static_cast<double>(column_of_step(app));
      const double extent = range_.zoomed() ? range_.last - range_.first : columns;
      const double where =
          column >= range_.first && column < range_.first + extent ? (column - range_.first) / extent : 0.5;
      range_.zoom(columns, where, std::log(app.shell.zoom_request) / std::log(1.25f));
    }
  }

  std::int64_t column_of_step(const App& app) const {
    return views::timeline_column_of(app.results.summary, app.results.index, axis_, app.navigation.selection.step);
  }

  /// Where one goes somewhere else, the part that is shown goes along.
  void follow(const App& app) {
    const std::int64_t step = app.navigation.selection.step;
    if (step == followed_) return;
    followed_ = step;
    const double columns = static_cast<double>(views::timeline_columns(app.results.summary, app.results.index, axis_));
    if (const std::int64_t column = column_of_step(app); column >= 0)
      range_.follow(columns, static_cast<double>(column));
  }

  /// As many warps as fit, in lower rows where fewer than four would; around the one looked at.
  views::TimelineOptions options_for(const App& app, float height) const {
    views::TimelineOptions o{.axis = axis_, .first = range_.first, .last = range_.last};
    o.legend = false;  // in the title bar
    o.overview = range_.zoomed();
    o.hits = app.search.hits();
    const int warps = std::max(static_cast<int>(app.results.summary.warps), 1);
    const float room = height - views::timeline_geometry(app.results.summary, o).rows_top - 6;
    // Rows of the usual height where four fit, else lower ones; higher ones where there is room for all warps.
    const int low = std::clamp(static_cast<int>(room / lowest_row), 1, std::min(warps, rows_wanted));
    o.most_warps = std::clamp(static_cast<int>(room / usual_row), low, warps);
    o.row_height = std::floor(std::clamp(room / static_cast<float>(o.most_warps), lowest_row, highest_row));
    if (o.most_warps < warps) o.row_height = std::min(o.row_height, usual_row);
    o.first_warp = std::clamp(app.navigation.selection.warp - o.most_warps / 2, 0, std::max(warps - o.most_warps, 0));
    return o;
  }

  /// Of the loops around the step, asked once for each step.
  const std::vector<results::Iteration>& iterations(const App& app) {
    const std::pair now{app.results.version, app.navigation.selection.step};
    if (now != iterations_of_)
      iterations_ =
          results::iterations_at(app.results.summary, app.results.index, app.navigation.selection.warp, now.second);
    iterations_of_ = now;
    return iterations_;
  }

  void set_axis(views::TimelineAxis axis) {
    axis_ = axis;
    range_.show_all();
  }

  void scrub(App& app, const views::TimelineOptions& o, scene::Point at) {
    app.navigation.playing = false;
    const std::int64_t step =
        views::timeline_step_at(app.results.summary, app.results.index, o, app.navigation.selection.warp, at.x);
    if (step >= 0 && step != app.navigation.selection.step) app.navigation.go_to_step(step);
  }

  SceneCanvas canvas_;
  views::TimelineAxis axis_ = views::TimelineAxis::instruction;
  ZoomRange range_;
  std::int64_t followed_ = -1;
  std::pair<std::uint64_t, std::int64_t> iterations_of_{0, -2};
  std::vector<results::Iteration> iterations_;
  std::vector<views::TimelineProblem> problems_;
  std::uint64_t problems_of_ = 0;  ///< Results::version
};

}  // namespace

std::unique_ptr<Panel> make_timeline_panel() { return std::make_unique<TimelinePanel>(); }

}  // namespace lanescope::gui
