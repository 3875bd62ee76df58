#include "app/gui/widgets/stage.h"

#include <imgui_internal.h>

#include <algorithm>
#include <cmath>

#include "app/gui/widgets/items.h"

namespace lanescope::gui {
namespace {

const char* begin_of(std::string_view t) { return t.data(); }
const char* end_of(std::string_view t) { return t.data() + t.size(); }

/// As much of `text` as fits, cut between characters.
std::string_view fitting(ImFont* font, std::string_view text, float width) {
  const char* rest = nullptr;
  font->CalcTextSizeA(font->FontSize, width, 0, begin_of(text), end_of(text), &rest);
  return text.substr(0, static_cast<std::size_t>(rest - begin_of(text)));
}

/// As ImGui's AddText, each glyph on a whole pixel: advances are fractions, stems stay sharp.
void add_words(ImDrawList& list, const ImFont& font, ImVec2 top_left, ImU32 ink, std::string_view text) {
  list.PushTextureID(font.ContainerAtlas->TexID);
  list.PrimReserve(static_cast<int>(text.size()) * 6, static_cast<int>(text.size()) * 4);
  const char *at = begin_of(text), *end = end_of(text);
  int drawn = 0;
  float pen = top_left.x;
  while (at < end) {
    unsigned code = 0;
    at += std::max(ImTextCharFromUtf8(&code, at, end), 1);
    const ImFontGlyph* g = font.FindGlyph(static_cast<ImWchar>(code));
    if (g == nullptr) continue;
    if (g->Visible) {
      const float x = std::round(pen + g->X0), y = top_left.y + g->Y0;
      list.PrimRectUV({x, y}, {x + g->X1 - g->X0, y + g->Y1 - g->Y0}, {g->U0, g->V0}, {g->U1, g->V1}, ink);
      ++drawn;
    }
    pen += g->AdvanceX;
  }
  const int spare = static_cast<int>(text.size()) - drawn;
  list.PrimUnreserve(spare * 6, spare * 4);
  list.PopTextureID();
}

}  // namespace

float text_width(ImFont* font, std::string_view text) {
  if (text.empty()) return 0;
  return font->CalcTextSizeA(font->FontSize, FLT_MAX, 0, begin_of(text), end_of(text)).x;
}

namespace {
struct PointedWords {
  int frame = -1;
  std::string words;
} pointed_words;
int tooltip_frame = -1;  ///< the last in which a tooltip was reported

/// The mouse is where it was clicked. An item that has moved there since was not pointed at.
bool rests_after_click() {
  const ImGuiIO& io = ImGui::GetIO();
  const ImVec2 &at = io.MousePos, &clicked = io.MouseClickedPos[0];
  return std::abs(at.x - clicked.x) < 4 && std::abs(at.y - clicked.y) < 4;
}
}  // namespace

float draw_text(const Stage& stage, ImFont* font, ImVec2 at, scene::Color color, std::string_view text, TextAlign align,
                float max_width) {
  if (text.empty()) return 0;
  note_text(text);
  float width = text_width(font, text);
  std::string cut;
  const std::string_view whole = text;
  if (max_width > 0 && width > max_width) {
    cut = std::string(fitting(font, text, std::max(max_width - text_width(font, "…"), 0.0f))) + "…";
    note_cut(whole);
    text = cut;
    width = text_width(font, text);
  }
  const float x = align == TextAlign::left ? at.x : align == TextAlign::center ? at.x - width / 2 : at.x - width;
  const ImVec2 top_left{std::round(x), std::round(at.y - font->FontSize / 2)};
  ImDrawList& list = *ImGui::GetWindowDrawList();
  if (top_left.y < list.GetClipRectMax().y && top_left.y + font->FontSize > list.GetClipRectMin().y)
    add_words(list, *font, top_left, to_im(color), text);
  const bool pointed = Rectangle{top_left.x, top_left.y, width, font->FontSize}.contains(ImGui::GetMousePos()) &&
                       ImGui::IsWindowHovered(ImGuiHoveredFlags_ChildWindows);
  if (pointed && !cut.empty()) tooltip(stage, std::string(whole));
  if (pointed && !rests_after_click() &&
      ImGui::GetCurrentContext()->MouseStationaryTimer >= ImGui::GetStyle().HoverDelayNormal)
    point_at_words(whole);
  return width;
}

std::vector<std::string_view> wrapped_lines(ImFont* font, std::string_view text, float width) {
  std::vector<std::string_view> lines;
  const char *at = begin_of(text), *end = end_of(text);
  while (at < end) {
    const char* line_end = font->CalcWordWrapPositionA(1, at, end, width);
    if (line_end == at) ++line_end;
    const char* newline = std::find(at, line_end, '\n');
    lines.emplace_back(at, newline - at);
    at = newline < line_end ? newline + 1 : line_end;
    while (at < end && *at == ' ') ++at;
    if (newline == line_end && at < end && *at == '\n') ++at;
  }
  return lines;
}

std::string_view fitting_parts(ImFont* font, std::string_view text, float width) {
  constexpr std::string_view point = " · ", comma = ", ";
  while (!text.empty() && text_width(font, text) > width) {
    const std::size_t a = text.rfind(point), b = text.rfind(comma);
    const std::size_t end = a == text.npos ? b : b == text.npos ? a : std::max(a, b);
    text = text.substr(0, end == text.npos ? 0 : end);
  }
  return text;
}

float draw_wrapped(const Stage& stage, ImFont* font, ImVec2 top_left, float width, scene::Color color,
                   std::string_view text) {
  note_text(text);  // whole: its lines are noted one by one
  float y = top_left.y;
  const float line_height = std::round(font->FontSize * 1.45f);
  for (const std::string_view line : wrapped_lines(font, text, width)) {
    draw_text(stage, font, {top_left.x, y + line_height / 2}, color, line);
    y += line_height;
  }
  return y - top_left.y;
}

void draw_icon(const Stage& stage, Icon icon, ImVec2 c, float extent, scene::Color color) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImU32 ink = to_im(color);
  const float r = extent / 2;
  const auto triangle = [&](float x, float w, bool right) {
    const float tip = right ? x + w : x - w;
    if (right)
      list.AddTriangleFilled({x, c.y - r}, {tip, c.y}, {x, c.y + r}, ink);
    else
      list.AddTriangleFilled({x, c.y - r}, {x, c.y + r}, {tip, c.y}, ink);
  };
  const auto bar = [&](float x, float w) { list.AddRectFilled({x, c.y - r}, {x + w, c.y + r}, ink); };
  switch (icon) {
    case Icon::none:
      break;
    case Icon::play:
      triangle(c.x - r * 0.8f, r * 1.8f, true);
      break;
    case Icon::pause:
      bar(c.x - r * 0.8f, r * 0.6f), bar(c.x + r * 0.2f, r * 0.6f);
      break;
    case Icon::right:
      triangle(c.x - r * 0.5f, r * 1.1f, true);
      break;
    case Icon::left:
      triangle(c.x + r * 0.5f, r * 1.1f, false);
      break;
    case Icon::step_forward:
      triangle(c.x - r * 0.9f, r * 1.3f, true), bar(c.x + r * 0.5f, r * 0.4f);
      break;
    case Icon::step_back:
      triangle(c.x + r * 0.9f, r * 1.3f, false), bar(c.x - r * 0.9f, r * 0.4f);
      break;
    case Icon::to_first:
      triangle(c.x, r, false), triangle(c.x + r, r, false), bar(c.x - r - stage.px(1), stage.px(1.5f));
      break;
    case Icon::to_last:
      triangle(c.x - r, r, true), triangle(c.x, r, true), bar(c.x + r, stage.px(1.5f));
      break;
    case Icon::down:
      list.AddTriangleFilled({c.x - r, c.y - r * 0.5f}, {c.x + r, c.y - r * 0.5f}, {c.x, c.y + r * 0.6f}, ink);
      break;
    case Icon::maximise:
      list.AddRect({c.x - r, c.y - r}, {c.x + r, c.y + r}, ink, stage.px(1), 0, stage.px(1.2f));
      break;
    case Icon::restore:
      list.AddRect({c.x - r, c.y - r * 0.5f}, {c.x + r * 0.5f, c.y + r}, ink, stage.px(1), 0, stage.px(1.2f));
      list.AddLine({c.x - r * 0.4f, c.y - r}, {c.x + r, c.y - r}, ink, stage.px(1.2f));
      list.AddLine({c.x + r, c.y - r}, {c.x + r, c.y + r * 0.4f}, ink, stage.px(1.2f));
      break;
    case Icon::menu:
      for (const float y : {-0.75f, 0.0f, 0.75f})
        list.AddLine({c.x - r, std::round(c.y + r * y) + 0.5f}, {c.x + r, std::round(c.y + r * y) + 0.5f}, ink,
                     stage.px(1.4f));
      break;
    case Icon::close:
      list.AddLine({c.x - r, c.y - r}, {c.x + r, c.y + r}, ink, stage.px(1.3f));
      list.AddLine({c.x - r, c.y + r}, {c.x + r, c.y - r}, ink, stage.px(1.3f));
      break;
  }
}

