#include "app/gui/panels/panel.h"

#include "app/gui/commands/command.h"
#include "kernels/base/text.h"

namespace lanescope::gui {
namespace {

/// "Compiling…" of the engine's "compiling".
std::string stage_words(std::string stage) {
  if (stage.empty()) return "Waiting for the engine…";
  stage[0] = upper(stage[0]);
  return stage + "…";
}

}  // namespace

bool HeaderRow::choice(const char* id, const std::string& name, const std::string& value, const std::string& hint) {
  ButtonLook look;
  look.icon = Icon::down;
  look.name = name;
  if (!fits(button_width(stage_, value, look))) return false;
  right_ -= button_width(stage_, value, look);
  const bool pressed = button(stage_, id, {right_, y_}, value, hint, look);
  right_ -= stage_.px(2);
  return pressed;
}

bool HeaderRow::icon(const char* id, Icon icon, const std::string& hint, const std::string& refusal) {
  ButtonLook look;
  look.icon = icon;
  look.refusal = refusal;
  if (!fits(button_width(stage_, "", look))) return false;
  right_ -= button_width(stage_, "", look);
  return button(stage_, id, {right_, y_}, "", hint, look);
}

void HeaderRow::words(const std::string& text) {
  const float width = text_width(stage_.fonts.small, text);
  if (!fits(width)) return;
  draw_text(stage_, stage_.fonts.small, {right_ - stage_.px(2), y_}, stage_.theme->text_dim, text, TextAlign::right);
  right_ -= width + stage_.px(4);
}

void HeaderRow::swatch(const std::string& text, scene::Color color, bool round) {
  const float r = stage_.px(4.5f);
  if (!fits(text_width(stage_.fonts.small, text) + 2 * r + stage_.px(8))) return;
  words(text);
  const ImVec2 c{right_ - stage_.px(4) - r, y_};
  ImDrawList& list = *ImGui::GetWindowDrawList();
  if (round)
    list.AddCircleFilled(c, r, to_im(color));
  else
    list.AddRectFilled({c.x - r, c.y - r}, {c.x + r, c.y + r}, to_im(color), stage_.px(2));
  right_ = c.x - r - stage_.px(14);
}

bool draw_missing_results(const App& app, const Stage& stage, Rectangle area) {
  if (app.results.have) return false;
  if (app.results.running) {
    draw_state(stage, area, stage_words(app.results.stage), "Stop it with " + key_of("run.stop") + ".");
  } else if (app.results.failed) {
    const Diagnostics& d = app.results.diagnostics;
    const std::string where = d.empty() || d.front().line == 0 ? "" : "Line " + std::to_string(d.front().line) + ": ";
    draw_state(stage, area, d.empty() ? "The kernel did not run." : where + d.front().message + ".",
               !d.empty() && !d.front().remedy.empty() ? "To do: " + d.front().remedy + "."
                                                       : "Correct the source. It then runs again automatically.");
  } else {
    draw_state(stage, area, "No kernel is open.",
               "Press " + key_of("file.kernels") + " for the catalogue, or drop a .cu file on the window.");
  }
  return true;
}

}  // namespace lanescope::gui
