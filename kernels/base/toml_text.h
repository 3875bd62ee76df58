#pragma once
// Strings as TOML writes them.

#include <string>
#include <string_view>

namespace lanescope {

/// A basic string, in quotes and on one line. Bytes beyond ASCII stay as they are.
std::string toml_string(std::string_view text);

}  // namespace lanescope
