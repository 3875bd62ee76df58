#pragma once
// A document as one HTML file: pictures as SVG, their steps, the questions, style sheet and script are all inside, and nothing
// is loaded from anywhere. Without JavaScript the first step of each player is shown.

#include <string>

#include "kernels/base/diagnostic.h"
#include "viz/page/document.h"

namespace lanescope::page {

/// Errors: style sheet or script (assets/handout) cannot be read.
Expected<std::string> to_html(const Document& document);

}  // namespace lanescope::page
