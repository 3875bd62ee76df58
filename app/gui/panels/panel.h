#pragma once
// A part of the window. The window draws frame and title; the panel draws its body.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/gui/commands/command.h"
#include "app/gui/commands/memory_route.h"
#include "app/gui/state/app.h"
#include "app/gui/widgets/stage.h"
#include "results/step_index.h"
#include "viz/views/base/csv.h"
#include "viz/views/tooltips.h"

namespace lanescope::gui {

/// The right half of a panel's title bar, filled from the right edge. Entries that would reach beyond `left` are left
/// out.
class HeaderRow {
 public:
  HeaderRow(const Stage& stage, float left, float right, float center_y)
      : stage_(stage), least_(left), right_(right), y_(center_y) {}
  /// "colour j ▾": opens the drop-down list of the same id when pressed.
  bool choice(const char* id, const std::string& name, const std::string& value, const std::string& hint);
  bool icon(const char* id, Icon icon, const std::string& hint, const std::string& refusal = {});
  bool action(const char* id, const std::string& text, const std::string& hint);
  void words(const std::string& text);
  void gap(float px) { right_ -= stage_.px(px); }
  /// A field of so many pixels (at scale 1) for text. True: Enter was pressed in it.
  bool field(const char* id, std::string& text, float width_px, const std::string& shown_empty, const std::string& hint,
             bool take_keyboard);
  float y() const { return y_; }
  float room() const { return right_ - least_; }
  /// x of the last entry: the space to the left of it is free.
  float left() const { return right_; }

 private:
  bool fits(float width) const { return right_ - width >= least_; }

  const Stage& stage_;
  float least_, right_, y_;
};

class Panel {
 public:
  virtual ~Panel() = default;
  PanelId id() const { return id_; }
  /// By the window that owns it.
  void set_id(PanelId id) { id_ = id; }
  virtual std::string title(const App&) const { return std::string(panel_title(id())); }
  virtual std::string subtitle(const App&) const { return {}; }
  virtual void choices(App&, Stage&, HeaderRow&) {}
  /// Buttons between title and subtitle; returns their width.
  virtual float lead(App&, Stage&, ImVec2 /*left_center*/) { return 0; }
  virtual void body(App&, Stage&, Rectangle area) = 0;
  /// True while it has the keyboard focus.
  virtual bool typing(const App&) const { return false; }
  virtual void leave_typing(App&) {}
  /// Its contents as comma-separated values; empty: none. Its pictures are in Stage::scenes.
  virtual std::string csv(const App& app) const {
    return views::to_csv(panel_name(id()), app.results.summary, app.results.moment);
  }

 private:
  PanelId id_ = PanelId::source;
};

std::unique_ptr<Panel> make_source_panel(), make_assignment_panel(), make_registers_panel(), make_global_panel(),
    make_shared_panel(), make_inspector_panel(), make_timeline_panel(), make_ptx_panel(), make_divergence_panel(),
    make_occupancy_panel(), make_calculator_panel(), make_metrics_panel(), make_stalls_panel(), make_compare_panel(),
    make_host_calls_panel(), make_sass_panel(), make_live_panel(), make_buffers_panel(), make_problems_panel(),
    make_grid_panel(), make_output_panel(), make_options_panel(), make_designer_panel(), make_plans_panel(),
    make_elements_panel(), make_code_panel(), make_lanes_panel(), make_tree_panel(), make_journey_panel(),
    make_movement_panel(), make_lesson_panel(), make_moments_panel(), make_barriers_panel(), make_claims_panel();

/// Draws the reason for a missing picture in the middle of `area`. True: there is none. During a first run it draws
/// nothing: the window reports the run, once.
bool draw_missing_results(const App& app, const Stage& stage, Rectangle area);
/// Progress of the current run, and a button that stops it.
void draw_run_under_way(App& app, const Stage& stage, Rectangle area);

// A panel as a file: its picture as SVG or PNG, its numbers as CSV.

/// The suffix of `path` chooses the form. Refused, with what to do instead: another suffix, a picture of a panel that
/// draws none or is not on screen, numbers if it shows none, and errors of the file system.
Expected<void> export_panel(const App& app, const Stage& stage, const Panel& panel, const std::string& path);

// A scene on the screen: painted, zoomed at the cursor, panned, hit-tested. A clicked shape becomes the Selection; the
// shape under the mouse gets a tooltip. The right button opens the panel's menu.

class SceneCanvas {
 public:
  struct Options {
    bool zooms = true;          ///< by wheel; else the wheel scrolls
    bool shrink_to_fit = true;  ///< a scene higher than its room is shown whole, smaller
    bool centered = true;       ///< a scene that is narrower than its area is centred
    float least_fit = 0.62f;    ///< but not smaller than this: then it keeps its width and is panned
    /// Shapes that are dragged themselves instead of the whole scene; empty: none.
    std::function<bool(const scene::Id&)> grabs{};
    bool scrolls = false;  ///< a page: the wheel scrolls a scene that is higher than its area
  };
  struct Result {
    bool hovered = false;
    scene::Point at;  ///< of the mouse, in the scene
    std::optional<scene::Id> hit, clicked;
    bool dragging = false;  ///< with the left button, started here
    bool double_clicked = false;
    float wheel = 0;                     ///< when the canvas does not zoom
    std::optional<scene::Id> grabbed{};  ///< a shape of Options::grabs, while the button is down
    scene::Point moved;                  ///< how far it was dragged, in the scene
  };

