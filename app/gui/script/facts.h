#pragma once
// What scripts can ask about.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/gui/shell/frames.h"

namespace lanescope::gui {

/// A named fact about the explorer as text ("selection.step", "results.claims"); nullopt: no such name.
std::optional<std::string> script_fact(const Frames& frames, std::string_view name);
/// All of them, ascending; PANEL stands for the name of a panel.
std::vector<std::string> script_fact_names();

}  // namespace lanescope::gui
