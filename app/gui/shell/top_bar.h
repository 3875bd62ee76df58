#pragma once
// The top bar: what is open, what runs where, and whether all is well.

#include "app/gui/state/app.h"
#include "app/gui/widgets/stage.h"

namespace lanescope::gui {

void draw_top_bar(App& app, Stage& stage, Rectangle bar);

}  // namespace lanescope::gui
