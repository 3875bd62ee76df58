// Problems: everything that is wrong with the kernel, the worst first, each with which accesses conflict, what to do, what that
// saves, and the way to its block, warp and step.

#include <algorithm>
#include <cmath>

#include "app/gui/model/steps.h"
#include "app/gui/panels/panel.h"
#include "app/gui/state/glossary.h"
#include "kernels/base/numbers.h"
#include "kernels/base/text.h"
#include "results/problems.h"

namespace lanescope::gui {
namespace {

using results::Problem;

VerdictIcon severity_icon(const Problem& p) {
  const Severity severity = results::shown_severity(p);
  return severity == Severity::error     ? VerdictIcon::bad
         : severity == Severity::warning ? VerdictIcon::warning
                                         : VerdictIcon::unknown;
}

std::string tally_words(const results::ProblemCounts& counts) {
  std::string words;
  const auto add = [&](int number, const char* name) {
    if (number > 0) words += (words.empty() ? "" : ", ") + counted(static_cast<std::size_t>(number), name);
  };
  add(counts.errors, "error");
  if (counts.assumed > 0) words += (words.empty() ? "" : ", ") + std::to_string(counts.assumed) + " assumed";
  add(counts.warnings, "warning"), add(counts.notes, "note");
  return words;
}

/// The name of a variable stays as it is.
std::string title_of(const Problem& p) { return p.claim >= 0 ? p.title : capitalised(p.title); }

/// "block 3, warp 1, lane 5, iteration 2 of 4, step 120"
std::string where_words(const App& app, const Problem& p) {
  std::string words = results::place_words(p.block, p.warp, p.lane);
  const results::Summary& s = app.results.summary;
  if (s.launches.size() > 1 && p.launch >= 0) words = launch_words(s, p.launch) + (words.empty() ? "" : ", ") + words;
  if (p.step < 0 || results::elsewhere(s, p.launch, p.block)) return words;
  const StepCount iteration = iteration_of(s, p.step);
  if (iteration.of > 1)
    words += ", iteration " + std::to_string(iteration.number) + " of " + std::to_string(iteration.of);
  return words + ", step " + std::to_string(count_in_warp(s, p.step, p.warp).number);
}

class ProblemsPanel final : public Panel {
 public:
  std::string title(const App& app) const override {
    const std::size_t n = app.results.problems.size();
    return n == 0 ? "Problems" : "Problems " + std::to_string(n);
  }

  std::string subtitle(const App& app) const override {
    return app.results.running ? "running…" : tally_words(results::count(app.results.problems));
  }

  std::string csv(const App& app) const override {
    views::csv::Table table({"severity", "problem", "line", "block", "warp", "lane", "message", "to do", "saves"});
    const auto number = [](std::int64_t n) { return n < 0 ? std::string() : std::to_string(n); };
    for (const Problem& p : app.results.problems)
      table.row(std::string(results::severity_name(p.severity)), p.title, app.results.lines.number(p.line),
                number(p.block), number(p.warp), number(p.lane), p.message, p.remedy, p.saving);
    return table.text();
  }

  void body(App& app, Stage& stage, Rectangle area) override {
    if (!app.results.failed && draw_missing_results(app, stage, area)) return;
    if (app.results.problems.empty()) {
      draw_state(stage, area, "No problem was found.",
                 app.results.summary.claims.empty()
                     ? "Write a claim above an array to have its register assignment checked."
                     : "All claims hold, and the review found nothing.");
      return;
    }
    ImGui::SetCursorScreenPos(area.min());
    ImGui::BeginChild("problem rows", {area.w, area.h});
    y_ = ImGui::GetCursorScreenPos().y;
    const float top = y_;
    const Rectangle column{area.x + stage.px(14), area.y, area.w - stage.px(28), area.h};
    pressed_ = {};
    for (int i = 0; i < static_cast<int>(app.results.problems.size()); ++i) draw_problem(app, stage, column, i);
    ImGui::SetCursorScreenPos({area.x, y_});
    ImGui::Dummy({1, std::max(y_ - top > 0 ? stage.px(8) : 0, 1.0f)});
    ImGui::EndChild();
    // A pressed entry makes a new list if another block has to be recorded.
    if (pressed_.problem < 0) return;
    app.shell.active_panel = id();
    if (pressed_.party >= 0)
      app.show_party(pressed_.problem, pressed_.party);
    else
      app.show_problem(pressed_.problem);
  }

