#pragma once
// The editor of the source panel. source_panel.cpp draws it, source_heat.cpp the counts beside it, source_keys.cpp
// reads its keys, source_scroll.cpp keeps the current line in sight; its caret is in app/gui/writing/writing.h.
//
// Lines are shown whole: the first one in sight starts at the upper edge. Where the caret's line is longer than the
// panel, that line alone is shifted, so that the indentation of the others stays in sight.

#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "app/assist/fixes.h"
#include "app/gui/panels/panel.h"
#include "viz/views/costs/heat.h"

namespace lanescope::gui {

class SourcePanel final : public Panel {
 public:
  std::string subtitle(const App& app) const override;
  void choices(App& app, Stage& stage, HeaderRow& row) override;
  void body(App& app, Stage& stage, Rectangle area) override;
  bool typing(const App& app) const override { return app.writing.focused; }
  void leave_typing(App& app) override { app.writing.focused = false; }
  std::string csv(const App& app) const override;

 private:
  void measure(const App& app, const Stage& stage, const LineIndex& index);
  void take_mouse(App& app, const Stage& stage, Rectangle area, const LineIndex& index);
  void take_keys(App& app);
  bool take_suggestion_keys(App& app);
  void take_motions(Writing& w);
  std::string take_changes(TextEdit& edit);
  float draw_file_tabs(App& app, const Stage& stage, Rectangle area);  ///< source_tabs.cpp; their height, 0: none
  // source_scroll.cpp
  void measure_scroll(const Stage& stage, bool other_kernel);
  void reveal(App& app, const Stage& stage, const LineIndex& index);
  void reveal_row(int row);
  void shift_caret_line(const Writing& w, const Stage& stage, const LineIndex& index);
  int wanted_row(App& app, const LineIndex& index);
  void report_visibility(Writing& w, const LineIndex& index) const;
  /// x of the first column of a line (from 0) on the screen.
  float text_left(int line) const { return base_.x + text_x_ - (line == shifted_line_ ? shift_ : 0); }

  void draw_lines(App& app, const Stage& stage, Rectangle area, const LineIndex& index);
  void draw_current_line(const App& app, const Stage& stage, Rectangle area, int line);
  void draw_step_label(std::string_view text, const Stage& stage, const LineIndex& index);
  void draw_selection(const App& app, const Stage& stage, const LineIndex& index);
  void offer_suggestions(App& app, const Stage& stage, const LineIndex& index);
  void offer_fixes(App& app, const Stage& stage, Rectangle area);
  void draw_brackets(const App& app, const Stage& stage, const LineIndex& index);
  void draw_words(std::string_view text, const Stage& stage, const LineIndex& index, int line, bool& in_comment);
  // source_problems.cpp
  void draw_diagnostics(const App& app, const Stage& stage, Rectangle area, const LineIndex& index);
  void draw_squiggle(const App& app, const Stage& stage, const LineIndex& index, const Diagnostic& d) const;
  /// Position of the words of a message: after the code of its line, or broken after it and the lines below it.
  struct MessagePlace {
    float x = 0;
    std::vector<std::string_view> lines;
  };
  std::optional<MessagePlace> message_place(const App& app, const Stage& stage, Rectangle area, const LineIndex& index,
                                            int line, std::string_view words, int most_lines) const;
  void draw_marks(App& app, const Stage& stage, Rectangle area);
  void draw_problem_marks(App& app, const Stage& stage, Rectangle area);
  void draw_print_marks(App& app, const Stage& stage, Rectangle area, const LineIndex& index);
  struct Printed {
    std::size_t count = 0;  ///< lines of output
    std::string first;      ///< the first one
  };
  void draw_printed(const App& app, const Stage& stage, Rectangle area, const LineIndex& index, int line,
                    const Printed& printed);
  void draw_heat(const App& app, const Stage& stage, Rectangle area);
  void update_heat(const App& app);
  float heat_width(const Stage& stage) const;  ///< of all columns
  float heat_width(const Stage& stage, const views::HeatColumn& column) const;
  void draw_heat_captions(const Stage& stage, Rectangle area) const;
  std::size_t offset_at(std::string_view text, ImVec2 screen, const LineIndex& index) const;

  struct StepLabel {
    std::string text;
    float right = 0, top = 0;
  };

  StepLabel step_label_;
  std::map<int, Printed> printed_by_line_;  ///< by the source line of their printf
  std::uint64_t printed_version_ = 0;       ///< of the results that they belong to
  std::vector<std::size_t> tab_files_;      ///< into Results::lines
  std::uint64_t tabs_of_ = 0;               ///< Results::version
  std::size_t file_ = 0;                    ///< that is shown, as in the last frame
  std::vector<views::HeatColumn> heat_;     ///< beside the lines, left to right: predicted before measured
  std::string heat_stamp_;
  bool dragging_ = false;
  bool on_suggestions_ = false;       ///< the mouse is over their list
  std::vector<assist::Fix> fixes_;    ///< of the line whose menu is open
  int first_row_ = 0, rows_ = 1;      ///< lines in sight: the first, from 0, and how many there is room for
  int revealed_ = -1;                 ///< the line (from 0) that was last brought into sight
  bool scrolled_ = false;             ///< ImGui takes `first_row_` over in the next frame
  int shifted_line_ = -1;             ///< from 0; see above
  float shift_ = 0, text_width_ = 1;  ///< room for the text of a line
  ImVec2 base_{0, 0};                 ///< screen position of the first line's corner
  float line_height_ = 20, letter_ = 8, gutter_ = 40, text_x_ = 60;
};

}  // namespace lanescope::gui
