#pragma once
// The words that decide a colour (Coloring, elements.h), checked before anything is drawn: Coloring itself ignores
// unknown words.

#include <string_view>

#include "viz/views/base/selection.h"

namespace lanescope::views {

/// Errors of `color_by` for the buffers of this run, with a remedy; empty: none. Accepted are
/// "" (automatic), "lane", "warp", "register", and axes and bits of the buffers separated by blanks ("j", "j1 j0 k").
Diagnostics wrong_color_words(const Summary& summary, std::string_view color_by);

}  // namespace lanescope::views
