#pragma once
// Paints a scene into a Dear ImGui draw list.

#include <array>
#include <span>
#include <string>
#include <vector>

#include "viz/scene/paper.h"
#include "viz/scene/scene.h"

struct ImDrawList;
struct ImFont;

namespace lanescope::paint {

/// The faces in every size that was baked, any order; a face with none falls back to ImGui's current font. All belong
/// to the atlas whose texture the draw list has bound.
struct ImguiFonts {
  std::array<std::vector<ImFont*>, 4> faces;  ///< by scene::Face
  /// The baked font whose size (ImGui's: the line's height) is nearest, rather larger than smaller.
  ImFont* nearest(scene::Face face, float line_px) const;
};

/// Glyphs that scenes use beside Latin-1, as ranges of ImGui: pairs, closed by 0.
std::span<const unsigned short> scene_glyph_ranges();

struct ImguiView {
  scene::Point origin;  ///< screen position of the scene's (0, 0) at no pan
  scene::Point pan;     ///< in screen pixels, added to the origin
  float zoom = 1;
  float smallest_label_px = 7;
  float line_weight = 1;                    ///< presentation mode makes lines half as thick again: 1.5
  std::vector<std::string>* cut = nullptr;  ///< takes the whole text of labels of which only the beginning is drawn

  scene::Point to_scene(scene::Point screen) const {
    return {(screen.x - origin.x - pan.x) / zoom, (screen.y - origin.y - pan.y) / zoom};
  }
  scene::Point to_screen(scene::Point p) const {
    return {origin.x + pan.x + p.x * zoom, origin.y + pan.y + p.y * zoom};
  }
};

/// Draws the part inside the list's current clip rectangle. Text is drawn at its size times zoom, cut to its max_width
/// with an ellipsis, and left out where it would be unreadable.
void paint(ImDrawList& list, const scene::Scene& scene, const scene::Paper& paper, const ImguiFonts& fonts,
           const ImguiView& view);

}  // namespace lanescope::paint
