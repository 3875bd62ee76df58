#pragma once
// Menus that the right mouse button opens: commands, where the mouse is.

#include <string>
#include <vector>

#include "app/assist/fixes.h"
#include "app/gui/state/app.h"
#include "app/gui/widgets/stage.h"

namespace lanescope::gui {

/// Commands that fit a panel, in the order of its menu; a "|" separates groups.
std::vector<std::string> context_commands(PanelId panel);
/// Opens over the last item when the right button is released on it without a drag, and draws the menu while it is
/// open. True: it was opened in this frame. `name`: one for each item of a window.
bool context_menu(App& app, const Stage& stage, PanelId panel, const char* name = "context menu");

// The bar above the source: what is looked for, how often it is there, and what replaces it.

/// 0 where it is not open.
float find_bar_height(const App& app, const Stage& stage);
/// True: Escape closed it in this frame.
bool draw_find_bar(App& app, const Stage& stage, Rectangle area);

// The list below the caret: what can be written there. And the menu of fixes of a line.

/// `caret`: its lower end on the screen; `line_height`: to put the list above the line where there is no room below.
/// True: the mouse is over it.
bool draw_suggestions(App& app, const Stage& stage, ImVec2 caret, float line_height);

/// A menu that opens at `at` when `open` says so. Draws it while it is open.
void fixes_menu(App& app, const Stage& stage, bool open, ImVec2 at, std::vector<assist::Fix>& fixes);

}  // namespace lanescope::gui
