// The part of the source in sight.

#include <imgui_internal.h>

#include <algorithm>
#include <cmath>

#include "app/gui/panels/source/source_panel.h"

namespace lanescope::gui {

/// ImGui scrolls by pixels, the panel by lines.
void SourcePanel::measure_scroll(const Stage&, bool other_kernel) {
  if (other_kernel) {
    first_row_ = 0, scrolled_ = true, revealed_ = -1;
    shifted_line_ = -1, shift_ = 0;
    ImGui::SetScrollX(0);
  }
  if (!scrolled_) first_row_ = static_cast<int>(std::round(ImGui::GetScrollY() / line_height_));
  if (scrolled_) ImGui::SetScrollY(static_cast<float>(first_row_) * line_height_);
  scrolled_ = false;
}

/// The line (from 0) that has to be in sight now; -1: none.
int SourcePanel::wanted_row(App& app, const LineIndex& index) {
  Writing& w = app.writing;
  if (app.navigation.reveal_line && *app.navigation.reveal_line > 0) {
    const int asked = *app.navigation.reveal_line, line = app.panel_line(asked);
    app.navigation.reveal_line.reset();
    return (line > 0 ? line : app.results.lines.place(asked).line) - 1;
  }
  if (w.reveal_caret) return index.line_of(w.edit.caret);
  // The panel has another size, or the line that is looked at is another one.
  const int current = w.focused ? index.line_of(w.edit.caret) : app.panel_line(app.navigation.selection.line) - 1;
  return revealed_ == current ? -1 : current;
}

void SourcePanel::reveal_row(int row) {
  const int margin = std::min(2, (rows_ - 1) / 2);
  const int before = first_row_;
  if (row < first_row_ + margin)
    first_row_ = std::max(row - margin, 0);
  else if (row + margin >= first_row_ + rows_)
    first_row_ = row + margin + 1 - rows_;
  if (first_row_ == before) return;
  scrolled_ = true;
  ImGui::SetScrollY(static_cast<float>(first_row_) * line_height_);
}

void SourcePanel::reveal(App& app, const Stage& stage, const LineIndex& index) {
  Writing& w = app.writing;
  const int row = wanted_row(app, index);
  if (row >= 0) {
    revealed_ = row;
    reveal_row(std::min(row, index.count() - 1));
  }
  shift_caret_line(w, stage, index);
  w.reveal_caret = false;
  first_row_ = std::clamp(first_row_, 0, std::max(index.count() + 1 - rows_, 0));
  report_visibility(w, index);
}

void SourcePanel::shift_caret_line(const Writing& w, const Stage& stage, const LineIndex& index) {
  const int line = index.line_of(w.edit.caret);
  if (!w.focused || (line != shifted_line_ && !dragging_)) shifted_line_ = -1, shift_ = 0;
  if (!ImGui::IsMouseDown(ImGuiMouseButton_Left)) dragging_ = false;
  if (!w.reveal_caret) return;
  const float x =
      letter_ * static_cast<float>(display_column(index.line(w.edit.text, line), w.edit.caret - index.start(line)));
  // All lines start at their indentation again where the caret is not in sight as they are.
  const float scroll = ImGui::GetScrollX();
  if (scroll > 0 && (x - scroll < 0 || x - scroll > text_width_)) ImGui::SetScrollX(0);
  const float room = std::max(text_width_ - stage.px(14), letter_);
  const float least = x - room, most = std::max(x - 4 * letter_, 0.0f);
  shift_ = std::max(std::clamp(shift_, std::min(least, most), most), 0.0f);
  if (x <= room) shift_ = 0;
  shift_ = std::ceil(shift_ / letter_) * letter_;
  shifted_line_ = line;
}

void SourcePanel::report_visibility(Writing& w, const LineIndex& index) const {
  w.sight = {.first_line = first_row_ + 1,
             .last_line = std::min(first_row_ + rows_, index.count()),
             .hidden_columns = static_cast<int>(std::round(shift_ / letter_)),
             .left_column = static_cast<int>(std::round(ImGui::GetScrollX() / letter_))};
}

}  // namespace lanescope::gui
