// The marks of problems beside the source lines: one a line, of the worst problem there, at each of its sides. Claims have
// marks of their own.

#include <algorithm>
#include <cmath>

#include "app/gui/panels/source/source_panel.h"
#include "app/gui/state/app.h"
#include "app/gui/state/editing_aids.h"
#include "app/gui/widgets/items.h"
#include "kernels/base/numbers.h"
#include "kernels/base/text.h"
#include "results/printed.h"

namespace lanescope::gui {
namespace {

struct LineMark {
  int problem = -1, party = -1;
};

/// The list is ordered by severity: the first that names a line has it.
std::map<int, LineMark> marked_lines(const std::vector<results::Problem>& problems) {
  std::map<int, LineMark> lines;
  for (int i = 0; i < static_cast<int>(problems.size()); ++i) {
    const results::Problem& p = problems[static_cast<std::size_t>(i)];
    if (p.claim < 0 && p.line > 0) lines.try_emplace(p.line, LineMark{i, -1});
    if (p.kind != results::Problem::Kind::race) continue;
    for (int side = 0; side < static_cast<int>(p.parties.size()); ++side)
      if (const int line = p.parties[static_cast<std::size_t>(side)].line; line > 0)
        lines.try_emplace(line, LineMark{i, side});
  }
  return lines;
}

VerdictIcon mark_icon(Severity severity) {
  return severity == Severity::error     ? VerdictIcon::bad
         : severity == Severity::warning ? VerdictIcon::warning
                                         : VerdictIcon::unknown;
}

constexpr int most_message_lines = 3;

/// A diagnostic as the source says it: of a fault without what the mark, the line and the list say, too.
std::vector<std::string> wordings(const results::Summary& summary, const Diagnostic& d) {
  std::vector<std::string> words{with_remedy(d.message, d.remedy)};
  const auto fault = std::ranges::find_if(
      summary.faults, [&](const results::FaultInfo& f) { return f.line == d.line && d.code == DiagnosticCode::fault; });
  if (fault != summary.faults.end()) {
    words.clear();
    if (fault->parties.size() > 1) words.push_back(fault->kind + ": " + fault->parties.front().does);
    words.push_back(fault->kind);
  } else if (!d.remedy.empty()) {
    words.push_back(d.message);
  }
  return words;
}

}  // namespace

void SourcePanel::draw_squiggle(const App& app, const Stage& stage, const LineIndex& index, const Diagnostic& d) const {
  const std::string_view words = index.line(app.panel_text(), d.line - 1);
  const scene::Color color = d.severity == Severity::error ? stage.theme->bad : stage.theme->warn;
  const std::size_t indent = std::min(words.find_first_not_of(" \t"), words.size());
  std::size_t from = d.column > 0 ? std::min<std::size_t>(d.column - 1, words.size()) : indent, to = from;
  while (to < words.size() && is_word(words[to])) ++to;
  if (d.column <= 0) to = words.size();
  if (to <= from) to = from + 1;
  const float y = base_.y + static_cast<float>(d.line) * line_height_ - stage.px(2.5f);
  const float x0 = text_left(d.line - 1) + letter_ * static_cast<float>(display_column(words, from));
  const float x1 = x0 + letter_ * static_cast<float>(to - from);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  for (float x = x0; x < x1; x += stage.px(4)) {  // a zigzag
    list.AddLine({x, y}, {x + stage.px(2), y + stage.px(2)}, to_im(color), stage.px(1.2f));
    list.AddLine({x + stage.px(2), y + stage.px(2)}, {x + stage.px(4), y}, to_im(color), stage.px(1.2f));
  }
}

std::optional<SourcePanel::MessagePlace> SourcePanel::message_place(const App& app, const Stage& stage, Rectangle area,
                                                                    const LineIndex& index, int line,
                                                                    std::string_view words, int most_lines) const {
  const std::string_view text = app.panel_text();
  const auto taken = [&](int other) {
    return std::ranges::any_of(app.results.diagnostics, [&](const Diagnostic& d) {
      return app.panel_line_of_text(app.results.lines.unit_line(d.file, d.line)) == other + 1;
    });
  };
  float x = area.x + area.w * 0.35f, right = area.x + area.w - stage.px(16);
  for (int n = 0; n < most_lines; ++n) {
    const int here = line + n;
    if (n > 0 && (taken(here) || here > first_row_ + rows_ - 1)) return std::nullopt;
    if (here < index.count()) {
      const std::string_view code = index.line(text, here);
      x = std::max(x, text_left(here) + letter_ * static_cast<float>(display_column(code, code.size())) + stage.px(22));
    }
    if (!step_label_.text.empty() &&
        std::fabs(step_label_.top - (base_.y + static_cast<float>(here) * line_height_)) < 1)
      right = std::min(right, step_label_.right - text_width(stage.fonts.small, step_label_.text) - stage.px(12));
    if (right - x < stage.px(60)) return std::nullopt;
    auto lines = wrapped_lines(stage.fonts.small, words, right - x);
    const bool fits = std::ranges::all_of(
        lines, [&](std::string_view part) { return text_width(stage.fonts.small, part) <= right - x; });
    if (fits && static_cast<int>(lines.size()) <= n + 1) return MessagePlace{.x = x, .lines = std::move(lines)};
  }
  return std::nullopt;
}

/// A line under the place, and the message after the code: whole, broken where the lines below leave room, else shorter.
void SourcePanel::draw_diagnostics(const App& app, const Stage& stage, Rectangle area, const LineIndex& index) {
  std::vector<int> said;
  for (Diagnostic d : app.results.diagnostics) {
    d.line = app.panel_line_of_text(app.results.lines.unit_line(d.file, d.line));
    if (d.line <= 0 || d.line > index.count() || app.results.running) continue;
    draw_squiggle(app, stage, index, d);
    if (std::ranges::find(said, d.line) != said.end()) continue;
    said.push_back(d.line);
    const scene::Color color = d.severity == Severity::error ? stage.theme->bad : stage.theme->warn;
    const auto row = [&](int line) { return base_.y + (static_cast<float>(line) + 0.5f) * line_height_; };
    const std::vector<std::string> all = wordings(app.results.summary, d);
    std::optional<MessagePlace> place;
    for (std::size_t i = 0; i < all.size() && !place; ++i)
      place = message_place(app, stage, area, index, d.line - 1, all[i], most_message_lines);
    if (place) {
      for (std::size_t n = 0; n < place->lines.size(); ++n)
        draw_text(stage, stage.fonts.small, {place->x, row(d.line - 1 + static_cast<int>(n))}, color, place->lines[n]);
      note_text(all.front());
      continue;
    }
    // No room for it: its beginning, and the rest where the mouse is; the list of problems has it whole.
    const std::string_view code = index.line(app.panel_text(), d.line - 1);
    const float end = text_left(d.line - 1) + letter_ * static_cast<float>(display_column(code, code.size()));
    const float room = area.x + area.w - end - stage.px(38);
    if (room > stage.px(40))
      draw_text(stage, stage.fonts.small, {end + stage.px(22), row(d.line - 1)}, color, all.back(), TextAlign::left,
                room);
  }
}

void SourcePanel::draw_problem_marks(App& app, const Stage& stage, Rectangle area) {
  if (app.results.running) return;
  const bool stale = app.results.stale(app.document.text());
  int pressed_problem = -1, pressed_party = -1;
  for (const auto& [run_line, mark] : marked_lines(app.results.problems)) {
    const int line = app.results.failed ? app.panel_line_of_text(run_line) : app.panel_line(run_line);
    const ImVec2 center{area.x + gutter_ + stage.px(5), base_.y + (static_cast<float>(line) - 0.5f) * line_height_};
    if (line <= 0 || center.y < area.y - line_height_ || center.y > area.y + area.h + line_height_) continue;
    const results::Problem& p = app.results.problems[static_cast<std::size_t>(mark.problem)];
    ImGui::SetCursorScreenPos({center.x - stage.px(8), center.y - line_height_ / 2});
    const std::string id = "problem at line " + std::to_string(line);
    if (ImGui::InvisibleButton(id.c_str(), {stage.px(16), line_height_}))
      pressed_problem = mark.problem, pressed_party = mark.party;
    if (ImGui::IsItemHovered()) {
      std::string words = p.title + ": " + as_sentence(p.message);
      if (mark.party >= 0) words = p.title + " with " + app.results.lines.words(p.line) + ": " + as_sentence(p.message);
      if (!p.remedy.empty()) words += "\nTo do: " + as_sentence(p.remedy);
      if (!p.saving.empty()) words += "\nThis saves " + p.saving + ".";
      if (app.navigation.shown_file == 0 && !fixes_of(app, line).empty()) {
        words += "\nThe right button lists fixes.";
        if (ImGui::IsMouseReleased(ImGuiMouseButton_Right)) app.writing.fix_request = line;
      }
      tooltip(stage, words);
    }
    if (stale && !app.results.failed)
      ImGui::GetWindowDrawList()->AddCircle(center, stage.px(3.5f), to_im(stage.theme->text_faint), 0, stage.px(1.2f));
    else
      draw_verdict_icon(stage, mark_icon(results::shown_severity(p)), center, stage.px(8));
  }
  if (pressed_problem < 0) return;
  app.shell.show_panel(PanelId::problems);
  if (pressed_party >= 0)
    app.show_party(pressed_problem, pressed_party);
  else
    app.show_problem(pressed_problem);
}

/// At the left of the numbers of lines that printed something, and after their code what they printed first; a click
/// lists all of it.
void SourcePanel::draw_print_marks(App& app, const Stage& stage, Rectangle area, const LineIndex& index) {
  if (printed_version_ != app.results.version) {
    printed_version_ = app.results.version;
    printed_by_line_.clear();
    for (const results::PrintedLine& l : results::printed_lines(app.results.summary))
      if (Printed& at = printed_by_line_[app.results.summary.printed[l.call].line]; at.count++ == 0) at.first = l.text;
  }
  for (const auto& [run_line, printed] : printed_by_line_) {
    const int line = run_line > 0 ? app.panel_line(run_line) : 0;
    const float y = base_.y + (static_cast<float>(line) - 0.5f) * line_height_;
    if (line <= 0 || y < area.y - line_height_ || y > area.y + area.h + line_height_) continue;
    ImGui::SetCursorScreenPos({area.x, y - line_height_ / 2});
    const std::string id = "printed at line " + std::to_string(line);
    const bool pressed = ImGui::InvisibleButton(id.c_str(), {stage.px(12), line_height_});
    const bool hovered = ImGui::IsItemHovered();
    draw_icon(stage, Icon::right, {area.x + stage.px(6), y}, stage.px(6),
              hovered ? stage.theme->accent : stage.theme->text_dim);
    if (hovered) tooltip(stage, "This line printed " + counted(printed.count, "line") + ". A click lists them.");
    if (!app.results.failed) draw_printed(app, stage, area, index, line, printed);
    if (!pressed) continue;
    app.output.filter = app.results.lines.words(run_line);
    app.shell.show_panel(PanelId::output);
  }
}

/// Where the code leaves room for it.
void SourcePanel::draw_printed(const App& app, const Stage& stage, Rectangle area, const LineIndex& index, int line,
                               const Printed& printed) {
  const std::string_view code = line <= index.count() ? index.line(app.panel_text(), line - 1) : std::string_view();
  const float heat = heat_width(stage) > 0 ? heat_width(stage) + stage.px(22) : 0, step = stage.px(64);
  const float left =
      text_left(line - 1) + letter_ * static_cast<float>(display_column(code, code.size())) + stage.px(16);
  const float room = area.x + area.w - heat - step - left;
  if (room < stage.px(60)) return;
  std::string words = "prints " + (printed.first.empty() ? std::string("an empty line") : printed.first);
  if (printed.count > 1) words += "  and " + counted(printed.count - 1, "more line");
  const float y = base_.y + (static_cast<float>(line) - 0.5f) * line_height_;
  draw_text(stage, stage.fonts.small, {left, y}, stage.theme->text_dim, words, TextAlign::left, room);
}

}  // namespace lanescope::gui
