// The counts beside the source lines: one counter of the last good run, on a colour that says its share of the largest.

#include <cmath>

#include "app/gui/command.h"
#include "app/gui/source_panel.h"
#include "viz/views/csv.h"
#include "viz/views/elements.h"

namespace lanescope::gui {

void SourcePanel::update_heat(const App& app) {
  std::string stamp = std::to_string(app.results.version) + " " + app.view.theme + " " + app.view.heat;
  if (stamp == heat_stamp_) return;
  heat_stamp_ = std::move(stamp);
  heat_ = app.view.heat.empty() || !app.results.have ? views::HeatColumn{}
                                                     : views::heat(app.results.summary, app.view.heat, app.theme());
}

void SourcePanel::choices(App& app, Stage& stage, HeaderRow& row) {
  std::string hint = hint_of("picture.heat");
  if (!heat_.title.empty()) {
    const std::string total = views::number_words(heat_.total) + " " + heat_.unit;
    hint = "Beside each line: " + heat_.unit + ", predicted; " + total +
           (heat_.ratio ? " in the whole run" : " in all") + ".\n" + hint;
  }
  if (row.choice("Heat", "heat", heat_.title.empty() ? "none" : heat_.title, hint)) ImGui::OpenPopup("heat");
  if (!begin_menu(stage, "heat")) return;
  if (menu_entry(stage, "none", app.view.heat.empty())) app.view.heat.clear();
  for (const views::HeatCounter& c : views::heat_counters()) {
    if (menu_entry(stage, std::string(c.title).c_str(), app.view.heat == c.name)) app.view.heat = std::string(c.name);
  }
  end_menu();
}

float SourcePanel::heat_width(const Stage& stage) const {
  if (heat_.cells.empty()) return 0;
  const float letter = stage.fonts.code_small->GetCharAdvance('0');
  return std::round(letter * static_cast<float>(std::max(heat_.widest_columns(), 4)) + stage.px(14));
}

void SourcePanel::draw_heat(const App& app, const Stage& stage, Rectangle area) {
  if (heat_.cells.empty()) return;
  const float width = heat_width(stage), right = area.x + area.w - stage.px(14);
  const int current = shown_line(app, app.selection.line);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  for (const views::HeatCell& cell : heat_.cells) {
    const int line = shown_line(app, cell.line);
    const float y = base_.y + static_cast<float>(line - 1) * line_height_;
    if (line <= 0 || y + line_height_ < area.y || y > area.y + area.h) continue;
    // The end of a long line of code is covered: the number must be read.
    list.AddRectFilled(
        {right - width - stage.px(4), y}, {right + stage.px(4), y + line_height_},
        to_im(line == current ? stage.theme->row_highlight : views::with_alpha(stage.theme->panel, 225)));
    list.AddRectFilled({right - width, y + stage.px(1.5f)}, {right, y + line_height_ - stage.px(1.5f)},
                       to_im(cell.fill), stage.px(3));
    draw_text(stage, stage.fonts.code_small, {right - stage.px(7), y + line_height_ / 2}, cell.ink, cell.words,
              TextAlign::right);
  }
}

std::string SourcePanel::csv(const App& app) const {
  // Without a column beside it, everything that is counted by line.
  return heat_.cells.empty() ? views::counters_csv(app.results.summary) : views::to_csv(heat_);
}

}  // namespace lanescope::gui
