// The counts beside the source lines: one counter of the last good run, on a colour that says its share of the largest.

#include <cmath>

#include "app/gui/commands/command.h"
#include "app/gui/panels/source/source_panel.h"
#include "kernels/base/numbers.h"
#include "viz/views/base/csv.h"
#include "viz/views/measured/measured.h"
#include "viz/views/tooltips.h"

namespace lanescope::gui {
namespace {

// Counters of ViewOptions::heat that a GPU measured: "measured " and the hardware's name, or samples.
constexpr std::string_view measured_prefix = "measured ", samples_name = "measured stall samples";

views::HeatColumn column_of(const std::vector<std::pair<int, double>>& lines, const std::string& title,
                            const std::string& unit, const views::Theme& theme) {
  std::vector<views::LineValue> values;
  for (const auto& [line, value] : lines) values.push_back({line, value});
  return views::heat(values, title, unit, theme);
}

/// The prediction of the same counter is before it.
std::vector<views::HeatColumn> measured_heat(const App& app) {
  const results::Measured& measured = app.measurements.last;
  if (app.shell.view.heat == samples_name) {
    std::map<int, double> lines;
    for (const results::StallRow& row : measured.stalls)
      if (row.line > 0) lines[row.line] += static_cast<double>(row.samples);
    return {column_of({lines.begin(), lines.end()}, "stall samples", "samples", app.shell.theme())};
  }
  const std::string name = app.shell.view.heat.substr(measured_prefix.size());
  return {column_of(views::predicted_by_line(measured, name), name, name + " (predicted)", app.shell.theme()),
          column_of(views::measured_by_line(measured, name), name, name + " (measured)", app.shell.theme())};
}

std::vector<views::HeatColumn> heat_of(const App& app) {
  if (app.shell.view.heat.empty() || !app.results.have) return {};
  std::vector<views::HeatColumn> columns;
  if (app.shell.view.heat.starts_with(measured_prefix))
    columns = measured_heat(app);
  else
    columns.push_back(views::heat(app.results.summary, app.shell.view.heat, app.shell.theme()));
  std::erase_if(columns, [](const views::HeatColumn& c) { return c.title.empty(); });
  return columns;
}

std::vector<std::string> measured_counters(const App& app) {
  std::vector<std::string> names;
  for (const std::string& name : views::counters_by_line(app.measurements.last))
    names.push_back(std::string(measured_prefix) + name);
  if (!app.measurements.last.stalls.empty()) names.emplace_back(samples_name);
  return names;
}

}  // namespace

void SourcePanel::update_heat(const App& app) {
  std::string stamp = std::to_string(app.results.version) + " " + app.shell.view.theme + " " + app.shell.view.heat +
                      " " + std::to_string(app.measurements.version);
  if (stamp == heat_stamp_) return;
  heat_stamp_ = std::move(stamp);
  heat_ = heat_of(app);
}

void SourcePanel::choices(App& app, Stage& stage, HeaderRow& row) {
  std::string hint = hint_of("picture.heat");
  const bool measured = app.shell.view.heat.starts_with(measured_prefix);
  for (auto column = heat_.rbegin(); column != heat_.rend(); ++column)
    hint = "Heat column: " + column->unit + (measured ? "; " : ", predicted; ") + number_text(column->total) + " " +
           column->unit + (column->ratio ? " in the whole run" : " in all") + ".\n" + hint;
  drop_down(row, stage, "Heat", "heat", heat_.empty() ? "none" : heat_.back().title, hint, [&] {
    if (menu_entry(stage, "none", app.shell.view.heat.empty())) app.shell.view.heat.clear();
    for (const views::HeatCounter& c : views::heat_counters())
      if (menu_entry(stage, std::string(c.title).c_str(), app.shell.view.heat == c.name))
        app.shell.view.heat = std::string(c.name);
    for (const std::string& name : measured_counters(app))
      if (menu_entry(stage, name.c_str(), app.shell.view.heat == name)) app.shell.view.heat = name;
  });
}

/// Nothing where every line counts 0.
float SourcePanel::heat_width(const Stage& stage, const views::HeatColumn& column) const {
  if (column.cells.empty()) return 0;
  const int least = heat_.size() > 1 ? static_cast<int>(std::string_view("predicted").size()) : 4;
  const float letter = stage.fonts.code_small->GetCharAdvance('0');
  return std::round(letter * static_cast<float>(std::max(column.widest_columns(), least)) + stage.px(14));
}

float SourcePanel::heat_width(const Stage& stage) const {
  float width = 0;
  for (const views::HeatColumn& column : heat_)
    if (const float own = heat_width(stage, column); own > 0) width += own + (width > 0 ? stage.px(4) : 0);
  return width;
}

void SourcePanel::draw_heat(const App& app, const Stage& stage, Rectangle area) {
  if (heat_.empty()) return;
  float right = area.x + area.w - stage.px(14);
  const int current = app.panel_line(app.navigation.selection.line);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  for (auto column = heat_.rbegin(); column != heat_.rend(); ++column) {
    const float width = heat_width(stage, *column);
    for (const views::HeatCell& cell : column->cells) {
      const int line = app.panel_line(cell.line);
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
    if (width > 0) right -= width + stage.px(4);
  }
  if (heat_.size() > 1) draw_heat_captions(stage, area);
}

/// Below the columns, where short files have nothing.
void SourcePanel::draw_heat_captions(const Stage& stage, Rectangle area) const {
  const float right = area.x + area.w - stage.px(14), measured = heat_width(stage, heat_.back());
  if (measured == 0 || heat_width(stage, heat_.front()) == 0) return;
  const float top = area.y + area.h - line_height_ - stage.px(10), middle = top + line_height_ / 2;
  ImGui::GetWindowDrawList()->AddRectFilled({right - heat_width(stage) - stage.px(4), top},
                                            {right + stage.px(4), top + line_height_},
                                            to_im(views::with_alpha(stage.theme->panel, 235)), stage.px(3));
  draw_text(stage, stage.fonts.code_small, {right - stage.px(7), middle}, stage.theme->text_dim, "measured",
            TextAlign::right);
  draw_text(stage, stage.fonts.code_small, {right - measured - stage.px(11), middle}, stage.theme->text_dim,
            "predicted", TextAlign::right);
}

std::string SourcePanel::csv(const App& app) const {
  // Without a column beside it, everything that is counted by line.
  if (heat_.empty() || heat_.back().cells.empty()) return views::counters_csv(app.results.summary);
  if (heat_.size() == 1) return views::to_csv(heat_.front());
  std::map<int, std::pair<double, double>> lines;
  for (const views::HeatCell& cell : heat_.front().cells) lines[cell.line].first = cell.value;
  for (const views::HeatCell& cell : heat_.back().cells) lines[cell.line].second = cell.value;
  views::csv::Table table({"line", "counter", "predicted", "measured"});
  for (const auto& [line, both] : lines) table.row(line, heat_.back().title, both.first, both.second);
  return table.text();
}

}  // namespace lanescope::gui
