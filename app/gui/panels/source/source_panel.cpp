// Source: the text under study, edited in place, with the verdict beside each claim and the message beside each error.

#include "app/gui/panels/source/source_panel.h"

#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/document/document.h"
#include "app/gui/aids/context_menu.h"
#include "app/gui/commands/command.h"
#include "app/gui/model/steps.h"
#include "app/gui/state/editing_aids.h"
#include "app/gui/widgets/syntax.h"
#include "kernels/base/text.h"

namespace lanescope::gui {
namespace {

VerdictIcon verdict_icon_of(claims::Verdict v) {
  return v == claims::Verdict::holds     ? VerdictIcon::good
         : v == claims::Verdict::differs ? VerdictIcon::bad
                                         : VerdictIcon::unknown;
}

std::string words_of(const results::ClaimInfo& c, const SourceLines& lines, bool stale) {
  std::string text = c.claim.kind() == source::ClaimKind::registers ? "The assignment of " + c.claim.variable
                                                                    : "The " + source::subject_words(c.claim);
  text += " " + claims::verdict_words(c.result) + ".";
  if (c.result.verdict == claims::Verdict::differs) {
    text += "\n" + c.result.difference;
    if (!c.result.actual_words.empty()) text += "\nActual: " + c.result.actual_words;
    if (const std::string blame = claims::blame_words(c.result); !blame.empty())
      text += "\n" + lines.sentence(blame) + ".";
  } else if (c.result.verdict == claims::Verdict::unchecked) {
    text += "\n" + c.result.reason.words();
  } else if (c.result.for_this_input) {
    text += "\nFor this input: data-dependent control flow at " + lines.words(c.result.steered_line) + ".";
  }
  for (const std::string& remark : claims::remarks_on(c.claim, c.result)) text += "\n" + capitalised(remark) + ".";
  if (!stale && c.result.verdict == claims::Verdict::differs) text += "\nA click lists fixes.";
  if (stale) text += "\nFrom the last successful run. The text has changed since then.";
  return text;
}

}  // namespace

std::string SourcePanel::subtitle(const App& app) const {
  if (app.results.running) return "running…";
  if (app.navigation.shown_file != 0) return "an included header, read-only";
  if (app.results.failed && app.results.have) return "does not run; the last successful run is shown";
  if (app.results.stale(app.document.text())) return "changed; the run of the previous text is shown";
  return app.writing.focused ? "editing; Escape ends it, Alt with arrow keys steps" : "";
}

void SourcePanel::body(App& app, Stage& stage, Rectangle area) {
  Writing& w = app.writing;
  bool other_text = w.follow(app.document.text(), app.navigation.kernel());
  update_heat(app);
  app.navigation.follow_line();
  // Headers are looked at; what is written enters the file itself.
  if (app.shell.editor_focus_request == PanelId::source || app.shell.caret_request || w.reveal_caret)
    app.navigation.shown_file = 0;
  if (const float tabs = draw_file_tabs(app, stage, area); tabs > 0)
    area.y += tabs, area.h = std::max(area.h - tabs, 1.0f);
  const bool in_header = app.navigation.shown_file != 0;
  if (std::exchange(file_, app.navigation.shown_file) != app.navigation.shown_file) other_text = true;
  if (in_header) w.focused = false;
  bool keys_are_its_own = true;  // the key that requested the caret is no text
  if (app.shell.editor_focus_request == PanelId::source) {
    keys_are_its_own = w.focused;
    app.shell.editor_focus_request.reset();
    w.focused = true;
  }
  if (const float bar = find_bar_height(app, stage); bar > 0) {
    if (draw_find_bar(app, stage, {area.x, area.y, area.w, bar})) keys_are_its_own = false;
    area.y += bar, area.h = std::max(area.h - bar, 1.0f);
  }
  if (const auto wanted = std::exchange(app.shell.caret_request, std::nullopt)) {
    const LineIndex index(w.edit.text);
    const int line = std::clamp(wanted->line - 1, 0, index.count() - 1);
    const std::size_t column = static_cast<std::size_t>(std::max(wanted->column - 1, 0));
    w.edit.place(index.start(line) + std::min(column, index.line(w.edit.text, line).size()), false);
    w.focused = w.focused || wanted->types;
    w.reveal_caret = true;
  }
  ImGui::SetCursorScreenPos(area.min());
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
  ImGui::BeginChild("text", {area.w, area.h}, ImGuiChildFlags_None,
                    ImGuiWindowFlags_HorizontalScrollbar | ImGuiWindowFlags_NoMove);
  const LineIndex index(app.panel_text());
  measure(app, stage, index);
  measure_scroll(stage, other_text);
  take_mouse(app, stage, area, index);
  if (w.focused && keys_are_its_own && app.shell.overlay == Overlay::none) take_keys(app);
  const LineIndex now(app.panel_text());  // keys may have changed it
  reveal(app, stage, now);
  draw_lines(app, stage, area, now);
  offer_fixes(app, stage, area);
  ImGui::EndChild();
  ImGui::PopStyleVar();
  offer_suggestions(app, stage, now);
}

/// The list below the caret.
void SourcePanel::offer_suggestions(App& app, const Stage& stage, const LineIndex& index) {
  Writing& w = app.writing;
  if (!w.focused) w.suggestions.open = false;
  on_suggestions_ = false;
  if (!w.suggestions.open || app.shell.overlay != Overlay::none) return;
  const std::size_t begin = std::min(w.suggestions.offers.begin, w.edit.text.size());
  const int line = index.line_of(begin);
  const float x = text_left(line) + letter_ * static_cast<float>(display_column(index.line(w.edit.text, line),
                                                                                begin - index.start(line)));
  on_suggestions_ =
      draw_suggestions(app, stage, {x, base_.y + static_cast<float>(line + 1) * line_height_}, line_height_);
}

void SourcePanel::offer_fixes(App& app, const Stage& stage, Rectangle area) {
  bool open = false;
  float y = area.y;
  if (app.writing.fix_request) {
    const int line = *std::exchange(app.writing.fix_request, std::nullopt);
    fixes_ = fixes_of(app, line);
    open = !fixes_.empty();
    y = base_.y + static_cast<float>(line) * line_height_ + stage.px(2);
    if (!open) app.shell.show_status("Nothing is offered for line " + std::to_string(line) + ".");
  }
  fixes_menu(app, stage, open, {area.x + text_x_, y}, fixes_);
}

void SourcePanel::measure(const App& app, const Stage& stage, const LineIndex& index) {
  const float line_height = std::round(stage.px(20));
  if (line_height != line_height_) revealed_ = -1, scrolled_ = true;
  line_height_ = line_height;
  letter_ = stage.fonts.code->GetCharAdvance('0');
  gutter_ = stage.px(24) + letter_ * std::max<float>(3, std::ceil(std::log10(static_cast<float>(index.count()) + 1)));
  text_x_ = gutter_ + stage.px(18);
  int longest = 0;
  for (int i = 0; i < index.count(); ++i)
    longest = std::max(longest, static_cast<int>(index.line(app.panel_text(), i).size()));
  const float inner = ImGui::GetCurrentWindow()->InnerRect.GetHeight();
  const int rows = std::max(static_cast<int>(inner / line_height_), 1);
  if (rows != rows_) revealed_ = -1;
  rows_ = rows;
  text_width_ = ImGui::GetCurrentWindow()->InnerRect.GetWidth() - text_x_ -
                (heat_width(stage) > 0 ? heat_width(stage) + stage.px(18) : stage.px(8));
  ImGui::SetCursorPos({0, 0});
  // The end of the longest line can be scrolled out from below the heat. So high that the last position, too, begins with a whole line; one empty line stands below the text.
  const auto beyond = static_cast<float>(std::max(index.count() + 1 - rows_, 0));
  ImGui::Dummy(
      {text_x_ + static_cast<float>(longest + 4) * letter_ + heat_width(stage), inner + beyond * line_height_});
}

std::size_t SourcePanel::offset_at(std::string_view text, ImVec2 screen, const LineIndex& index) const {
  const int line = std::clamp(static_cast<int>(std::floor((screen.y - base_.y) / line_height_)), 0, index.count() - 1);
  const int column = std::max(0, static_cast<int>(std::round((screen.x - text_left(line)) / letter_)));
  return index.start(line) + byte_at_column(index.line(text, line), column);
}

void SourcePanel::take_mouse(App& app, const Stage& stage, Rectangle area, const LineIndex& index) {
  Writing& w = app.writing;
  base_ = {area.x - ImGui::GetScrollX(), area.y - static_cast<float>(first_row_) * line_height_};
  ImGui::SetCursorScreenPos(area.min());
  ImGui::SetNextItemAllowOverlap();
  const float bar = ImGui::GetStyle().ScrollbarSize;
  ImGui::InvisibleButton("Source text",
                         {std::max(area.w - (ImGui::GetScrollMaxY() > 0 ? bar : 0), 1.0f),
                          std::max(area.h - (ImGui::GetScrollMaxX() > 0 ? bar : 0), 1.0f)},
                         ImGuiButtonFlags_MouseButtonLeft | ImGuiButtonFlags_MouseButtonRight);
  const bool activated = ImGui::IsItemActivated();
  const ImVec2 mouse = ImGui::GetMousePos();
  const bool on_text = app.navigation.shown_file == 0 && mouse.x - area.x > gutter_ + stage.px(14);
  if (ImGui::IsItemHovered()) ImGui::SetMouseCursor(on_text ? ImGuiMouseCursor_TextInput : ImGuiMouseCursor_Hand);
  if (activated) {
    const bool keep = ImGui::IsMouseClicked(ImGuiMouseButton_Right) && w.edit.has_selection();
    app.shell.active_panel = id();
    const std::size_t at = offset_at(app.panel_text(), mouse, index);
    w.suggestions = {};
    dragging_ = on_text && !ImGui::IsMouseClicked(ImGuiMouseButton_Right);
    w.focused = on_text;
    if (on_text && !keep) {
      w.edit.place(at, ImGui::GetIO().KeyShift);
      app.document.end_merge();
      if (ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) w.edit.select_word();
    }
    if (const int line = app.run_line_of_panel(index.line_of(at) + 1); line > 0) app.navigation.go_to_line(line);
    app.navigation.reveal_line.reset();
    revealed_ = index.line_of(at);  // it is in sight
  } else if (ImGui::IsItemActive() && dragging_ && ImGui::IsMouseDragging(ImGuiMouseButton_Left)) {
    w.edit.place(offset_at(w.edit.text, mouse, index), true);
    w.reveal_caret |= !area.contains(mouse);
  } else if (ImGui::IsMouseClicked(ImGuiMouseButton_Left) && !ImGui::IsItemHovered() && !on_suggestions_) {
    w.focused = false;
  }
  context_menu(app, stage, id());
}

void SourcePanel::draw_lines(App& app, const Stage& stage, Rectangle area, const LineIndex& index) {
  const std::string_view text = app.panel_text();
  base_ = {area.x - ImGui::GetScrollX(), area.y - static_cast<float>(first_row_) * line_height_};
  const int first = std::clamp(first_row_, 0, index.count() - 1);
  const int last = std::min(index.count() - 1, first_row_ + rows_);
  const int current = app.panel_line(app.navigation.selection.line);
  if (current > 0) draw_current_line(app, stage, area, current);
  bool in_comment = false;
  for (int i = 0; i < first; ++i) ink_of(index.line(text, i), in_comment);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float heat = heat_width(stage) > 0 ? heat_width(stage) + stage.px(22) : 0;  // beside the code, not above it
  list.PushClipRect({area.x + text_x_ - stage.px(2), area.y}, {area.x + area.w - heat, area.y + area.h}, true);
  if (app.navigation.shown_file == 0) {
    draw_selection(app, stage, index);
    draw_brackets(app, stage, index);
  }
  for (int i = first; i <= last; ++i) draw_words(text, stage, index, i, in_comment);
  draw_diagnostics(app, stage, area, index);
  list.PopClipRect();
  for (int i = first; i <= last; ++i) {
    const float y = base_.y + (static_cast<float>(i) + 0.5f) * line_height_;
    const scene::Color ink = i + 1 == current ? stage.theme->text_dim : stage.theme->text_faint;
    draw_text(stage, stage.fonts.code_small, {area.x + gutter_ - stage.px(4), y}, ink, std::to_string(i + 1),
              TextAlign::right);
  }
  if (shift_ > 0 && shifted_line_ >= first && shifted_line_ <= last)
    draw_icon(stage, Icon::left,
              {area.x + text_x_ - stage.px(6), base_.y + (static_cast<float>(shifted_line_) + 0.5f) * line_height_},
              stage.px(6), stage.theme->accent);
  draw_step_label(text, stage, index);
  draw_marks(app, stage, area);
  draw_problem_marks(app, stage, area);
  draw_print_marks(app, stage, area, index);
  draw_heat(app, stage, area);
}

void SourcePanel::draw_current_line(const App& app, const Stage& stage, Rectangle area, int line) {
  const float y = base_.y + static_cast<float>(line - 1) * line_height_;
  ImGui::GetWindowDrawList()->AddRectFilled({area.x, y}, {area.x + area.w, y + line_height_},
                                            to_im(stage.theme->row_highlight));
  if (!app.results.have ||
      line_of_step(app.results.summary, app.navigation.selection.step) != app.navigation.selection.line)
    return;
  const StepCount count =
      count_in_warp(app.results.summary, app.navigation.selection.step, app.navigation.selection.warp);
  const float room = heat_width(stage) > 0 ? heat_width(stage) + stage.px(8) : 0;
  step_label_ = {
      .text = "step " + std::to_string(count.number), .right = area.x + area.w - stage.px(14) - room, .top = y};
}

/// After the code; where that reaches so far the timeline alone says it.
void SourcePanel::draw_step_label(std::string_view text, const Stage& stage, const LineIndex& index) {
  if (step_label_.text.empty()) return;
  const float width = text_width(stage.fonts.small, step_label_.text) + stage.px(8);
  const int line = static_cast<int>(std::round((step_label_.top - base_.y) / line_height_));
  const std::string_view code = line >= 0 && line < index.count() ? index.line(text, line) : std::string_view();
  const float end = text_left(line) + letter_ * static_cast<float>(display_column(code, code.size()));
  if (end > step_label_.right - width) return step_label_.text.clear();
  ImGui::GetWindowDrawList()->AddRectFilled({step_label_.right - width, step_label_.top},
                                            {step_label_.right + stage.px(4), step_label_.top + line_height_},
                                            to_im(stage.theme->row_highlight));
  draw_text(stage, stage.fonts.small, {step_label_.right, step_label_.top + line_height_ / 2}, stage.theme->accent,
            step_label_.text, TextAlign::right);
  step_label_.text.clear();
}

void SourcePanel::draw_selection(const App& app, const Stage& stage, const LineIndex& index) {
  const TextEdit& edit = app.writing.edit;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const auto x_of = [&](int line, std::size_t offset) {
    return text_left(line) +
           letter_ * static_cast<float>(display_column(index.line(edit.text, line), offset - index.start(line)));
  };
  const auto mark = [&](std::size_t begin, std::size_t end, scene::Color color) {
    const int a = index.line_of(begin), b = index.line_of(end);
    for (int i = std::max(a, first_row_); i <= std::min(b, first_row_ + rows_); ++i) {
      const float y = base_.y + static_cast<float>(i) * line_height_;
      const float from = i == a ? x_of(i, begin) : text_left(i);
      const float to = i == b ? x_of(i, end) : x_of(i, index.start(i) + index.line(edit.text, i).size()) + letter_;
      list.AddRectFilled({from, y}, {to, y + line_height_}, to_im(color));
    }
  };
  const Search& search = app.writing.search;
  if (search.open)
    for (const std::size_t at : app.writing.matches())
      mark(at, at + search.words.size(), views::mixed(*stage.theme, views::Mixed::found_text));
  if ((app.writing.focused || search.open) && edit.has_selection())
    mark(edit.low(), edit.high(), views::mixed(*stage.theme, views::Mixed::selected_text));
  if (!app.writing.focused) return;
  const int line = index.line_of(edit.caret);
  const float x = std::round(x_of(line, edit.caret)), y = base_.y + static_cast<float>(line) * line_height_;
  list.AddRectFilled({x - stage.px(0.75f), y + stage.px(2)}, {x + stage.px(0.75f), y + line_height_ - stage.px(2)},
                     to_im(stage.theme->accent));
}

/// A frame around the bracket at the caret and its partner.
void SourcePanel::draw_brackets(const App& app, const Stage& stage, const LineIndex& index) {
  if (!app.writing.focused) return;
  const TextEdit& edit = app.writing.edit;
  const auto pair = document::brackets_at(edit.text, edit.caret);
  if (!pair) return;
  for (const std::size_t at : {pair->open, pair->close}) {
    const int line = index.line_of(at);
    const float x = text_left(line) +
                    letter_ * static_cast<float>(display_column(index.line(edit.text, line), at - index.start(line)));
    const float y = base_.y + static_cast<float>(line) * line_height_;
    ImGui::GetWindowDrawList()->AddRect({x - stage.px(1), y + stage.px(2)},
                                        {x + letter_ + stage.px(1), y + line_height_ - stage.px(2)},
                                        to_im(stage.theme->accent), stage.px(2), 0, stage.px(1));
  }
}

void SourcePanel::draw_words(std::string_view text, const Stage& stage, const LineIndex& index, int line,
                             bool& in_comment) {
  const std::string_view words = index.line(text, line);
  const float y = base_.y + (static_cast<float>(line) + 0.5f) * line_height_;
  const auto draw = [&](std::size_t begin, std::size_t end, scene::Color color) {
    if (end <= begin || words.find_first_not_of(" \t", begin) >= end) return;
    const float x = text_left(line) + letter_ * static_cast<float>(display_column(words, begin));
    draw_text(stage, stage.fonts.code, {x, y}, color, words.substr(begin, end - begin));
  };
  std::size_t at = 0;
  for (const InkRun& run : ink_of(words, in_comment)) {
    draw(at, run.begin, stage.theme->text);
    draw(run.begin, run.end, ink_color(run.ink, *stage.theme));
    at = run.end;
  }
  draw(at, words.size(), stage.theme->text);
}

void SourcePanel::draw_marks(App& app, const Stage& stage, Rectangle area) {
  const bool stale = app.results.stale(app.document.text());
  const auto mark = [&](int line, VerdictIcon icon, const std::string& words, const std::string& name) {
    const ImVec2 center{area.x + gutter_ + stage.px(5), base_.y + (static_cast<float>(line) - 0.5f) * line_height_};
    if (center.y < area.y - line_height_ || center.y > area.y + area.h + line_height_) return false;
    ImGui::SetCursorScreenPos({center.x - stage.px(8), center.y - line_height_ / 2});
    const bool pressed = ImGui::InvisibleButton(name.c_str(), {stage.px(16), line_height_});
    if (ImGui::IsItemHovered()) tooltip(stage, words);
    if (stale)
      ImGui::GetWindowDrawList()->AddCircle(center, stage.px(3.5f), to_im(stage.theme->text_faint), 0, stage.px(1.2f));
    else
      draw_verdict_icon(stage, icon, center, stage.px(8));
    return pressed;
  };
  for (const results::ClaimInfo& c : app.results.summary.claims) {
    const int line = app.panel_line(c.claim.first_line);
    if (line <= 0) continue;
    if (mark(line, verdict_icon_of(c.result.verdict), words_of(c, app.results.lines, stale),
             "verdict at line " + std::to_string(line))) {
      app.navigation.selection.family = -1;
      app.navigation.go_to_step(step_of_claim(app.results.summary, c, app.navigation.selection.warp));
      app.navigation.selection.line = c.claim.first_line;
      const bool editable = app.navigation.shown_file == 0;
      if (!stale && editable && c.result.verdict == claims::Verdict::differs) app.writing.fix_request = line;
    }
  }
}

std::unique_ptr<Panel> make_source_panel() { return std::make_unique<SourcePanel>(); }

}  // namespace lanescope::gui
