// Inspector: everything known about what is selected, in words and numbers. Words about the shape under the mouse are
// there (scene_canvas.h): the inspector stands still.

#include <algorithm>

#include "app/gui/model/steps.h"
#include "app/gui/panels/panel.h"
#include "app/gui/state/glossary.h"
#include "app/gui/state/pins.h"
#include "kernels/base/text.h"
#include "results/problems.h"
#include "results/summary.h"
#include "viz/views/tooltips.h"

namespace lanescope::gui {
namespace {

/// The glossary's sentence on the name of a row, then what the view says of its number.
std::string row_explanation(const views::InspectorSection& section, const views::InspectorRow& row) {
  const bool contents = section.about == views::InspectorSection::About::selected_register && row.name == "holds";
  std::string words = explanation_of(contents ? "provenance" : row.name);
  if (!words.empty() && !row.hint.empty()) words += "\n";
  return words + row.hint;
}

/// The text of the view, and of selected memory the followed element in it.
std::vector<views::InspectorSection> sections_of(const App& app) {
  std::vector<views::InspectorSection> all =
      views::inspector(app.results.summary, app.results.moment, app.navigation.selection);
  if (const std::string held = pinned_here(app); !held.empty())
    all.insert(all.begin(), {.title = "Followed element", .rows = {{.name = "arrived here", .value = held}}});
  return all;
}

class InspectorPanel final : public Panel {
 public:
  std::string csv(const App& app) const override {
    views::csv::Table table({"section", "name", "value"});
    for (const views::InspectorSection& section : sections_of(app))
      for (const views::InspectorRow& row : section.rows) table.row(section.title, row.name, row.value);
    return table.text();
  }

  void body(App& app, Stage& stage, Rectangle area) override {
    if (draw_missing_results(app, stage, area)) return;
    ImGui::SetCursorScreenPos(area.min());
    ImGui::BeginChild("inspector rows", {area.w, area.h});
    y_ = ImGui::GetCursorScreenPos().y;
    const float top = y_;
    const Rectangle column{area.x + stage.px(14), area.y, area.w - stage.px(28), area.h};
    for (const views::InspectorSection& section : sections_of(app)) {
      if (section.about != views::InspectorSection::About::claims)
        draw_section(stage, column, section);  // below, as buttons
    }
    instruction(app, stage, column);
    claims(app, stage, column);
    run_words(app, stage, column);
    ImGui::SetCursorScreenPos({area.x, y_});
    ImGui::Dummy({1, std::max(y_ - top > 0 ? stage.px(8) : 0, 1.0f)});
    ImGui::EndChild();
  }

 private:
  void heading(const Stage& stage, Rectangle column, std::string_view text) {
    for (const std::string_view line : wrapped_lines(stage.fonts.body_medium, text, column.w)) {
      draw_text(stage, stage.fonts.body_medium, {column.x, y_ + stage.px(11)}, stage.theme->accent, line);
      y_ += stage.px(21);
    }
    y_ += stage.px(3);
  }

  void draw_section(const Stage& stage, Rectangle column, const views::InspectorSection& section) {
    if (section.rows.empty()) return;
    heading(stage, column, section.title);
    const float line = stage.px(21);
    for (const views::InspectorRow& row : section.rows) {
      const float top = y_;
      const float name_width = std::min(text_width(stage.fonts.small, row.name), column.w * 0.6f);
      draw_text(stage, stage.fonts.small, {column.x, y_ + line / 2}, stage.theme->text_dim, row.name, TextAlign::left,
                column.w * 0.6f);
      const float room = column.w - name_width - stage.px(10);
      if (text_width(stage.fonts.code_small, row.value) <= room) {
        draw_text(stage, stage.fonts.code_small, {column.x + column.w, y_ + line / 2}, stage.theme->text, row.value,
                  TextAlign::right);
        y_ += line;
      } else {
        y_ += line;
        y_ += draw_wrapped(stage, stage.fonts.code_small, {column.x + stage.px(10), y_}, column.w - stage.px(10),
                           stage.theme->text, row.value);
      }
      const Rectangle area{column.x, top, column.w, y_ - top};
      if (ImGui::IsWindowHovered() && area.contains(ImGui::GetMousePos()))
        tooltip(stage, row_explanation(section, row));
    }
    y_ += stage.px(12);
  }

