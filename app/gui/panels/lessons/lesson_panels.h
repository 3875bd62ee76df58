#pragma once
// A lesson page by page, and the bookmarked moments of the open kernel.

#include "app/gui/panels/panel.h"

namespace lanescope::gui {

std::unique_ptr<Panel> make_lesson_panel();
std::unique_ptr<Panel> make_moments_panel();

}  // namespace lanescope::gui