namespace {

struct ButtonMeasures {
  float pad, icon, gap, name, text, width;
};
ButtonMeasures measure(const Stage& stage, std::string_view text, const ButtonLook& look) {
  ButtonMeasures m{};
  m.pad = stage.px(look.pill ? 14.0f : 5.0f);
  m.icon = look.icon == Icon::none ? 0 : stage.px(look.icon == Icon::down ? 7.0f : 9.0f);
  m.gap = m.icon > 0 && !text.empty() ? stage.px(5) : 0;
  m.name = look.name.empty() ? 0 : text_width(stage.fonts.small, look.name) + stage.px(5);
  m.text = text_width(stage.fonts.small, text);
  m.width = std::round(2 * m.pad + m.name + m.text + m.gap + m.icon);
  return m;
}

}  // namespace

float button_width(const Stage& stage, std::string_view text, const ButtonLook& look) {
  return measure(stage, text, look).width;
}

bool button(const Stage& stage, const char* id, ImVec2 left_center, std::string_view text, const std::string& hint,
            const ButtonLook& look) {
  const views::Theme& theme = *stage.theme;
  const ButtonMeasures m = measure(stage, text, look);
  const float height = stage.px(24);
  const ImVec2 low{left_center.x, std::round(left_center.y - height / 2)}, high{low.x + m.width, low.y + height};
  ImGui::SetCursorScreenPos(low);
  // Scripts find it by id or by what it says.
  const bool pressed = ImGui::InvisibleButton((std::string(text) + "###" + id).c_str(), {m.width, height});
  const bool enabled = look.refusal.empty();
  const bool hovered = ImGui::IsItemHovered();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float radius = look.pill ? height / 2 : stage.px(4);
  if (look.pill) list.AddRectFilled(low, high, to_im(theme.background), radius);
  if (hovered && enabled)
    list.AddRectFilled(low, high, to_im(views::mixed(theme, views::Mixed::hovered_button)), radius);
  if (look.pill)
    list.AddRect(low, high, to_im(hovered && enabled ? theme.accent : theme.border), radius, 0, stage.hairline());
  scene::Color ink = look.color.rgba != 0 ? look.color : theme.text_dim;
  if (hovered && enabled && !look.pill) ink = theme.text;
  if (!enabled) ink = theme.text_faint;
  float x = low.x + m.pad;
  const float y = left_center.y;
  if (look.icon_first && m.icon > 0) {
    draw_icon(stage, look.icon, {x + m.icon / 2, y}, m.icon, ink);
    x += m.icon + m.gap;
  }
  if (m.name > 0) {
    draw_text(stage, stage.fonts.small, {x, y}, theme.text_dim, look.name);
    x += m.name;
    if (look.color.rgba == 0 && enabled) ink = theme.text;
  }
  draw_text(stage, stage.fonts.small, {x, y}, ink, text);
  x += m.text + m.gap;
  if (!look.icon_first && m.icon > 0) draw_icon(stage, look.icon, {x + m.icon / 2, y}, m.icon, ink);
  if (ImGui::IsItemHovered(ImGuiHoveredFlags_ForTooltip)) tooltip(stage, enabled ? hint : look.refusal);
  return pressed && enabled;
}

