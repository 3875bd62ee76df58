#include "app/gui/aids/context_menu.h"

#include <imgui_internal.h>
#include <imgui_stdlib.h>

#include <algorithm>

#include "app/gui/commands/command.h"

namespace lanescope::gui {
namespace {

constexpr float row_px = 32;

struct FieldResult {
  bool entered = false, typed = false, active = false;
};

FieldResult find_field(const Stage& stage, const char* id, const char* hint, std::string& text, Rectangle at,
                       bool take_keys) {
  ImGui::PushFont(stage.fonts.code_small);
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(stage.px(7), stage.px(4)));
  ImGui::SetCursorScreenPos({at.x, at.y + (at.h - ImGui::GetFrameHeight()) / 2});
  ImGui::SetNextItemWidth(at.w);
  if (take_keys) {
    // By its id: SetKeyboardFocusHere did not activate the field here.
    ImGuiContext& g = *ImGui::GetCurrentContext();
    g.NavNextActivateId = ImGui::GetID(id);
    g.NavNextActivateFlags = ImGuiActivateFlags_PreferInput;
  }
  const std::string before = text;
  FieldResult result{.entered = ImGui::InputTextWithHint(id, hint, &text, ImGuiInputTextFlags_EnterReturnsTrue),
                     .active = ImGui::IsItemActive()};
  // ImGui takes back what was typed when Escape ends it.
  if (ImGui::IsKeyPressed(ImGuiKey_Escape, false)) text = before;
  result.typed = text != before;
  ImGui::PopStyleVar();
  ImGui::PopFont();
  return result;
}

std::string count_words(const Writing& w, const std::vector<std::size_t>& all) {
  if (w.search.words.empty()) return {};
  if (all.empty()) return "none";
  const auto at = std::find(all.begin(), all.end(), w.edit.low());
  const bool here = at != all.end() && w.edit.high() - w.edit.low() == w.search.words.size();
  return (here ? std::to_string(at - all.begin() + 1) + " of " : std::string()) + std::to_string(all.size());
}

/// Buttons from the right edge; what is left of them is the field's.
class ButtonsFromRight {
 public:
  ButtonsFromRight(App& app, const Stage& stage, float right, float middle)
      : app_(app), stage_(stage), x_(right), y_(middle) {}
  float left() const { return x_; }
  bool icon(const char* id, Icon icon, const std::string& hint) {
    ButtonLook look{.icon = icon};
    x_ -= button_width(stage_, "", look);
    return button(stage_, id, {x_, y_}, "", hint, look);
  }
  bool words(const char* id, const std::string& text, const std::string& hint, scene::Color color = {}) {
    ButtonLook look{.color = color};
    x_ -= button_width(stage_, text, look);
    return button(stage_, id, {x_, y_}, text, hint, look);
  }
  void command(const char* id, Icon shape, const char* name) {
    if (icon(id, shape, hint_of(name))) run_command(app_, name);
  }
  void command(const std::string& text, const char* name) {
    if (words(name, text, hint_of(name), stage_.theme->text)) run_command(app_, name);
  }

 private:
  App& app_;
  const Stage& stage_;
  float x_, y_;
};

void find_row(App& app, const Stage& stage, Rectangle row) {
  Writing& w = app.writing;
  const std::vector<std::size_t> all = w.matches();
  ButtonsFromRight buttons(app, stage, row.x + row.w, row.y + row.h / 2);
  if (buttons.icon("Close the search", Icon::close, "Close  (Escape)")) w.search.open = false;
  buttons.command("Next match", Icon::right, "edit.find_next");
  buttons.command("Previous match", Icon::left, "edit.find_previous");
  if (buttons.words("Match case", "Aa", w.search.match_case ? "Capitals matter" : "Capitals do not matter",
                    w.search.match_case ? stage.theme->accent : stage.theme->text_faint))
    w.search.match_case = !w.search.match_case;
  const std::string count = count_words(w, all);
  const float count_width = text_width(stage.fonts.small, "00 of 000") + stage.px(8);
  draw_text(stage, stage.fonts.small, {buttons.left() - stage.px(4), row.y + row.h / 2},
            count == "none" ? stage.theme->warn : stage.theme->text_dim, count, TextAlign::right);
  const Rectangle field{row.x, row.y, std::max(buttons.left() - count_width - row.x, stage.px(60)), row.h};
  const FieldResult typed = find_field(stage, "##find field", "Find", w.search.words, field, w.search.take_keys);
  w.search.take_keys = false;
  if (typed.typed) {
    w.edit.place(w.edit.low(), false);
    w.find(true);
  }
  if (typed.entered) {
    run_command(app, ImGui::GetIO().KeyShift ? "edit.find_previous" : "edit.find_next");
    w.search.take_keys = true;
  }
}

void replace_row(App& app, const Stage& stage, Rectangle row) {
  ButtonsFromRight buttons(app, stage, row.x + row.w, row.y + row.h / 2);
  buttons.command("All", "edit.replace_all");
  buttons.command("Replace", "edit.replace_next");
  const Rectangle field{row.x, row.y, std::max(buttons.left() - stage.px(4) - row.x, stage.px(60)), row.h};
  const FieldResult typed =
      find_field(stage, "##replacement field", "Replace with", app.writing.search.replacement, field, false);
  if (typed.entered) run_command(app, "edit.replace_next");
}

}  // namespace

float find_bar_height(const App& app, const Stage& stage) {
  const Search& search = app.writing.search;
  return search.open ? stage.px(search.replacing ? 2 * row_px + 4 : row_px + 4) : 0;
}

bool draw_find_bar(App& app, const Stage& stage, Rectangle area) {
  ImGui::GetWindowDrawList()->AddRectFilled(area.min(), area.max(),
                                            to_im(views::mixed(*stage.theme, views::Mixed::popup)));
  const float row = stage.px(row_px), pad = stage.px(8);
  const bool escape = ImGui::IsKeyPressed(ImGuiKey_Escape, false) && ImGui::GetIO().WantTextInput;
  find_row(app, stage, {area.x + pad, area.y + stage.px(2), area.w - 2 * pad, row});
  if (app.writing.search.replacing)
    replace_row(app, stage, {area.x + pad, area.y + stage.px(2) + row, area.w - 2 * pad, row});
  if (!escape || app.shell.overlay != Overlay::none) return false;
  app.writing.search.open = false;
  app.writing.focused = true;  // with the match selected
  return true;
}

}  // namespace lanescope::gui
