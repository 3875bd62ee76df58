#include "app/gui/welcome/welcome_page.h"

#include "app/gui/widgets/items.h"

namespace lanescope::gui {
namespace {

constexpr float note_px = 232, pad_px = 8, line_px = 16;

float height_of(std::string_view words, float width, const void* context) {
  const Stage& stage = *static_cast<const Stage*>(context);
  const auto lines = wrapped_lines(stage.fonts.small, words, width - stage.px(2 * pad_px));
  return stage.px(line_px) * static_cast<float>(lines.size()) + stage.px(10);
}

void draw_box(const Stage& stage, std::string_view words, const scene::Rect& box) {
  const views::Theme& t = *stage.theme;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImVec2 low{box.x, box.y}, high{box.x + box.w, box.y + box.h};
  list.AddRectFilled(low, high, to_im(views::mixed(t, views::Mixed::overlay)), stage.px(5));
  list.AddRect(low, high, to_im(t.accent), stage.px(5), 0, stage.hairline());
  float y = box.y + stage.px(5 + line_px / 2);
  note_text(words);
  for (const std::string_view each : wrapped_lines(stage.fonts.small, words, box.w - stage.px(2 * pad_px))) {
    draw_text(stage, stage.fonts.small, {box.x + stage.px(pad_px), y}, t.text, each);
    y += stage.px(line_px);
  }
}

void draw(const Stage& stage, const PlacedNote& note) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImU32 line = to_im(stage.theme->accent);
  list.AddLine({note.from.x, note.from.y}, {note.to.x, note.to.y}, line, stage.px(1.5f));
  list.AddCircleFilled({note.to.x, note.to.y}, stage.px(3.5f), line);
  list.AddCircle({note.to.x, note.to.y}, stage.px(5), to_im(stage.theme->panel), 0, stage.px(1));
  draw_box(stage, note.words, note.box);
}

}  // namespace

void draw_picture_notes(App& app, const Stage& stage) {
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  // A window of its own, above the panels, which also takes the click that ends it.
  ImGui::SetNextWindowPos({0, 0});
  ImGui::SetNextWindowSize(screen);
  ImGui::SetNextWindowFocus();
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
  ImGui::Begin("picture notes", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoMove |
                   ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoNav);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled({0, 0}, screen, to_im(views::with_alpha(stage.theme->background, 80)));
  for (const auto& [name, drawn] : stage.scenes) {
    const auto panel = panel_named(name);
    if (!panel) continue;
    const auto notes =
        place_notes(*panel, drawn.scene, {drawn.origin.x, drawn.origin.y}, drawn.scale,
                    {drawn.area.x, drawn.area.y, drawn.area.w, drawn.area.h}, stage.px(note_px), height_of, &stage);
    for (const PlacedNote& note : notes) draw(stage, note);
  }
  for (const PanelNote& note : panel_notes()) {
    const auto body = stage.bodies.find(panel_name(note.panel));
    if (body == stage.bodies.end()) continue;
    const Rectangle& b = body->second;
    const scene::Rect box = place_panel_note(note.words, {b.x, b.y, b.w, b.h}, stage.px(note_px), height_of, &stage);
    if (box.w > 0) draw_box(stage, note.words, box);
  }
  const std::string words = "What the picture means. F1: the glossary. Any other key or a click ends it.";
  note_text(words);
  const float w = text_width(stage.fonts.body, words) + stage.px(32), h = stage.px(34);
  const ImVec2 low{(screen.x - w) / 2, stage.px(5)};
  list.AddRectFilled(low, {low.x + w, low.y + h}, to_im(views::mixed(*stage.theme, views::Mixed::status)), h / 2);
  list.AddRect(low, {low.x + w, low.y + h}, to_im(stage.theme->accent), h / 2);
  draw_text(stage, stage.fonts.body, {screen.x / 2, low.y + h / 2}, stage.theme->text, words, TextAlign::center);
  const bool appeared = ImGui::IsWindowAppearing();
  bool ends = !appeared && ImGui::IsMouseClicked(ImGuiMouseButton_Left);
  for (int key = ImGuiKey_Tab; key < ImGuiKey_GamepadStart && !appeared; ++key) {
    const bool modifier = key >= ImGuiKey_LeftCtrl && key <= ImGuiKey_RightSuper;
    ends |= !modifier && ImGui::IsKeyPressed(static_cast<ImGuiKey>(key), false);
  }
  if (ends) app.shell.overlay = ImGui::IsKeyPressed(ImGuiKey_F1, false) ? Overlay::glossary : Overlay::none;
  ImGui::End();
  ImGui::PopStyleVar();
}

}  // namespace lanescope::gui