void point_at_words(std::string_view words) { pointed_words = {ImGui::GetFrameCount(), std::string(words)}; }

std::string_view pointed_at() {
  return pointed_words.frame == ImGui::GetFrameCount() ? std::string_view(pointed_words.words) : std::string_view();
}

void explain_pointed(const Stage& stage, std::string (*meaning)(std::string_view)) {
  const int now = ImGui::GetFrameCount();
  if (pointed_words.frame == now && tooltip_frame != now) tooltip(stage, meaning(pointed_words.words));
}

void tooltip(const Stage& stage, const std::string& text) {
  if (text.empty()) return;
  tooltip_frame = ImGui::GetFrameCount();
  note_text(text);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(stage.px(10), stage.px(7)));
  ImGui::BeginTooltip();
  ImGui::PushFont(stage.fonts.small);
  ImGui::PushTextWrapPos(stage.px(380));
  ImGui::TextUnformatted(text.data(), text.data() + text.size());
  ImGui::PopTextWrapPos();
  ImGui::PopFont();
  ImGui::EndTooltip();
  ImGui::PopStyleVar();
}

void place_menu_below_item(const Stage& stage) {
  const ImVec2 at{ImGui::GetItemRectMin().x, ImGui::GetItemRectMax().y + stage.px(4)};
  ImGui::SetNextWindowPos(at, ImGuiCond_Appearing);
}

bool begin_menu(const Stage& stage, const char* id) {
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(stage.px(6), stage.px(6)));
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(stage.px(8), stage.px(6)));
  const bool open = ImGui::BeginPopup(id, ImGuiWindowFlags_NoMove);
  if (!open) ImGui::PopStyleVar(2);
  return open;
}

void end_menu() {
  ImGui::EndPopup();
  ImGui::PopStyleVar(2);
}

