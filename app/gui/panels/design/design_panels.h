#pragma once
// The panels of the layout under design.

#include <memory>

#include "app/gui/panels/panel.h"

namespace lanescope::gui {

std::unique_ptr<Panel> make_designer_panel();  ///< both ends as chips and as notation, and what each costs
std::unique_ptr<Panel> make_plans_panel();     ///< plans compared, and the steps
std::unique_ptr<Panel> make_elements_panel();  ///< which element is where, before, on the way and after; the bit matrix
std::unique_ptr<Panel> make_code_panel();      ///< what would be exported, against the last export

/// When no layout is open, the panel Designer says how to begin, and each other one what it will show. True: none is open.
bool draw_missing_layout(App& app, const Stage& stage, Rectangle area, PanelId panel);

}  // namespace lanescope::gui
