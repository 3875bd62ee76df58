#pragma once
// The panels of the layout under design.

#include "app/gui/panels/panel.h"

namespace lanescope::gui {

/// If no layout is open, the panel Designer explains how to begin, and each other panel its purpose. True: none is
/// open.
bool draw_missing_layout(App& app, const Stage& stage, Rectangle area, PanelId panel);

}  // namespace lanescope::gui
