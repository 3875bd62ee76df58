#pragma once
// The Markdown of lessons: paragraphs, lists, tables, **bold**, *emphasis*, `code` and fenced code, wrapped to a width.

#include <string_view>

#include "app/gui/widgets/stage.h"

namespace lanescope::gui {

struct MarkdownLook {
  scene::Color color;
  bool strong = false;  ///< as bold ones do
};
/// Draws it from `top_left` on. Returns its height. Lines are as high as the fonts of the stage request.
float draw_markdown(const Stage& stage, ImVec2 top_left, float width, std::string_view text);
float draw_markdown(const Stage& stage, ImVec2 top_left, float width, std::string_view text, MarkdownLook look);
float markdown_height(const Stage& stage, float width, std::string_view text, bool strong = false);

}  // namespace lanescope::gui
