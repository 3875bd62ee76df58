#pragma once
// The explorer: the window, or the same window drawn without a display.

#include "app/gui/shell/explorer_options.h"

namespace lanescope::gui {

/// Opens the explorer and returns when it is closed. 0: closed; 1: a script line failed; 2: a file or script
/// could not be read; 3: nothing can be drawn here. The reason is on standard error.
int run_explorer(const ExplorerOptions& options);

}  // namespace lanescope::gui
