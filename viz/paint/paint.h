#pragma once
// Scenes as SVG text, PNG pictures and PDF pages. No window and no toolkit; fonts are files (lanescope::resources).

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/base/diagnostic.h"
#include "viz/scene/paper.h"
#include "viz/scene/scene.h"

namespace lanescope::paint {

/// A standalone SVG document. Fonts are named by family (Inter, JetBrains Mono) with fallbacks. Shapes with an id carry it
/// as `id` ("register_cell.2.0.12.1") and as `data-id`; their fact, or else their id, is the tooltip.
std::string to_svg(const scene::Scene& scene, const scene::Paper& paper);

/// The scene in pixels, `scale` pixels to a scene unit. Rows from the top, 4 bytes RGBA.
struct Image {
  int width = 0, height = 0;
  std::vector<std::uint8_t> rgba;
};
Expected<Image> to_image(const scene::Scene& scene, const scene::Paper& paper, float scale = 1);
/// The bytes of a PNG file. Fails when a font file is missing that the text needs, or the picture would exceed 32 768
/// pixels a side.
Expected<std::vector<std::byte>> to_png(const scene::Scene& scene, const scene::Paper& paper, float scale = 1);

/// The text of a PDF file of one page for each scene, a scene unit 0.75 points. Text can be selected and searched; its letters
/// are in the file as curves. Fails when a font file is missing that the text needs.
Expected<std::string> to_pdf(std::span<const scene::Scene> pages, const scene::Paper& paper, std::string_view title);

/// Width in pixels of one line of text.
float text_width(scene::Face face, float size_px, std::string_view text);
/// The text itself when it fits, else its longest beginning that does, with an ellipsis. max_width 0: unlimited.
std::string fitted(scene::Face face, float size_px, std::string_view text, float max_width);

}  // namespace lanescope::paint