 private:
  struct Pressed {
    int problem = -1, party = -1;
  };

  void draw_problem(App& app, const Stage& stage, Rectangle column, int index) {
    const Problem& p = app.results.problems[static_cast<std::size_t>(index)];
    const bool chosen = index == app.problems.current();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.ChannelsSplit(2);
    list.ChannelsSetCurrent(1);
    const float top = y_;
    y_ += stage.px(5);
    heading(app.results.lines, stage, column, p, index);
    const float indent = stage.px(18);
    const auto paragraph = [&](const std::string& words, scene::Color color) {
      y_ += draw_wrapped(stage, stage.fonts.small, {column.x + indent, y_}, column.w - indent, color, words) +
            stage.px(2);
    };
    paragraph((p.expected ? "Expected: " : "") + p.message, stage.theme->text_dim);
    for (int side = 0; side < static_cast<int>(p.parties.size()); ++side) party(app, stage, column, index, side);
    if (p.finding >= 0 && (chosen || app.results.problems.size() == 1))
      interleaving(app, stage, column,
                   results::interleaving_of(app.results.summary.findings[static_cast<std::size_t>(p.finding)]));
    if (const std::string where = chosen ? where_of(app, index) : ""; !where.empty())
      paragraph("At " + where, stage.theme->text_dim);
    if (!p.remedy.empty()) paragraph("To do: " + p.remedy, stage.theme->text);
    if (!p.saving.empty()) paragraph("Saves " + p.saving, stage.theme->text);
    y_ += stage.px(5);
    list.ChannelsSetCurrent(0);
    if (chosen) {
      const float left = column.x - stage.px(14);
      list.AddRectFilled({left, top}, {left + column.w + stage.px(28), y_}, to_im(stage.theme->row_highlight));
      list.AddRectFilled({left, top}, {left + stage.px(3), y_}, to_im(stage.theme->accent));
    }
    list.ChannelsMerge();
    if (chosen && revealed_ != std::pair(app.results.version, index)) {
      revealed_ = {app.results.version, index};
      const float window_top = ImGui::GetWindowPos().y, window_h = ImGui::GetWindowHeight();
      if (top < window_top || y_ > window_top + window_h)
        ImGui::SetScrollY(std::max(ImGui::GetScrollY() + top - window_top - stage.px(4), 0.0f));
    }
  }

  /// A column for each of the two threads, a row for each access, in the order of the run.
  void interleaving(const App& app, const Stage& stage, Rectangle column, const results::Interleaving& table) {
    if (table.rows.empty()) return;
    const views::Theme& t = *stage.theme;
    const float indent = stage.px(18), left = column.x + indent, width = column.w - indent, number = stage.px(48),
                half = (width - number) / 2, line = stage.px(18);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    y_ += stage.px(4);
    const auto heading_of = [&](const std::string& words, float x) {
      return draw_wrapped(stage, stage.fonts.small, {x, y_}, half - stage.px(6), t.text, words);
    };
    draw_text(stage, stage.fonts.small, {left, y_ + stage.px(9)}, t.text_dim, "line");
    y_ +=
        std::max(heading_of(table.first, left + number), heading_of(table.second, left + number + half)) + stage.px(2);
    list.AddLine({left, y_}, {left + width, y_}, to_im(t.border), stage.hairline());
    for (const results::Interleaving::Row& row : table.rows) {
      const float x = left + number + (row.of_second ? half : 0), y = y_ + line / 2;
      if (row.line > 0) draw_text(stage, stage.fonts.small, {left, y}, t.text_dim, app.results.lines.number(row.line));
      // Read from top to bottom: a bar in the column of the thread whose turn it is.
      list.AddRectFilled({x - stage.px(6), y_ + stage.px(3)}, {x - stage.px(3), y_ + line - stage.px(2)},
                         to_im(t.accent));
      draw_text(stage, stage.fonts.small, {x, y}, t.text, row.does, TextAlign::left, half - stage.px(6));
      y_ += line;
    }
    list.AddLine({left, y_}, {left + width, y_}, to_im(t.border), stage.hairline());
    y_ += stage.px(3);
    if (!table.consequence.empty())
      y_ += draw_wrapped(stage, stage.fonts.small, {left, y_}, width, t.text, table.consequence + ".") + stage.px(2);
  }

  /// Counted once: a long run has many steps.
  const std::string& where_of(const App& app, int index) {
    const std::pair key(app.results.version, index);
    if (where_key_ != key)
      where_key_ = key, where_ = where_words(app, app.results.problems[static_cast<std::size_t>(index)]);
    return where_;
  }

