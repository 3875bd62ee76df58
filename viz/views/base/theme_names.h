#pragma once
// Themes by the names that people type.

#include <string>
#include <string_view>
#include <vector>

namespace lanescope::views {

/// "dark", "light", "high-contrast".
std::vector<std::string> theme_names();

/// The name of the theme that is meant: capitals do not matter, and a blank or an underscore is a hyphen ("High contrast").
/// Empty: there is none.
std::string theme_name_of(std::string_view typed);

}  // namespace lanescope::views
