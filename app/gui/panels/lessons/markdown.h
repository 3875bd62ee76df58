#pragma once
// The Markdown of lessons: paragraphs, lists, **bold**, *emphasis*, `code` and fenced code, wrapped to a width.

#include <string_view>

#include "app/gui/widgets/stage.h"

namespace lanescope::gui {

/// Draws it from `top_left` on. Returns its height.
float draw_markdown(const Stage& stage, ImVec2 top_left, float width, std::string_view text);
/// What it would take.
float markdown_height(const Stage& stage, float width, std::string_view text);

}  // namespace lanescope::gui
