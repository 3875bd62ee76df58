#pragma once
// The editor of the source panel. panel_source.cpp draws it, source_heat.cpp the counts beside it,
// source_keys.cpp reads its keys, text_edit.h is its text.

#include "app/gui/panels/panel.h"
#include "app/gui/widgets/text_edit.h"
#include "viz/views/costs/heat.h"

namespace lanescope::gui {

class SourcePanel final : public Panel {
 public:
  PanelId id() const override { return PanelId::source; }
  std::string subtitle(const App& app) const override;
  void choices(App& app, Stage& stage, HeaderRow& row) override;
  void body(App& app, Stage& stage, Rectangle area) override;
  bool typing() const override { return focused_; }
  void leave_typing() override { focused_ = false; }
  std::string csv(const App& app) const override;

 private:
  void measure(const Stage& stage, const LineIndex& index);
  void take_mouse(App& app, const Stage& stage, Rectangle area, const LineIndex& index);
  void take_keys(App& app, const Stage& stage, Rectangle area);
  void take_motions(const Stage& stage, Rectangle area);
  std::string take_changes();
  void reveal(App& app, const Stage& stage, Rectangle area, const LineIndex& index);
  void draw_lines(App& app, const Stage& stage, Rectangle area, const LineIndex& index);
  void draw_current_line(const App& app, const Stage& stage, Rectangle area, int line);
  void draw_step_label(const Stage& stage, const LineIndex& index);
  void draw_selection(const Stage& stage, const LineIndex& index);
  void draw_words(const Stage& stage, const LineIndex& index, int line, bool& in_comment);
  void draw_diagnostics(const App& app, const Stage& stage, Rectangle area, const LineIndex& index);
  void draw_marks(App& app, const Stage& stage, Rectangle area);
  void draw_problem_marks(App& app, const Stage& stage, Rectangle area);  ///< source_problems.cpp
  void draw_heat(const App& app, const Stage& stage, Rectangle area);
  void update_heat(const App& app);
  float heat_width(const Stage& stage) const;  ///< of all columns
  float heat_width(const Stage& stage, const views::HeatColumn& column) const;
  void draw_heat_captions(const Stage& stage, Rectangle area) const;
  std::size_t offset_at(ImVec2 screen, const LineIndex& index) const;
  int shown_line(const App& app, int line) const;

  struct StepLabel {
    std::string text;
    float right = 0, top = 0;
  };

  TextEdit edit_;
  StepLabel step_label_;
  std::vector<views::HeatColumn> heat_;  ///< beside the lines, left to right: predicted before measured
  std::string heat_stamp_;
  bool focused_ = false, dragging_ = false, reveal_caret_ = false;
  ImVec2 base_{0, 0};  ///< screen position of the first line's corner
  float line_height_ = 20, letter_ = 8, gutter_ = 40, text_x_ = 60;
};

}  // namespace lanescope::gui
