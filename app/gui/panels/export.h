#pragma once
// A panel as a file: its picture as SVG or PNG, its numbers as CSV.

#include <string>

#include "app/gui/panels/panel.h"

namespace lanescope::gui {

/// The suffix of `path` chooses the form. Refused, with what to do instead: another suffix, a picture of a panel that
/// draws none or is not on screen, numbers where it shows none, and what the file system refuses.
Expected<void> export_panel(const App& app, const Stage& stage, const Panel& panel, const std::string& path);

}  // namespace lanescope::gui
