// The marks of problems beside the source lines: one a line, of the worst problem there, at each of its sides. Claims have
// marks of their own.

#include <algorithm>
#include <map>

#include "app/gui/panels/source_panel.h"
#include "app/gui/state/app.h"
#include "app/gui/state/editing_aids.h"

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
    for (int side = 0; side < static_cast<int>(p.parties.size()); ++side) {
      if (const int line = p.parties[static_cast<std::size_t>(side)].line; line > 0)
        lines.try_emplace(line, LineMark{i, side});
    }
  }
  return lines;
}

VerdictIcon mark_icon(Severity severity) {
  return severity == Severity::error     ? VerdictIcon::bad
         : severity == Severity::warning ? VerdictIcon::warning
                                         : VerdictIcon::unknown;
}

}  // namespace

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
      std::string words = p.title + ": " + p.message + ".";
      if (mark.party >= 0) words = p.title + " with " + app.results.lines.words(p.line) + ": " + p.message + ".";
      if (!p.remedy.empty()) words += "\nTo do: " + p.remedy + ".";
      if (!p.saving.empty()) words += "\nThis saves " + p.saving + ".";
      if (app.navigation.shown_file == 0 && !fixes_of(app, line).empty()) {
        words += "\nThe right button lists what mends it.";
        if (ImGui::IsMouseReleased(ImGuiMouseButton_Right)) app.writing.fix_request = line;
      }
      tooltip(stage, words);
    }
    if (stale && !app.results.failed)
      ImGui::GetWindowDrawList()->AddCircle(center, stage.px(3.5f), to_im(stage.theme->text_faint), 0, stage.px(1.2f));
    else
      draw_verdict_icon(stage, mark_icon(p.severity), center, stage.px(8));
  }
  if (pressed_problem < 0) return;
  app.shell.show_panel(PanelId::problems);
  if (pressed_party >= 0)
    app.show_party(pressed_problem, pressed_party);
  else
    app.show_problem(pressed_problem);
}

}  // namespace lanescope::gui
