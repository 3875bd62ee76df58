#pragma once
// Colours of the window and of every view. A theme is data; dark, light and high contrast are equals.
//
// Data is coloured by one ramp whose OKLab lightness rises evenly from first to last value while the hue runs from
// violet over blue and green to yellow: the order survives greyscale, and neighbours differ in lightness and in blue
// against yellow, which red-green blindness leaves intact. tests/viz/views checks both with simulated vision.

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "kernels/claims/claims.h"
#include "kernels/trace/trace.h"
#include "viz/scene/paper.h"
#include "viz/scene/scene.h"
#include "viz/views/base/selection.h"

namespace lanescope::views {

// Arithmetic on colours: OKLab for ramps that look even, WCAG 2 for contrast.

using scene::Color;

/// OKLab in polar form: lightness 0..1, chroma, hue in degrees.
struct Lch {
  double lightness = 0, chroma = 0, hue_degrees = 0;
};

struct LinearRgb {
  double r = 0, g = 0, b = 0;
};

LinearRgb to_linear(Color color);
Color from_linear(LinearRgb rgb, std::uint8_t alpha = 255);  ///< clamps to the sRGB gamut
/// Lowers the chroma until the colour is inside sRGB, and keeps lightness and hue.
Color from_lch(Lch lch, std::uint8_t alpha = 255);
double lightness(Color color);  ///< OKLab L
double oklab_distance(Color a, Color b);
double luminance(Color color);      ///< relative luminance of WCAG 2.x
double contrast(Color a, Color b);  ///< 1..21, WCAG 2.x
Color mix(Color a, Color b, double share_of_b);
constexpr Color with_alpha(Color c, std::uint8_t alpha) { return {(c.rgba & 0xffffff00u) | alpha}; }
/// A soft light or dark text colour with at least 4.5 : 1 on `fill`; pure white or black where soft is not enough.
Color text_on(Color fill);

// The words that decide a colour (Coloring, elements.h), checked before anything is drawn: Coloring itself ignores
// unknown words.

/// Errors of `color_by` for the buffers of this run, with a remedy; empty: none. Accepted are
/// "" (automatic), "lane", "warp", "register", and axes and bits of the buffers separated by blanks ("j", "j1 j0 k").
Diagnostics wrong_color_words(const Summary& summary, std::string_view color_by);

inline constexpr int step_kind_count = 12;  ///< of trace::StepKind

struct Theme {
  std::string_view name, title;  ///< "dark", "Dark"
  bool dark = true;

  Color background;  ///< after the panels
  Color panel;       ///< the ground of every view
  Color border;      ///< hairlines
  Color text, text_dim, text_faint;
  Color accent;           ///< only for interactive parts
  Color row_highlight;    ///< the current line of the source
  Color good, warn, bad;  ///< verdicts, always with a shape and a word

  Color cell_empty;  ///< undefined register, untouched word
  Color cell_plain;  ///< defined, but holds no element of a traced buffer
  Color cell_mixed;  ///< depends on several elements (hatched)
  Color cell_border;
  Color selected;       ///< outline of the selection
  Color selected_ring;  ///< second ring that keeps that outline visible on any cell
  Color changed;        ///< outline of changes by this step
  Color arrow;
  Color hatch;

  std::array<Color, step_kind_count> steps;  ///< by trace::StepKind

  static constexpr int ramp_colors = 256;
  std::array<Color, ramp_colors> ramp, ramp_text, ramp_text_dim;  ///< fill, first and second line of text on it

  /// Position on the ramp of value `index` among `count` equally spaced ones.
  static int ramp_index(std::uint64_t index, std::uint64_t count) {
    if (count <= 1) return 0;
    return static_cast<int>(std::min(index, count - 1) * (ramp_colors - 1) / (count - 1));
  }
  Color step(trace::StepKind kind) const { return steps[static_cast<int>(kind)]; }
  Color verdict(claims::Verdict verdict) const;
  /// One of several axes, as a line or outline colour.
  Color axis(int index, int count) const;
  scene::Paper paper() const {
    return {.background = panel, .hatch = hatch, .count_fill = background, .count_text = text};
  }
};

/// Calls `visit(name, color)` for every colour of a theme that is no ramp. A colour that the theme has and this list
/// has not does not compile.
void each_color(const Theme& theme, auto visit) {
  const auto& [name, title, dark, background, panel, border, text, text_dim, text_faint, accent, row_highlight, good,
               warn, bad, cell_empty, cell_plain, cell_mixed, cell_border, selected, selected_ring, changed, arrow,
               hatch, steps, ramp, ramp_text, ramp_text_dim] = theme;
  visit("background", background), visit("panel", panel), visit("border", border), visit("text", text);
  visit("text_dim", text_dim), visit("text_faint", text_faint), visit("accent", accent);
  visit("row_highlight", row_highlight), visit("good", good), visit("warn", warn), visit("bad", bad);
  visit("cell_empty", cell_empty), visit("cell_plain", cell_plain), visit("cell_mixed", cell_mixed);
  visit("cell_border", cell_border), visit("selected", selected), visit("selected_ring", selected_ring);
  visit("changed", changed), visit("arrow", arrow), visit("hatch", hatch);
  for (const Color step : steps) visit("steps", step);
  static_cast<void>(std::tie(name, title, dark, ramp, ramp_text, ramp_text_dim));  // tested as ramps
}

/// Colours of the window that are mixed from those of the theme.
enum class Mixed : std::uint8_t {
  // grounds, after words
  overlay,         ///< of palette, glossary, lists of files
  popup,           ///< of drop-downs, completion, find
  chosen_row,      ///< of a list
  pressed_row,     ///< of a list, while the button is down
  pointed_row,     ///< of a list, under the mouse
  hovered_button,  ///< a flat one
  selected_text,
  found_text,  ///< a match of the search
  notice,
  notice_warning,
  notice_error,
  status,  ///< the words at the lower edge
  // edges
  popup_edge,
  status_edge,
  active_edge,  ///< of the panel with the keyboard
  // words
  quiet_title,  ///< of a panel without the keyboard
};
inline constexpr int mixed_count = static_cast<int>(Mixed::quiet_title) + 1;
enum class MixedUse : std::uint8_t { ground, edge, words };
MixedUse use_of(Mixed which);
Color mixed(const Theme& theme, Mixed which);

const Theme& dark_theme();
const Theme& light_theme();
const Theme& high_contrast_theme();
std::span<const Theme* const> themes();
/// By name, "high contrast" as well as "high-contrast"; nullptr where there is none.
const Theme* find_theme(std::string_view name);
/// The same; the dark theme for a name that is unknown.
const Theme& theme_named(std::string_view name);

// --- names that people type

/// "dark", "light", "high-contrast".
std::vector<std::string> theme_names();

/// The name of the theme that is meant: capitals do not matter, and a blank or an underscore is a hyphen ("High
/// contrast"). Empty: there is none.
std::string theme_name_of(std::string_view typed);

/// The ramp, turned so that large values contrast with the background: light on dark, dark on light. `share` is 0..1.
Color heat_color(const Theme& theme, double share);

}  // namespace lanescope::views
