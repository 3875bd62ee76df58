#pragma once
// Inter for words, JetBrains Mono for code, bits and numbers; three sizes, and a few more for scenes.

#include <imgui.h>

#include "kernels/base/diagnostic.h"
#include "viz/paint/imgui/imgui_painter.h"

namespace lanescope::gui {

namespace type_px {
inline constexpr float small = 12, body = 13, title = 15, code = 12, code_small = 11.5f;  ///< of the em, as on paper
}

struct Fonts {
  ImFont *small = nullptr, *body = nullptr, *body_medium = nullptr, *title = nullptr;
  ImFont *code = nullptr, *code_small = nullptr;
  paint::ImguiFonts scene;  ///< every face of scenes, in a few more sizes: they are zoomed
  float scale = 0;          ///< they were made for
};

/// Makes ImGui's atlas anew for this scale. Error: a font file that cannot be read.
Expected<Fonts> load_fonts(float scale);
/// Hands the new atlas to OpenGL; the old texture goes.
void refresh_font_texture();

}  // namespace lanescope::gui
