#pragma once
// A small picture of a kernel of the catalogue, made from its text alone: nothing is compiled or run for it.
//
// Of a kernel with assignment comments: which element each lane and register holds, coloured by its index, as its first and
// its last comment claim it. Of others: how many threads a block has, warp by warp, and how many blocks there are.

#include <string>

#include "viz/scene/scene.h"
#include "viz/views/base/theme.h"

namespace lanescope::gui {

inline constexpr float thumbnail_width = 156, thumbnail_height = 58;

/// Empty of shapes where the text cannot be read.
scene::Scene thumbnail(const std::string& file, const std::string& text, const views::Theme& theme);

}  // namespace lanescope::gui
