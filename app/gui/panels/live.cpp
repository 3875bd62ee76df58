// Live: the scalar arguments of the launches as sliders. Each move runs the kernel again; with the live mode on, a GPU
// follows each move at once and its counters are drawn one after the other.

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "app/gui/panels/panel.h"
#include "app/gui/widgets/control_strip.h"
#include "kernels/source/source.h"
#include "viz/views/measured/live.h"

namespace lanescope::gui {
namespace {

/// A number that launches of the header pass to their kernels.
struct Number {
  std::string name;
  double own = 0, least = 0, most = 0;
  bool whole = true;
};

/// From nothing to twice what the header has; whole numbers at least to 16.
Number number_of(const std::string& name, double own) {
  Number n{.name = name, .own = own, .whole = own == std::floor(own) && std::abs(own) < 0x1p52};
  const double reach = 2 * std::abs(own);
  n.least = own < 0 ? -reach : 0;
  n.most = n.whole ? std::max(reach, 16.0) : reach;
  return n;
}

std::string words_of(const Number& n, double value) {
  char text[32];
  std::snprintf(text, sizeof text, n.whole ? "%.0f" : "%.4g", value);
  return text;
}

std::vector<Number> numbers_of(const std::string& file, const std::string& text) {
  std::vector<Number> out;
  const auto source = source::read(file, text, {});
  if (!source) return out;
  for (const source::LaunchSpec& launch : source->header.launches)
    for (const source::ArgumentSpec& argument : launch.arguments) {
      const double* value = std::get_if<double>(&argument.value);
      if (argument.is_buffer || !argument.fields.empty() || !argument.members.empty() || value == nullptr) continue;
      if (std::any_of(out.begin(), out.end(), [&](const Number& n) { return n.name == argument.parameter; })) continue;
      if (std::isfinite(*value)) out.push_back(number_of(argument.parameter, *value));
    }
  return out;
}

class LivePanel final : public Panel {
 public:
  std::string subtitle(const App& app) const override {
    return app.settings.overrides.empty() ? "" : app.settings.override_words();
  }
  std::string csv(const App& app) const override { return views::live_csv(app.measurements.live.samples); }

  void body(App& app, Stage& stage, Rectangle area) override {
    if (draw_missing_results(app, stage, area)) return;
    if (text_ != app.document.text()) {
      text_ = app.document.text();
      numbers_ = numbers_of(app.document.title(), text_);
    }
    const float inset = stage.px(6);
    ControlStrip strip(stage, {area.x + inset, area.y, area.w - inset, 0});
    press(app, strip, "measure.live", app.measurements.live.on ? "Stop measuring live" : "Measure live");
    press(app, strip, "measure.own_numbers", "Reset to the header's values");
    if (numbers_.empty())
      strip.sentence("The launches have no scalar argument. Edits of the source are measured as well.",
                     stage.theme->text_dim);
    const float bottom = sliders(app, stage, {area.x + inset, strip.bottom() + stage.px(4), area.w - 2 * inset, 0});
    const Rectangle rest{area.x, bottom, area.w, std::max(area.y + area.h - bottom, 1.0f)};
    const std::string stamp = app.shell.view.theme + "|" + std::to_string(app.measurements.version);
    const auto make = [&](float width) {
      return views::live_view(app.measurements.live.samples, {.width = width, .note = app.measurements.live.refused},
                              app.shell.theme());
    };
    canvas_.draw(app, stage, id(), rest, stamp, make,
                 {.zooms = false, .shrink_to_fit = false, .centered = false, .scrolls = true});
  }

 private:
  static void press(App& app, ControlStrip& strip, const char* command, const std::string& words) {
    const Command& c = *find_command(command);
    if (strip.press(c.title.c_str(), words, hint_of(command), refusal_of(app, c))) run_command(app, command);
  }

  static bool slide(const char* label, const Number& n, double& value) {
    if (!n.whole) return ImGui::SliderScalar(label, ImGuiDataType_Double, &value, &n.least, &n.most, "");
    auto whole = static_cast<std::int64_t>(value);
    const auto least = static_cast<std::int64_t>(n.least), most = static_cast<std::int64_t>(n.most);
    if (!ImGui::SliderScalar(label, ImGuiDataType_S64, &whole, &least, &most, "")) return false;
    value = static_cast<double>(whole);
    return true;
  }

  /// A row each; returns where they end.
  float sliders(App& app, const Stage& stage, Rectangle area) const {
    float y = area.y;
    const float row = stage.px(28), name_width = stage.px(120);
    for (const Number& n : numbers_) {
      double value = n.own;
      for (const engine::Override& o : app.settings.overrides)
        if (o.name == n.name) value = std::strtod(o.value.c_str(), nullptr);
      draw_text(stage, stage.fonts.body, {area.x + stage.px(6), y + row / 2}, stage.theme->text, n.name,
                TextAlign::left, name_width - stage.px(10));
      ImGui::SetCursorScreenPos({area.x + name_width, y + stage.px(3)});
      ImGui::SetNextItemWidth(std::clamp(area.w - name_width - stage.px(150), stage.px(60), stage.px(360)));
      const std::string label = "##Slider " + n.name;
      const bool moved = slide(label.c_str(), n, value);
      const ImVec2 end = ImGui::GetItemRectMax();
      draw_text(stage, stage.fonts.code_small, {end.x + stage.px(10), y + row / 2}, stage.theme->text,
                words_of(n, value) + (value == n.own ? "" : " instead of " + words_of(n, n.own)));
      if (moved) app.requests.put_override(n.name, value == n.own ? std::nullopt : std::optional(words_of(n, value)));
      if (ImGui::IsItemHovered(ImGuiHoveredFlags_ForTooltip))
        tooltip(stage, "Value in the header: " + words_of(n, n.own) + ". Ctrl+click to enter a number.");
      y += row;
    }
    return y + stage.px(4);
  }

  SceneCanvas canvas_;
  std::string text_;
  std::vector<Number> numbers_;
};

}  // namespace

std::unique_ptr<Panel> make_live_panel() { return std::make_unique<LivePanel>(); }

}  // namespace lanescope::gui
