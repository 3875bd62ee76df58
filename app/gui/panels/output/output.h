#pragma once
// What the kernel printed, line by line. A folder of its own: it is one more panel.

#include "app/gui/panels/panel.h"

namespace lanescope::gui {

std::unique_ptr<Panel> make_output_panel();

}  // namespace lanescope::gui