  void heading(const SourceLines& lines, const Stage& stage, Rectangle column, const Problem& p, int index) {
    const float line = stage.px(21), indent = stage.px(18);
    ImGui::SetCursorScreenPos({column.x, y_});
    const std::string label = "problem " + std::to_string(index + 1) + " " + (p.rule.empty() ? p.title : p.rule);
    if (ImGui::InvisibleButton(label.c_str(), {column.w, line})) pressed_ = {index, -1};
    const bool hovered = ImGui::IsItemHovered();
    if (ImGui::IsItemHovered(ImGuiHoveredFlags_ForTooltip) && !p.rule.empty())
      tooltip(stage, explanation_of(p.rule + " rule"));
    draw_verdict_icon(stage, severity_icon(p), {column.x + stage.px(5), y_ + line / 2}, stage.px(8));
    const std::string title = title_of(p);
    std::string right = p.line > 0 ? lines.words(p.line) : "";
    if (p.expected) right = "expected" + std::string(right.empty() ? "" : ", ") + right;
    const float right_width = text_width(stage.fonts.small, right);
    // In a narrow panel the place is below the title.
    const bool below =
        !right.empty() && text_width(stage.fonts.body_medium, title) + stage.px(8) + right_width > column.w - indent;
    draw_text(stage, stage.fonts.body_medium, {column.x + indent, y_ + line / 2},
              hovered ? stage.theme->accent : stage.theme->text, title, TextAlign::left, column.w - indent);
    if (below) y_ += line;
    const float left = below ? column.x + indent : column.x + column.w - right_width;
    if (!right.empty())
      draw_text(stage, stage.fonts.small, {left, y_ + line / 2}, stage.theme->text_dim, right, TextAlign::left,
                column.w - indent);
    y_ += line;
  }

  /// One side: what it does on the first line, who and where below; a click moves there.
  void party(const App& app, const Stage& stage, Rectangle column, int index, int side) {
    const Problem& p = app.results.problems[static_cast<std::size_t>(index)];
    const results::Party& who = p.parties[static_cast<std::size_t>(side)];
    const float indent = stage.px(32), top = y_;
    std::string words = results::place_words(who.block, who.warp, who.lane);
    if (who.launch >= 0 && results::conflict_across(p).launches)
      words = launch_words(app.results.summary, who.launch) + (words.empty() ? "" : ", ") + words;
    if (who.line > 0 && who.block >= 0) words += ", " + app.results.lines.words(who.line);
    words += (words.empty() ? "" : ": ") + who.does;
    const bool goes = who.block >= 0 || who.line > 0;
    const bool chosen = index == app.problems.current() && side == app.problems.party();
    const ImVec2 mouse = ImGui::GetMousePos();
    const float height = wrapped_height(stage, words, column.w - indent);
    const bool hovered = goes && ImGui::IsWindowHovered() &&
                         Rectangle{column.x + indent, top, column.w - indent, height}.contains(mouse);
    draw_text(stage, stage.fonts.small, {column.x + stage.px(20), top + stage.px(9)},
              chosen ? stage.theme->accent : stage.theme->text_faint, chosen ? "▸" : "·");
    y_ += draw_wrapped(stage, stage.fonts.small, {column.x + indent, y_}, column.w - indent,
                       hovered || chosen ? stage.theme->accent : stage.theme->text, words) +
          stage.px(2);
    if (!goes) return;
    ImGui::SetCursorScreenPos({column.x + indent, top});
    const std::string label = "side " + std::to_string(side + 1) + " of problem " + std::to_string(index + 1);
    if (ImGui::InvisibleButton(label.c_str(), {column.w - indent, std::max(y_ - top, 1.0f)})) pressed_ = {index, side};
    if (ImGui::IsItemHovered()) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  }

  static float wrapped_height(const Stage& stage, const std::string& words, float width) {
    return static_cast<float>(wrapped_lines(stage.fonts.small, words, width).size()) *
           std::round(stage.fonts.small->FontSize * 1.45f);  // as draw_wrapped
  }

  float y_ = 0;
  Pressed pressed_;
  std::pair<std::uint64_t, int> revealed_{0, -1}, where_key_{0, -1};
  std::string where_;
};

}  // namespace

std::unique_ptr<Panel> make_problems_panel() { return std::make_unique<ProblemsPanel>(); }

}  // namespace lanescope::gui
