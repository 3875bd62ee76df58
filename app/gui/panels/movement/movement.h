#pragma once

#include <memory>

#include "app/gui/panels/panel.h"

namespace lanescope::gui {

std::unique_ptr<Panel> make_movement_panel();

}  // namespace lanescope::gui
