#pragma once
// The list below the caret: what can be written there. And the menu of fixes of a line.

#include <vector>

#include "app/assist/fixes.h"
#include "app/gui/state/app.h"
#include "app/gui/widgets/stage.h"

namespace lanescope::gui {

/// `caret`: its lower end on the screen; `line_height`: to put the list above the line where there is no room below.
/// True: the mouse is over it.
bool draw_suggestions(App& app, const Stage& stage, ImVec2 caret, float line_height);

/// A menu that opens at `at` when `open` says so. Draws it while it is open.
void fixes_menu(App& app, const Stage& stage, bool open, ImVec2 at, std::vector<assist::Fix>& fixes);

}  // namespace lanescope::gui
