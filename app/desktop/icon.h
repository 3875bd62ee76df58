#pragma once
// The program's icon: as files for the desktop, and of its window.

#include "viz/scene/paper.h"
#include "viz/scene/scene.h"

namespace lanescope::desktop {

/// Sizes of icons that desktops use, in pixels.
inline constexpr int icon_sizes[] = {16, 24, 32, 48, 64, 128, 256};

/// Shapes without text, in a square of icon_side units: 16 divides every size above, so cells have sharp edges.
inline constexpr float icon_side = 16;
scene::Scene icon();
/// Transparent, in the colour of the icon's ground: its round corners have no fringe.
scene::Paper icon_paper();

}  // namespace lanescope::desktop
