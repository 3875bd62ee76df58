#include "app/gui/widgets/control_strip.h"

#include <imgui_stdlib.h>

#include <algorithm>

namespace lanescope::gui {

ControlStrip::ControlStrip(const Stage& stage, Rectangle area)
    : stage_(stage), area_(area), row_(stage.px(28)), x_(area.x), y_(area.y) {}

void ControlStrip::take(float width) {
  if (x_ > area_.x && x_ + width > area_.x + area_.w) next_row();
}

void ControlStrip::next_row() {
  if (x_ == area_.x) return;
  x_ = area_.x;
  y_ += row_;
}

float ControlStrip::bottom() const { return x_ == area_.x ? y_ : y_ + row_; }

bool ControlStrip::choice(const char* id, const std::string& name, const std::string& value, const std::string& hint) {
  ButtonLook look{.icon = Icon::down, .name = name};
  const float width = button_width(stage_, value, look);
  take(width);
  const bool pressed = button(stage_, id, {x_, middle()}, value, hint, look);
  x_ += width + stage_.px(6);
  return pressed;
}

bool ControlStrip::press(const char* id, const std::string& words, const std::string& hint,
                         const std::string& refusal) {
  ButtonLook look{.pill = true, .color = refusal.empty() ? stage_.theme->accent : scene::Color{}, .refusal = refusal};
  const float width = button_width(stage_, words, look);
  take(width);
  const bool pressed = button(stage_, id, {x_, middle()}, words, hint, look);
  x_ += width + stage_.px(8);
  return pressed;
}

bool ControlStrip::icon(const char* id, Icon icon, const std::string& hint, const std::string& refusal) {
  ButtonLook look{.icon = icon, .refusal = refusal};
  const float width = button_width(stage_, "", look);
  take(width);
  const bool pressed = button(stage_, id, {x_, middle()}, "", hint, look);
  x_ += width + stage_.px(2);
  return pressed;
}

bool ControlStrip::number(const char* id, const std::string& name, int& value, int low, int high, int step,
                          const std::string& hint) {
  const float field = stage_.px(20) + text_width(stage_.fonts.code_small, std::to_string(high));
  ButtonLook sign;
  const float less = button_width(stage_, "−", sign), more = button_width(stage_, "+", sign);
  const float pad = stage_.px(5), name_width = pad + text_width(stage_.fonts.small, name) + stage_.px(5);
  take(name_width + less + field + more + stage_.px(4));
  draw_text(stage_, stage_.fonts.small, {x_ + pad, middle()}, stage_.theme->text_dim, name);
  x_ += name_width;
  const int before = value;
  // Steps land on multiples, so that 200 registers by 8 stay reachable from 203.
  sign.refusal = value > low ? "" : "This is the minimum.";
  if (button(stage_, (std::string(id) + " less").c_str(), {x_, middle()}, "−", hint, sign))
    value = (value - 1) / step * step;
  x_ += less + stage_.px(2);
  ImGui::PushFont(stage_.fonts.code_small);
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(stage_.px(6), stage_.px(4)));
  ImGui::SetCursorScreenPos({x_, middle() - ImGui::GetFrameHeight() / 2});
  ImGui::SetNextItemWidth(field);
  ImGui::InputInt((std::string("##") + id).c_str(), &value, 0, 0);
  if (ImGui::IsItemHovered(ImGuiHoveredFlags_ForTooltip)) tooltip(stage_, hint);
  ImGui::PopStyleVar();
  ImGui::PopFont();
  x_ += field + stage_.px(2);
  sign.refusal = value < high ? "" : "This is the maximum.";
  if (button(stage_, (std::string(id) + " more").c_str(), {x_, middle()}, "+", hint, sign))
    value = (value / step + 1) * step;
  x_ += more + stage_.px(10);
  value = std::clamp(value, low, high);
  return value != before;
}

bool ControlStrip::field(const char* id, const std::string& name, std::string& text, float width,
                         const std::string& hint) {
  const float pad = stage_.px(5), name_width = pad + text_width(stage_.fonts.small, name) + stage_.px(6);
  const float wide = std::min(stage_.px(width), std::max(area_.w - name_width, stage_.px(60)));
  take(name_width + wide);
  draw_text(stage_, stage_.fonts.small, {x_ + pad, middle()}, stage_.theme->text_dim, name);
  x_ += name_width;
  ImGui::PushFont(stage_.fonts.code_small);
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(stage_.px(6), stage_.px(4)));
  ImGui::SetCursorScreenPos({x_, middle() - ImGui::GetFrameHeight() / 2});
  ImGui::SetNextItemWidth(wide);
  const bool typed = ImGui::InputText((std::string("##") + id).c_str(), &text);
  if (ImGui::IsItemHovered(ImGuiHoveredFlags_ForTooltip)) {
    const bool cut = text_width(stage_.fonts.code_small, text) > wide - stage_.px(12);
    tooltip(stage_, cut ? hint + "\n" + text : hint);
  }
  ImGui::PopStyleVar();
  ImGui::PopFont();
  x_ += wide + stage_.px(12);
  return typed;
}

void ControlStrip::words(const std::string& text, scene::Color color) {
  const float width = text_width(stage_.fonts.small, text);
  take(width);
  draw_text(stage_, stage_.fonts.small, {x_ + stage_.px(5), middle()}, color, text);
  x_ += width + stage_.px(15);
}

void ControlStrip::sentence(const std::string& text, scene::Color color) {
  next_row();
  y_ += draw_wrapped(stage_, stage_.fonts.small, {x_ + stage_.px(5), y_}, area_.w - stage_.px(5), color, text) +
        stage_.px(4);
}

}  // namespace lanescope::gui
