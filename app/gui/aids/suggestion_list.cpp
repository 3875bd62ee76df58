#include "app/gui/aids/context_menu.h"

#include "app/design/study.h"

#include <imgui_internal.h>

#include <algorithm>

#include "app/gui/state/editing_aids.h"

namespace lanescope::gui {
namespace {

constexpr int most_rows = 9;

}  // namespace

bool draw_suggestions(App& app, const Stage& stage, ImVec2 caret, float line_height) {
  Suggestions& s = app.writing.suggestions;
  const int count = static_cast<int>(s.offers.list.size()), rows = std::min(count, most_rows);
  s.chosen = std::clamp(s.chosen, 0, std::max(count - 1, 0));
  const int first = std::clamp(s.chosen - rows / 2, 0, std::max(count - rows, 0));
  float words = 0, details = 0;
  for (int i = first; i < first + rows; ++i) {
    const assist::Offer& o = s.offers.list[static_cast<std::size_t>(i)];
    words = std::max(words, text_width(stage.fonts.code_small, o.word));
    details = std::max(details, text_width(stage.fonts.small, o.detail));
  }
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  const float row = stage.px(22), pad = stage.px(6);
  const float width = std::min(words + std::min(details, stage.px(300)) + stage.px(44), screen.x - stage.px(16));
  const float height = static_cast<float>(rows) * row + 2 * pad + stage.px(20);
  ImVec2 at{std::min(caret.x, screen.x - width - stage.px(8)), caret.y + stage.px(2)};
  if (at.y + height > screen.y) at.y = caret.y - line_height - height - stage.px(2);
  ImGui::SetNextWindowPos(at);
  ImGui::SetNextWindowSize({width, height});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(pad, pad));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, stage.px(6));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1);
  ImGui::PushStyleColor(ImGuiCol_WindowBg, to_vec(views::mixed(*stage.theme, views::Mixed::popup)));
  ImGui::Begin("suggestions", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                   ImGuiWindowFlags_NoNav | ImGuiWindowFlags_NoFocusOnAppearing);
  ImGui::BringWindowToDisplayFront(ImGui::GetCurrentWindow());
  const bool hovered = ImGui::IsWindowHovered(ImGuiHoveredFlags_ChildWindows);
  bool taken = false;
  for (int i = first; i < first + rows; ++i) {
    const assist::Offer& o = s.offers.list[static_cast<std::size_t>(i)];
    const ImVec2 low{at.x + pad, at.y + pad + static_cast<float>(i - first) * row};
    ImGui::SetCursorScreenPos(low);
    if (ImGui::InvisibleButton(("suggestion " + o.word).c_str(), {width - 2 * pad, row})) s.chosen = i, taken = true;
    if (i == s.chosen || ImGui::IsItemHovered())
      ImGui::GetWindowDrawList()->AddRectFilled(
          low, {low.x + width - 2 * pad, low.y + row},
          to_im(views::mixed(*stage.theme, i == s.chosen ? views::Mixed::chosen_row : views::Mixed::pointed_row)),
          stage.px(3));
    const float y = low.y + row / 2;
    draw_text(stage, stage.fonts.code_small, {low.x + stage.px(6), y}, stage.theme->text, o.word);
    draw_text(stage, stage.fonts.small, {low.x + stage.px(20) + words, y}, stage.theme->text_dim, o.detail,
              TextAlign::left, std::max(width - words - stage.px(40), stage.px(20)));
  }
  const std::string keys = s.asked ? "Enter or Tab writes it" : "Tab writes it";
  draw_text(stage, stage.fonts.small, {at.x + width - pad - stage.px(4), at.y + height - pad - stage.px(8)},
            stage.theme->text_faint,
            keys + (count > rows ? "  ·  " + std::to_string(s.chosen + 1) + " of " + std::to_string(count) : ""),
            TextAlign::right, width - 2 * pad);
  ImGui::End();
  ImGui::PopStyleColor();
  ImGui::PopStyleVar(3);
  if (taken) take_suggestion(app);
  return hovered;
}

namespace {

constexpr std::size_t most_preview_lines = 24;

/// A fix as a sentence and as the lines that it changes.
std::string preview_of(const std::string& text, const assist::Fix& fix) {
  std::string out = fix.effect;
  std::size_t shown = 0, left_out = 0;
  for (const design::DiffLine& line : design::difference(text, fix.text)) {
    if (line.kind == design::DiffLine::Kind::same) continue;
    if (++shown > most_preview_lines) {
      ++left_out;
      continue;
    }
    out += line.kind == design::DiffLine::Kind::added ? "\n+ " : "\n- ";
    out += line.text;
  }
  return left_out == 0 ? out : out + "\n… and " + std::to_string(left_out) + " lines more";
}

}  // namespace

void fixes_menu(App& app, const Stage& stage, bool open, ImVec2 at, std::vector<assist::Fix>& fixes) {
  if (open) {
    ImGui::OpenPopup("fixes");
    ImGui::SetNextWindowPos(at, ImGuiCond_Appearing);
  }
  if (!begin_menu(stage, "fixes")) return;
  for (const assist::Fix& fix : fixes) {
    const bool picked = menu_entry(stage, fix.title.c_str(), false);
    if (ImGui::IsItemHovered(ImGuiHoveredFlags_ForTooltip)) tooltip(stage, preview_of(app.document.text(), fix));
    if (!picked) continue;
    apply_fix(app, fix);
    break;
  }
  end_menu();
}

}  // namespace lanescope::gui
