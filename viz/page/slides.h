#pragma once
// A document as slides of 1280 x 800 units: a title, one slide for each step, for each page of text, and for a question
// and its answer. Slides are scenes, so that every painter writes them.

#include <vector>

#include "viz/page/document.h"

namespace lanescope::page {

inline constexpr float slide_width = 1280, slide_height = 800;

std::vector<scene::Scene> slides(const Document& document, Look look);
/// Of the first step that there is; an empty scene where there is none.
scene::Scene moment_slide(const Document& document, Look look);

scene::Paper slide_paper(const Document& document, Look look);

}  // namespace lanescope::page
