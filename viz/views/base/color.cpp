#include "viz/views/base/theme.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>

#include "kernels/base/text.h"
#include "kernels/layout/assignment.h"
#include "viz/views/base/elements.h"

namespace lanescope::views {
namespace {

double decode(std::uint32_t byte) {
  const double c = byte / 255.0;
  return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
}

std::uint32_t encode(double linear) {
  const double c = std::clamp(linear, 0.0, 1.0);
  const double s = c <= 0.0031308 ? 12.92 * c : 1.055 * std::pow(c, 1 / 2.4) - 0.055;
  return static_cast<std::uint32_t>(std::lround(s * 255));
}

struct Lab {
  double l, a, b;
};

// Matrices of OKLab as published by Björn Ottosson, "A perceptual color space for image processing" (2020).
Lab to_oklab(LinearRgb c) {
  const double l = std::cbrt(0.4122214708 * c.r + 0.5363325363 * c.g + 0.0514459929 * c.b);
  const double m = std::cbrt(0.2119034982 * c.r + 0.6806995451 * c.g + 0.1073969566 * c.b);
  const double s = std::cbrt(0.0883024619 * c.r + 0.2817188376 * c.g + 0.6299787005 * c.b);
  return {0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
          1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
          0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s};
}

LinearRgb from_oklab(Lab c) {
  const double l = std::pow(c.l + 0.3963377774 * c.a + 0.2158037573 * c.b, 3);
  const double m = std::pow(c.l - 0.1055613458 * c.a - 0.0638541728 * c.b, 3);
  const double s = std::pow(c.l - 0.0894841775 * c.a - 1.2914855480 * c.b, 3);
  return {4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
          -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
          -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s};
}

bool in_gamut(LinearRgb c) {
  const auto inside = [](double v) { return v >= -1e-4 && v <= 1 + 1e-4; };
  return inside(c.r) && inside(c.g) && inside(c.b);
}

/// Whether a buffer has this axis, or this bit of one of its axes.
bool is_axis_or_bit(const std::vector<ElementReader>& readers, std::string_view word) {
  const layout::LogicalBit bit = layout::split_name(word);
  return std::ranges::any_of(readers, [&](const ElementReader& reader) {
    if (reader.find(word) >= 0) return true;
    const int axis = reader.find(bit.axis);
    return axis >= 0 && bit.bit >= 0 && bit.bit < static_cast<int>(std::bit_width(reader.extent(axis) - 1));
  });
}

}  // namespace

LinearRgb to_linear(Color color) {
  return {decode(color.rgba >> 24), decode((color.rgba >> 16) & 255), decode((color.rgba >> 8) & 255)};
}

Color from_linear(LinearRgb rgb, std::uint8_t alpha) {
  return {encode(rgb.r) << 24 | encode(rgb.g) << 16 | encode(rgb.b) << 8 | alpha};
}

Color from_lch(Lch lch, std::uint8_t alpha) {
  const double hue = lch.hue_degrees * std::numbers::pi / 180;
  const auto rgb = [&](double chroma) {
    return from_oklab({lch.lightness, chroma * std::cos(hue), chroma * std::sin(hue)});
  };
  double inside = 0, outside = lch.chroma;
  if (in_gamut(rgb(outside))) return from_linear(rgb(outside), alpha);
  for (int n = 0; n < 20; ++n) {
    const double middle = (inside + outside) / 2;
    (in_gamut(rgb(middle)) ? inside : outside) = middle;
  }
  return from_linear(rgb(inside), alpha);
}

double lightness(Color color) { return to_oklab(to_linear(color)).l; }

double oklab_distance(Color a, Color b) {
  const Lab x = to_oklab(to_linear(a)), y = to_oklab(to_linear(b));
  return std::hypot(x.l - y.l, x.a - y.a, x.b - y.b);
}

double luminance(Color color) {
  const LinearRgb c = to_linear(color);
  return 0.2126 * c.r + 0.7152 * c.g + 0.0722 * c.b;
}

double contrast(Color a, Color b) {
  const double x = luminance(a), y = luminance(b);
  return (std::max(x, y) + 0.05) / (std::min(x, y) + 0.05);
}

Color mix(Color a, Color b, double share_of_b) {
  std::uint32_t out = 0;
  for (int shift = 0; shift < 32; shift += 8) {
    const double x = (a.rgba >> shift) & 255, y = (b.rgba >> shift) & 255;
    out |= static_cast<std::uint32_t>(std::lround(x + (y - x) * share_of_b)) << shift;
  }
  return {out};
}

Color text_on(Color fill) {
  constexpr Color soft_light{0xeef2f7ff}, soft_dark{0x0b0e13ff}, white{0xffffffff}, black{0x000000ff};
  const double light = contrast(soft_light, fill), dark = contrast(soft_dark, fill);
  const Color soft = light >= dark ? soft_light : soft_dark;
  if (std::max(light, dark) >= 4.5) return soft;
  return contrast(white, fill) >= contrast(black, fill) ? white : black;
}

Diagnostics wrong_color_words(const Summary& summary, std::string_view color_by) {
  if (one_of(color_by, {"", "lane", "warp", "register"})) return {};
  const std::vector<ElementReader> readers = element_readers(summary);
  std::vector<std::string> axes;
  for (const ElementReader& reader : readers)
    for (int n = 0; n < reader.axes(); ++n)
      if (!reader.name(n).empty() && !one_of(reader.name(n), axes)) axes.push_back(reader.name(n));
  std::size_t words = 0;
  for (std::string_view rest = trimmed(color_by); !rest.empty(); ++words) {
    const std::string_view word = rest.substr(0, rest.find(' '));
    rest = trimmed(rest.substr(word.size()));
    if (is_axis_or_bit(readers, word)) continue;
    return {{.message = fmt::format("there is no colour by '{}'", word),
             .remedy = axes.empty() ? std::string("colour by lane, warp or register")
                                    : fmt::format("colour by lane, warp or register, or by axes and bits such as {} "
                                                  "and {}0 (axes: {})",
                                                  axes.front(), axes.front(), fmt::join(axes, ", "))}};
  }
  if (words > 0) return {};
  return {{.message = "a colour of blanks names nothing", .remedy = "colour by lane, warp or register"}};
}

}  // namespace lanescope::views
