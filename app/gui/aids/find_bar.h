#pragma once
// The bar above the source: what is looked for, how often it is there, and what replaces it.

#include "app/gui/state/app.h"
#include "app/gui/widgets/stage.h"

namespace lanescope::gui {

/// 0 where it is not open.
float find_bar_height(const App& app, const Stage& stage);
/// True: Escape closed it in this frame.
bool draw_find_bar(App& app, const Stage& stage, Rectangle area);

}  // namespace lanescope::gui
