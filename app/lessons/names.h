#pragma once
// Names that moments and lessons may use for what the window shows. The window has the same ones (a test compares them);
// they stand here, too, so that files are checked where there is no window.

#include <array>
#include <string_view>

namespace lanescope::lessons {

/// Panels that a moment can put on the stage.
inline constexpr std::array<std::string_view, 22> picture_names{
    "registers", "movement", "journey", "global",     "shared",    "assignment", "timeline",  "lanes",
    "tree",      "grid",     "buffers", "divergence", "occupancy", "ptx",        "inspector", "output",
    "problems",  "source",   "sass",    "calculator", "metrics",   "stalls"};
/// What cells of registers say.
inline constexpr std::array<std::string_view, 3> label_names{"element", "value", "tag"};
inline constexpr std::array<std::string_view, 4> arrangement_names{"Learn", "Debug", "Profile", "Design"};

}  // namespace lanescope::lessons