  /// Remakes the scene when `stamp` differs from the last one. `make` gets the width there is, at scale 1.
  Result draw(App& app, Stage& stage, PanelId panel, Rectangle area, const std::string& stamp,
              const std::function<scene::Scene(float width)>& make, const Options& options);
  void fit() { zoom_ = 1, pan_ = {0, 0}; }
  /// A page moves there, as soon as it has a shape of this id, where that is out of sight.
  void reveal(const scene::Id& id) { revealed_ = id; }

 private:
  void navigate(App& app, const Stage& stage, PanelId panel, Rectangle area, float fit_scale, const Options& options,
                bool active, Result& result);
  static void point_at(const App& app, const Stage& stage, PanelId panel, const DrawnScene& drawn, const scene::Id& id,
                       bool may_say);
  void reveal_now(Rectangle area, float scale);
  void keep_page_in_place(const Stage& stage, Rectangle area, float scale);
  float spare(Rectangle area, float scale, const Options& options) const;

  scene::Scene scene_;
  std::string stamp_;
  float width_ = -1, zoom_ = 1;
  ImVec2 pan_{0, 0};
  bool panning_ = false;
  std::optional<scene::Id> grabbed_, revealed_;
  scene::Point grabbed_at_;
};

/// The theme of a view of memory: if the shown step is part of an error, no colour looks healthy.
views::Theme memory_theme(const App& app);
/// Above a view of memory: the error that its access is part of. Takes its room off the top of the area.
void draw_error(const App& app, const Stage& stage, Rectangle& area, const results::AccessInfo* access);

/// Everything that views read, in one string: equal stamps give equal scenes.
std::string scene_stamp(const App& app);
/// Hover and click as every panel with a scene means them.
void apply_pointer(App& app, PanelId panel, const SceneCanvas::Result& result);

// Which counters the comparison draws: a list of check boxes with a filter, in a small window over the panel.

class CounterChoice {
 public:
  /// Draws the list while it is open; ImGui::OpenPopup(id) opens it. The choice is in ViewOptions::compare_counters.
  void draw(App& app, const Stage& stage);
  static constexpr const char* id = "counters of the comparison";

 private:
  std::string filter_;
};

// The title bar of the timeline besides the step buttons: the search, the iterations, the legend.

/// The field, the number of results, and buttons for the next and the previous one.
void search_field(App& app, HeaderRow& row);

/// The signs with their words, where `room` (pixels at scale 1) holds all of them.
void inline_legend(const App& app, const Stage& stage, HeaderRow& row, float room);
/// The same as a list with the meaning of each sign. Open while the popup "legend" is.
void legend_menu(const App& app, const Stage& stage);

/// Loops of the selected warp; `around`: those around the step, the innermost first. Open while "iteration" is.
void iteration_menu(App& app, const Stage& stage, const std::vector<results::Iteration>& around);

// The drop-down lists of the generation whose memory an access is drawn on, and of the path of its loads.

/// `row`: a HeaderRow or a ControlStrip. `load`: loads of global memory choose a path.
void memory_choices(App& app, const Stage& stage, auto& row, bool load) {
  const std::string& chosen = app.shell.view.memory_arch;
  const std::string shown = memory_shown(app).arch;
  drop_down(row, stage, "Generation", "memory of", shown.empty() ? "H200" : shown, hint_of("memory.generation"), [&] {
    if (menu_entry(stage, "that of the GPU", chosen.empty())) choose_generation(app, "");
    for (const std::string& name : engine::arch_names())
      if (menu_entry(stage, generation_words(name).c_str(), name == chosen)) choose_generation(app, name);
  });
  const auto paths = paths_shown(app, load);
  if (paths.size() < 2) return;
  const auto path = path_shown(app, load);
  drop_down(row, stage, "Path", "path", path ? std::string(access::name_of(*path)) : "each", hint_of("memory.path"),
            [&] {
              if (menu_entry(stage, "each that differs", !path)) choose_path(app, std::nullopt);
              for (const access::LoadPath one : paths)
                if (menu_entry(stage, std::string(access::name_of(one)).c_str(), path == one)) choose_path(app, one);
            });
}

/// The choices of these lists, for a scene's stamp.
inline std::string memory_stamp(const App& app) {
  return "|" + memory_shown(app).arch + "|" + app.shell.view.load_path;
}

}  // namespace lanescope::gui
