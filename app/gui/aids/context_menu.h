#pragma once
// Menus that the right mouse button opens: commands, where the mouse is.

#include <span>

#include "app/gui/state/app.h"
#include "app/gui/widgets/stage.h"

namespace lanescope::gui {

/// Commands that fit a panel, in the order of its menu; empty names separate groups.
std::span<const char* const> context_commands(PanelId panel);
/// Opens over the last item when the right button is released on it without a drag, and draws the menu while it is open.
/// True: it was opened in this frame.
/// `name`: one for each item of a window.
bool context_menu(App& app, const Stage& stage, PanelId panel, const char* name = "context menu");

}  // namespace lanescope::gui
