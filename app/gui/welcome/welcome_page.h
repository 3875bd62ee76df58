#pragma once
// The welcome page: the first lesson, what was open last, the catalogue with pictures, and a way to one's own file.

#include "app/gui/state/app.h"
#include "app/gui/widgets/stage.h"

namespace lanescope::gui {

/// Inside the overlay's window.
void draw_welcome(App& app, Stage& stage);

}  // namespace lanescope::gui
