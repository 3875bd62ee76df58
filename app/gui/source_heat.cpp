// The counts beside the source lines: one counter of the last good run, on a colour that says its share of the largest.

#include <cmath>
#include <map>

#include "app/gui/command.h"
#include "app/gui/source_panel.h"
#include "viz/views/csv.h"
#include "viz/views/elements.h"
#include "viz/views/metrics.h"
#include "viz/views/stalls.h"

namespace lanescope::gui {
namespace {

// Counters of ViewOptions::heat that a GPU measured: "measured " and the hardware's name, or samples.
constexpr std::string_view measured_prefix = "measured ", samples_name = "measured stall samples";

views::HeatColumn measured_heat(const App& app) {
  const views::Measured& measured = app.measurements.last;
  std::vector<views::LineValue> values;
  if (app.view.heat == samples_name) {
    std::map<int, double> lines;
    for (const views::StallRow& row : measured.stalls)
      if (row.line > 0) lines[row.line] += static_cast<double>(row.samples);
    for (const auto& [line, samples] : lines) values.push_back({line, samples});
    return views::heat(values, "stall samples", "samples", app.theme());
  }
  const std::string name = app.view.heat.substr(measured_prefix.size());
  for (const auto& [line, value] : views::measured_by_line(measured, name)) values.push_back({line, value});
  return views::heat(values, name, name + " as measured", app.theme());
}

views::HeatColumn heat_of(const App& app) {
  if (app.view.heat.empty() || !app.results.have) return {};
  if (app.view.heat.starts_with(measured_prefix)) return measured_heat(app);
  return views::heat(app.results.summary, app.view.heat, app.theme());
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
  std::string stamp = std::to_string(app.results.version) + " " + app.view.theme + " " + app.view.heat + " " +
                      std::to_string(app.measurements.version);
  if (stamp == heat_stamp_) return;
  heat_stamp_ = std::move(stamp);
  heat_ = heat_of(app);
}

void SourcePanel::choices(App& app, Stage& stage, HeaderRow& row) {
  std::string hint = hint_of("picture.heat");
  if (!heat_.title.empty()) {
    const std::string total = views::number_words(heat_.total) + " " + heat_.unit;
    const bool measured = app.view.heat.starts_with(measured_prefix);
    hint = "Beside each line: " + heat_.unit + (measured ? "; " : ", predicted; ") + total +
           (heat_.ratio ? " in the whole run" : " in all") + ".\n" + hint;
  }
  if (row.choice("Heat", "heat", heat_.title.empty() ? "none" : heat_.title, hint)) ImGui::OpenPopup("heat");
  if (!begin_menu(stage, "heat")) return;
  if (menu_entry(stage, "none", app.view.heat.empty())) app.view.heat.clear();
  for (const views::HeatCounter& c : views::heat_counters()) {
    if (menu_entry(stage, std::string(c.title).c_str(), app.view.heat == c.name)) app.view.heat = std::string(c.name);
  }
  for (const std::string& name : measured_counters(app)) {
    if (menu_entry(stage, name.c_str(), app.view.heat == name)) app.view.heat = name;
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
