#pragma once
// Context of drawing beside the App: fonts, scale, small widgets in the house style, and the place of each drawn scene.

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <imgui.h>

#include "kernels/base/diagnostic.h"
#include "viz/paint/imgui/imgui_painter.h"
#include "viz/scene/scene.h"
#include "viz/views/base/theme.h"

namespace lanescope::gui {

// Inter for words, JetBrains Mono for code, bits and numbers; three sizes, and a few more for scenes.

namespace type_px {
inline constexpr float small = 12, body = 13, title = 15, code = 12, code_small = 11.5f;  ///< of the em, as on paper
}

struct Fonts {
  ImFont *small = nullptr, *body = nullptr, *body_medium = nullptr, *title = nullptr;
  ImFont *code = nullptr, *code_small = nullptr;
  paint::ImguiFonts scene;  ///< every face of scenes, in a few more sizes: they are zoomed
  float scale = 0;          ///< they were made for
};

/// Rebuilds ImGui's atlas for this scale. Error: a font file that cannot be read.
Expected<Fonts> load_fonts(float scale);
/// Uploads the new atlas to OpenGL and deletes the old texture.
void refresh_font_texture();

inline ImU32 to_im(scene::Color c) {
  return IM_COL32((c.rgba >> 24) & 255, (c.rgba >> 16) & 255, (c.rgba >> 8) & 255, c.rgba & 255);
}
inline ImVec4 to_vec(scene::Color c) { return ImGui::ColorConvertU32ToFloat4(to_im(c)); }

struct Rectangle {
  float x = 0, y = 0, w = 0, h = 0;
  ImVec2 min() const { return {x, y}; }
  ImVec2 max() const { return {x + w, y + h}; }
  bool contains(ImVec2 p) const { return p.x >= x && p.x < x + w && p.y >= y && p.y < y + h; }
};

/// A scene on the screen: screen = origin + scale * scene.
struct DrawnScene {
  scene::Scene scene;
  ImVec2 origin;
  float scale = 1;
  Rectangle area;  ///< the part of the screen that it may cover
  ImVec2 to_screen(scene::Point p) const { return {origin.x + p.x * scale, origin.y + p.y * scale}; }
  scene::Point to_scene(ImVec2 p) const { return {(p.x - origin.x) / scale, (p.y - origin.y) / scale}; }
};

struct Stage {
  const views::Theme* theme = nullptr;
  Fonts fonts;
  float scale = 1;
  bool presentation = false;
  std::map<std::string, DrawnScene, std::less<>> scenes;  ///< by panel name, of the last frame
  std::map<std::string, Rectangle, std::less<>> bodies;   ///< of the panels in sight, by name, of the last frame
  std::uint64_t scenes_made = 0;                          ///< so far, by all panels
  bool typing = false;                                    ///< a text widget has the keyboard (of the last frame)
  float px(float at_scale_one) const { return at_scale_one * scale; }
  float hairline() const { return presentation ? 1.5f * scale : (scale > 1.5f ? scale * 0.7f : 1.0f); }
};

enum class TextAlign : std::uint8_t { left, center, right };

/// One line of text, cut with an ellipsis at `max_width` (0: never); the tooltip has the full text. Returns its width.
/// `at` is the left, middle or right end; y is the vertical centre.
float draw_text(const Stage& stage, ImFont* font, ImVec2 at, scene::Color color, std::string_view text,
                TextAlign align = TextAlign::left, float max_width = 0);
float text_width(ImFont* font, std::string_view text);
/// The lines of a text that is broken at spaces and at line breaks.
std::vector<std::string_view> wrapped_lines(ImFont* font, std::string_view text, float width);
/// The beginning of "earlier access · p · line 30" that fits, cut before a " · " or a ", "; empty where not even the
/// first part does.
std::string_view fitting_parts(ImFont* font, std::string_view text, float width);
/// Several lines, broken at spaces. Returns the height.
float draw_wrapped(const Stage& stage, ImFont* font, ImVec2 top_left, float width, scene::Color color,
                   std::string_view text);

enum class Icon : std::uint8_t {
  none,
  play,
  pause,
  step_forward,
  step_back,
  to_first,
  to_last,
  down,
  left,
  right,
  maximise,
  restore,
  close,
  menu
};
void draw_icon(const Stage& stage, Icon icon, ImVec2 center, float extent, scene::Color color);

struct ButtonLook {
  Icon icon = Icon::none;  ///< after the text, or alone
  bool icon_first = false;
  bool pill = false;
  scene::Color color{};  ///< of the text; alpha 0: the theme's dim text
  std::string name;      ///< dim words before the text: "colour"
  std::string refusal;   ///< why it cannot be pressed now; empty: it can
};
float button_width(const Stage& stage, std::string_view text, const ButtonLook& look);
/// A flat button; `id` is its name in scripts, `hint` its tooltip. True when pressed.
bool button(const Stage& stage, const char* id, ImVec2 left_center, std::string_view text, const std::string& hint,
            const ButtonLook& look = {});

void tooltip(const Stage& stage, const std::string& text);
/// Words under the mouse: if nothing else has a tooltip in this frame, explain_pointed() shows their `meaning`;
/// draw_text() registers its own.
void point_at_words(std::string_view words);
/// The words under the mouse in this frame; empty: none.
std::string_view pointed_at();
void explain_pointed(const Stage& stage, std::string (*meaning)(std::string_view));
/// Begin/end of a drop-down list that opens below the last button.
bool begin_menu(const Stage& stage, const char* id);
/// Where the next list opens: below the left end of the last item.
void place_menu_below_item(const Stage& stage);
void end_menu();
/// An entry of a list, ticked if it is chosen.
bool menu_entry(const Stage& stage, const char* label, bool chosen, const std::string& key = {},
                const std::string& refusal = {});

/// A choice of `row`, a HeaderRow or a ControlStrip, and `entries`, the list that it opens.
void drop_down(auto& row, const Stage& stage, const char* id, const std::string& name, const std::string& value,
               const std::string& hint, auto entries) {
  if (row.choice(id, name, value, hint)) ImGui::OpenPopup(id);
  if (!begin_menu(stage, id)) return;
  entries();
  end_menu();
}

/// A state in one sentence, in the middle of an area, with the next action below it.
void draw_state(const Stage& stage, Rectangle area, std::string_view what_happened, std::string_view what_to_do);

enum class VerdictIcon : std::uint8_t { good, bad, unknown, warning };
/// Disc, square, ring and triangle: the shape that goes with a verdict's colour.
void draw_verdict_icon(const Stage& stage, VerdictIcon icon, ImVec2 center, float extent);

void apply_style(const views::Theme& theme, float scale);

// Paints a scene into the current ImGui window, clipped to its area.

void paint_scene(const Stage& stage, const DrawnScene& drawn);

}  // namespace lanescope::gui
