#pragma once
// "Plan this better", drawn: two claims, the code between them beside the planner's, and the lines that would change.

#include "app/gui/state/app.h"
#include "app/gui/widgets/stage.h"

namespace lanescope::gui {

/// In the window that is begun. Takes its keys: Enter writes what is shown, Tab shows the other way, arrows other claims.
void draw_better_plan(App& app, const Stage& stage);

}  // namespace lanescope::gui
