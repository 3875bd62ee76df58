#pragma once
// Paints a scene into the current ImGui window, clipped to its area.

#include "app/gui/widgets/stage.h"

namespace lanescope::gui {

void paint_scene(const Stage& stage, const DrawnScene& drawn);

}  // namespace lanescope::gui
