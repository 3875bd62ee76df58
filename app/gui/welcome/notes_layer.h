#pragma once
// Over the panels: what the picture on screen means. Any key or click ends it.

#include "app/gui/state/app.h"
#include "app/gui/widgets/stage.h"

namespace lanescope::gui {

/// After the panels of the frame: it points at the scenes that they left in `stage`.
void draw_picture_notes(App& app, const Stage& stage);

}  // namespace lanescope::gui
