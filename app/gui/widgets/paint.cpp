#include "app/gui/widgets/stage.h"

#include "app/gui/widgets/items.h"

namespace lanescope::gui {

void paint_scene(const Stage& stage, const DrawnScene& drawn) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.PushClipRect(drawn.area.min(), drawn.area.max(), true);
  paint::ImguiView view;
  view.origin = {drawn.origin.x, drawn.origin.y};
  view.zoom = drawn.scale;
  view.line_weight = stage.presentation ? 1.5f : 1.0f;
  std::vector<std::string> cut;
  if (recording()) view.cut = &cut;
  paint::paint(list, drawn.scene, stage.theme->paper(), stage.fonts.scene, view);
  list.PopClipRect();
  for (const std::string& words : cut) note_cut(words);
  if (!recording()) return;
  // A sentence below or beside what is in sight is cut, too.
  for (const scene::Label& label : drawn.scene.labels) {
    const ImVec2 at = drawn.to_screen(label.at);
    const bool seen =
        at.y + label.size * drawn.scale / 2 <= drawn.area.y + drawn.area.h + 1 && at.x <= drawn.area.x + drawn.area.w;
    if (label.id.kind == scene::Id::Kind::remark && !seen) note_cut(label.text);
  }
}

}  // namespace lanescope::gui
