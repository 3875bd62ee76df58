#pragma once
// Arithmetic on colours: OKLab for ramps that look even, WCAG 2 for contrast.

#include <string_view>

#include "viz/scene/scene.h"
#include "viz/views/base/selection.h"

namespace lanescope::views {

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

}  // namespace lanescope::views
