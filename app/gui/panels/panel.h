#pragma once
// A part of the window. The window draws frame and title; the panel says what it shows and draws its body.

#include <memory>
#include <string>
#include <vector>

#include "app/gui/state/app.h"
#include "app/gui/widgets/stage.h"
#include "viz/views/base/csv.h"
#include "viz/views/view_csv.h"

namespace lanescope::gui {

/// The right half of a panel's title bar, filled from the right edge. What would reach beyond `left` is left out.
class HeaderRow {
 public:
  HeaderRow(const Stage& stage, float left, float right, float center_y)
      : stage_(stage), least_(left), right_(right), y_(center_y) {}
  /// "colour j ▾": opens the drop-down list of the same id when pressed.
  bool choice(const char* id, const std::string& name, const std::string& value, const std::string& hint);
  bool icon(const char* id, Icon icon, const std::string& hint, const std::string& refusal = {});
  /// A button with words.
  bool action(const char* id, const std::string& text, const std::string& hint);
  void words(const std::string& text);
  /// A coloured square (or disc) and what it stands for.
  void swatch(const std::string& text, scene::Color color, bool round);
  void gap(float px) { right_ -= stage_.px(px); }
  /// A field of so many pixels (at scale 1) for text. True: Enter was pressed in it.
  bool field(const char* id, std::string& text, float width_px, const std::string& shown_empty, const std::string& hint,
             bool take_keyboard);
  /// The vertical middle.
  float y() const { return y_; }
  /// Pixels that are left.
  float room() const { return right_ - least_; }
  /// x of what has been placed last: what is left of it is free.
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
  /// True while it takes what is typed.
  virtual bool typing(const App&) const { return false; }
  virtual void leave_typing(App&) {}
  /// What it shows as comma-separated values; empty: nothing. A picture is what it left in Stage::scenes.
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
    make_movement_panel(), make_lesson_panel(), make_moments_panel();

/// Says why there is no picture, in the middle of `area`, when there is none. True: there is none. While a first run is
/// under way nothing is said: the window does, once.
bool draw_missing_results(const App& app, const Stage& stage, Rectangle area);
/// What a run under way has done so far, and a button that stops it.
void draw_run_under_way(App& app, const Stage& stage, Rectangle area);

}  // namespace lanescope::gui
