#pragma once

#include <filesystem>

namespace lanescope::compile {

/// The user's cache of this program, $XDG_CACHE_HOME/lanescope or ~/.cache/lanescope; empty: there is no place.
std::filesystem::path cache_place();

}  // namespace lanescope::compile