bool menu_entry(const Stage& stage, const char* label, bool chosen, const std::string& key,
                const std::string& refusal) {
  ImGui::PushFont(stage.fonts.body);
  const bool picked = ImGui::MenuItem(label, key.empty() ? nullptr : key.c_str(), chosen, refusal.empty());
  ImGui::PopFont();
  if (!refusal.empty() && ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled)) tooltip(stage, refusal);
  return picked;
}

void draw_state(const Stage& stage, Rectangle area, std::string_view what_happened, std::string_view what_to_do) {
  const float width = std::min(area.w - stage.px(32), stage.px(440));
  const auto centered = [&](ImFont* font, float y, scene::Color color, std::string_view text) {
    const char *at = text.data(), *end = at + text.size();
    while (at < end) {
      const char* line_end = font->CalcWordWrapPositionA(1, at, end, width);
      if (line_end == at) ++line_end;
      draw_text(stage, font, {area.x + area.w / 2, y}, color, std::string_view(at, line_end - at), TextAlign::center);
      y += std::round(font->FontSize * 1.45f);
      at = line_end;
      while (at < end && *at == ' ') ++at;
    }
    return y;
  };
  float y = area.y + std::max(area.h * 0.42f - stage.px(16), stage.px(14));
  y = centered(stage.fonts.body, y, stage.theme->text, what_happened);
  centered(stage.fonts.small, y + stage.px(2), stage.theme->text_dim, what_to_do);
}

void draw_verdict_icon(const Stage& stage, VerdictIcon icon, ImVec2 c, float extent) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const views::Theme& t = *stage.theme;
  const float r = extent / 2;
  switch (icon) {
    case VerdictIcon::good:
      list.AddCircleFilled(c, r, to_im(t.good));
      break;
    case VerdictIcon::bad:
      list.AddRectFilled({c.x - r, c.y - r}, {c.x + r, c.y + r}, to_im(t.bad), stage.px(1));
      break;
    case VerdictIcon::unknown:
      list.AddCircle(c, r - stage.px(0.5f), to_im(t.warn), 0, stage.px(1.6f));
      break;
    case VerdictIcon::warning:
      list.AddTriangleFilled({c.x, c.y - r}, {c.x + r, c.y + r}, {c.x - r, c.y + r}, to_im(t.warn));
      break;
  }
}

void apply_style(const views::Theme& t, float scale) {
  ImGuiStyle style;
  style.WindowPadding = {0, 0};
  style.WindowBorderSize = 0;
  style.ChildBorderSize = 0;
  style.PopupBorderSize = 1;
  style.PopupRounding = 6;
  style.FrameRounding = 5;
  style.FramePadding = {8, 5};
  style.ItemSpacing = {8, 6};
  style.ScrollbarSize = 9;
  style.ScrollbarRounding = 5;
  style.GrabRounding = 5;
  style.HoverDelayNormal = style.HoverDelayShort = 0.35f;
  style.HoverStationaryDelay = 0.05f;
  style.ScaleAllSizes(scale);
  style.PopupBorderSize = 1;
  auto& c = style.Colors;
  const auto set = [&](ImGuiCol index, scene::Color color) { c[index] = to_vec(color); };
  set(ImGuiCol_WindowBg, t.background);
  set(ImGuiCol_ChildBg, views::with_alpha(t.panel, 0));
  set(ImGuiCol_PopupBg, views::mixed(t, views::Mixed::popup));
  set(ImGuiCol_Border, views::mixed(t, views::Mixed::popup_edge));
  set(ImGuiCol_Text, t.text);
  set(ImGuiCol_TextDisabled, t.text_dim);
  set(ImGuiCol_FrameBg, t.background);
  set(ImGuiCol_FrameBgHovered, t.background);
  set(ImGuiCol_FrameBgActive, t.background);
  set(ImGuiCol_Header, views::mixed(t, views::Mixed::chosen_row));
  set(ImGuiCol_HeaderHovered, views::mixed(t, views::Mixed::chosen_row));
  set(ImGuiCol_HeaderActive, views::mixed(t, views::Mixed::pressed_row));
  set(ImGuiCol_CheckMark, t.accent);
  set(ImGuiCol_TextSelectedBg, views::mixed(t, views::Mixed::selected_text));
  set(ImGuiCol_ScrollbarBg, views::with_alpha(t.panel, 0));
  set(ImGuiCol_ScrollbarGrab, t.border);
  set(ImGuiCol_ScrollbarGrabHovered, t.text_faint);
  set(ImGuiCol_ScrollbarGrabActive, t.text_dim);
  set(ImGuiCol_Separator, t.border);
  set(ImGuiCol_ModalWindowDimBg, views::with_alpha(t.background, 150));
  ImGui::GetStyle() = style;
}

}  // namespace lanescope::gui
