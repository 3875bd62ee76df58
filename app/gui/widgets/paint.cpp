#include "app/gui/widgets/paint.h"

#include "viz/paint/imgui/imgui_painter.h"

namespace lanescope::gui {

void paint_scene(const Stage& stage, const DrawnScene& drawn) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.PushClipRect(drawn.area.min(), drawn.area.max(), true);
  paint::ImguiView view;
  view.origin = {drawn.origin.x, drawn.origin.y};
  view.zoom = drawn.scale;
  view.line_weight = stage.presentation ? 1.5f : 1.0f;
  paint::paint(list, drawn.scene, stage.theme->paper(), stage.fonts.scene, view);
  list.PopClipRect();
}

}  // namespace lanescope::gui
