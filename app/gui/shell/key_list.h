#pragma once
// The keys of all commands, by group: what Shift+F1 shows.

#include "app/gui/widgets/stage.h"

namespace lanescope::gui {

/// In the current ImGui window, as wide as it is.
void draw_key_list(const Stage& stage);

}  // namespace lanescope::gui