  /// The PTX of the step in words, and the way its data takes on the GPU that is spoken of.
  void instruction(const App& app, const Stage& stage, Rectangle column) {
    const auto [text, contraction] = instruction_on_show(app);
    if (text.empty()) return;
    const explain::Generation generation = shown_generation(app);
    const explain::Explanation e = explain::explain(text, generation);
    if (e.does.empty()) return;
    heading(stage, column, "Instruction in words");
    const float top = y_;
    y_ +=
        draw_wrapped(stage, stage.fonts.code_small, {column.x, y_}, column.w, stage.theme->text, e.text) + stage.px(2);
    y_ += draw_wrapped(stage, stage.fonts.small, {column.x, y_}, column.w, stage.theme->text_dim, e.does);
    if (!contraction.empty())
      y_ += draw_wrapped(stage, stage.fonts.small, {column.x, y_}, column.w, stage.theme->text, contraction);
    const Rectangle all{column.x, top, column.w, y_ - top};
    if (ImGui::IsWindowHovered() && all.contains(ImGui::GetMousePos())) tooltip(stage, explain::to_text(e));
    y_ += stage.px(6);
    if (!e.route) return void(y_ += stage.px(6));
    views::InspectorSection route{.title = "Path on " + generation.name + " (" + generation.arch + ")"};
    route.rows.push_back({"path", e.route->words()});
    if (!e.route->transaction.empty()) route.rows.push_back({"in pieces", e.route->transaction});
    if (!e.route->warp.empty()) route.rows.push_back({"a warp", e.route->warp});
    draw_section(stage, column, route);
  }

  void claims(App& app, const Stage& stage, Rectangle column) {
    const auto& all = app.results.summary.claims;
    if (all.empty()) return;
    heading(stage, column, "Claims");
    for (const results::ClaimInfo& c : all) {
      const VerdictIcon icon = c.result.verdict == claims::Verdict::holds     ? VerdictIcon::good
                               : c.result.verdict == claims::Verdict::differs ? VerdictIcon::bad
                                                                              : VerdictIcon::unknown;
      const float line = stage.px(21);
      const std::string label = "claim at line " + std::to_string(c.claim.first_line);
      ImGui::SetCursorScreenPos({column.x, y_});
      if (ImGui::InvisibleButton(label.c_str(), {column.w, line})) app.navigation.go_to_claim(c);
      const bool hovered = ImGui::IsItemHovered();
      if (ImGui::IsItemHovered(ImGuiHoveredFlags_ForTooltip))
        tooltip(stage, explanation_of(claims::to_string(c.result.verdict)));
      draw_verdict_icon(stage, icon, {column.x + stage.px(5), y_ + line / 2}, stage.px(8));
      const std::string words = c.claim.variable + " at " + app.results.lines.words(c.claim.first_line) + " " +
                                claims::verdict_words(c.result);
      for (const std::string_view part : wrapped_lines(stage.fonts.small, words, column.w - stage.px(18))) {
        draw_text(stage, stage.fonts.small, {column.x + stage.px(18), y_ + line / 2},
                  hovered ? stage.theme->accent : stage.theme->text, part);
        y_ += line;
      }
      const std::string why =
          c.result.verdict == claims::Verdict::differs ? c.result.difference : c.result.reason.words();
      if (c.result.verdict != claims::Verdict::holds && !why.empty())
        y_ += draw_wrapped(stage, stage.fonts.small, {column.x + stage.px(18), y_}, column.w - stage.px(18),
                           stage.theme->text_dim, why);
      for (const std::string& remark : claims::remarks_on(c.claim, c.result))
        y_ += draw_wrapped(stage, stage.fonts.small, {column.x + stage.px(18), y_}, column.w - stage.px(18),
                           stage.theme->text_dim, capitalised(remark) + ".");
    }
    y_ += stage.px(12);
  }

  void run_words(const App& app, const Stage& stage, Rectangle column) {
    const results::Summary& s = app.results.summary;
    heading(stage, column, "This run");
    std::vector<std::string> sentences;
    if (!s.compiler.empty())
      sentences.push_back("Compiled by " + s.compiler + (s.arch.empty() ? "" : " for " + s.arch) + ".");
    if (!s.resources.assembled.empty())
      sentences.push_back(s.resources.assembled + ".");
    else if (s.resources.registers >= 0)
      sentences.push_back(std::to_string(s.resources.registers) + " registers per thread.");
    std::ranges::move(words_of(s.notices), std::back_inserter(sentences));
    for (std::string& sentence : results::sentences_of(s)) sentences.push_back(std::move(sentence));
    for (const std::string& sentence : sentences)
      y_ += draw_wrapped(stage, stage.fonts.small, {column.x, y_}, column.w, stage.theme->text_dim, sentence) +
            stage.px(3);
    y_ += stage.px(12);
  }

  float y_ = 0;
};

}  // namespace

std::unique_ptr<Panel> make_inspector_panel() { return std::make_unique<InspectorPanel>(); }

}  // namespace lanescope::gui
