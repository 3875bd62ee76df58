#include "app/gui/panels/panel.h"

#include <imgui_stdlib.h>

#include <filesystem>

#include "kernels/base/text.h"
#include "viz/paint/paint.h"

namespace lanescope::gui {

bool HeaderRow::choice(const char* id, const std::string& name, const std::string& value, const std::string& hint) {
  ButtonLook look{.icon = Icon::down, .name = name};
  if (!fits(button_width(stage_, value, look))) return false;
  right_ -= button_width(stage_, value, look);
  const bool pressed = button(stage_, id, {right_, y_}, value, hint, look);
  right_ -= stage_.px(2);
  return pressed;
}

bool HeaderRow::action(const char* id, const std::string& text, const std::string& hint) {
  ButtonLook look{.color = stage_.theme->accent};
  if (!fits(button_width(stage_, text, look))) return false;
  right_ -= button_width(stage_, text, look);
  const bool pressed = button(stage_, id, {right_, y_}, text, hint, look);
  right_ -= stage_.px(2);
  return pressed;
}

bool HeaderRow::icon(const char* id, Icon icon, const std::string& hint, const std::string& refusal) {
  ButtonLook look{.icon = icon, .refusal = refusal};
  if (!fits(button_width(stage_, "", look))) return false;
  right_ -= button_width(stage_, "", look);
  return button(stage_, id, {right_, y_}, "", hint, look);
}

bool HeaderRow::field(const char* id, std::string& text, float width_px, const std::string& shown_empty,
                      const std::string& hint, bool take_keyboard) {
  const float width = stage_.px(width_px);
  if (!fits(width)) return false;
  right_ -= width;
  ImGui::PushFont(stage_.fonts.small);
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(stage_.px(6), stage_.px(3)));
  ImGui::SetCursorScreenPos({right_, y_ - ImGui::GetFrameHeight() / 2});
  ImGui::SetNextItemWidth(width);
  if (take_keyboard) ImGui::SetKeyboardFocusHere();
  const bool entered =
      ImGui::InputTextWithHint((std::string("##") + id).c_str(), shown_empty.c_str(), &text,
                               ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll);
  if (ImGui::IsItemHovered(ImGuiHoveredFlags_ForTooltip)) tooltip(stage_, hint);
  ImGui::PopStyleVar();
  ImGui::PopFont();
  right_ -= stage_.px(6);
  return entered;
}

void HeaderRow::words(const std::string& text) {
  const float width = text_width(stage_.fonts.small, text);
  if (!fits(width)) return;
  draw_text(stage_, stage_.fonts.small, {right_ - stage_.px(2), y_}, stage_.theme->text_dim, text, TextAlign::right);
  right_ -= width + stage_.px(4);
}

bool draw_missing_results(const App& app, const Stage& stage, Rectangle area) {
  if (app.results.have) return false;
  if (app.results.running) {
    // The window says so once, see draw_run_under_way.
  } else if (app.results.failed) {
    const Diagnostics& d = app.results.diagnostics;
    std::string where;
    if (!d.empty() && d.front().line > 0) {
      const int line = app.results.lines.unit_line(d.front().file, d.front().line);
      where = app.results.lines.words(line) + ": ";
      if (!app.results.lines.in_header(line)) where[0] = 'L';
    }
    draw_state(stage, area, d.empty() ? "The kernel did not run." : as_sentence(where + d.front().message),
               !d.empty() && !d.front().remedy.empty() ? as_sentence("To do: " + d.front().remedy)
                                                       : "Correct the source. It then runs again automatically.");
  } else {
    draw_state(stage, area, "No kernel is open.",
               "Press " + key_of("file.kernels") + " for the catalogue, or drop a .cu file on the window.");
  }
  return true;
}

void draw_run_under_way(App& app, const Stage& stage, Rectangle area) {
  const std::string words = capitalised(app.results.run_words(app.shell.now));
  const float y = area.y + area.h / 2;
  draw_text(stage, stage.fonts.body_medium, {area.x + area.w / 2, y - stage.px(16)}, stage.theme->text, words,
            TextAlign::center, area.w - stage.px(24));
  ButtonLook look{.pill = true, .color = stage.theme->accent};
  const float width = button_width(stage, "Stop the run", look);
  if (button(stage, "Stop the run", {area.x + (area.w - width) / 2, y + stage.px(16)}, "Stop the run",
             hint_of("run.stop"), look))
    run_command(app, "run.stop");
}

namespace {

/// Pixels to a scene unit: sharp on paper and on screens with small pixels.
constexpr float png_scale = 2;

}  // namespace

Expected<void> export_panel(const App& app, const Stage& stage, const Panel& panel, const std::string& path) {
  const std::string suffix = std::filesystem::path(path).extension().string();
  const std::string title(panel_title(panel.id()));
  const auto refused = [&](std::string why, std::string remedy) {
    return failure(Diagnostic{.file = path, .message = std::move(why), .remedy = std::move(remedy)});
  };
  if (suffix == ".csv") {
    const std::string csv = app.results.have ? panel.csv(app) : std::string();
    if (csv.empty()) return refused("the panel " + title + " has no data now", "save another panel");
    return document::write_file(path, csv);
  }
  if (suffix != ".svg" && suffix != ".png")
    return refused(suffix.empty() ? "the path has no suffix" : "panels are not saved as " + suffix,
                   "use the suffix .svg, .png or .csv");
  const auto drawn = stage.scenes.find(panel_name(panel.id()));
  if (drawn == stage.scenes.end())
    return refused("the panel " + title + " has no picture now", "show a panel with a picture");
  const scene::Paper paper = stage.theme->paper();
  if (suffix == ".svg") return document::write_file(path, paint::to_svg(drawn->second.scene, paper));
  const auto png = LS_TRY(paint::to_png(drawn->second.scene, paper, png_scale));
  return document::write_file(path, png);
}

}  // namespace lanescope::gui
