#pragma once
// Geometry that all painters share: curves of arrows, hatching, dashes, positions of text.

#include <array>
#include <string_view>
#include <vector>

#include "viz/scene/scene.h"

namespace lanescope::paint {

using scene::Point;
using scene::Rect;

/// Capital letters of Inter and JetBrains Mono are 0.73 em high: the baseline of text whose vertical centre is at y =
/// 0.
inline constexpr float baseline_em = 0.365f;

inline constexpr float hatch_spacing = 5;
inline constexpr float dash_length = 4, dash_gap = 3;

/// A cubic from start to end, the head's triangle at its end, and the position of a bundle's count.
struct ArrowShape {
  std::array<Point, 4> curve;  ///< stops short of the head
  std::array<Point, 3> head;
  Point middle;
};
ArrowShape shape_of(const scene::Arrow& arrow);
Point on_curve(const std::array<Point, 4>& curve, float t);
std::vector<Point> flattened(const std::array<Point, 4>& curve, int pieces = 20);

Rect count_pill(Point middle, float text_width);
inline constexpr float count_size_px = 10;

struct Segment {
  Point from, to;
};
/// 45 degree lines clipped to a rectangle; the pattern is anchored to the scene's origin so that neighbours line up.
std::vector<Segment> hatch_lines(const Rect& rect, float spacing = hatch_spacing);
std::vector<Segment> dashes(Point from, Point to, float length = dash_length, float gap = dash_gap);
/// Dashes along the border of a rectangle.
std::vector<Segment> dashed_border(const Rect& rect);

/// "&amp;" of '&'; empty: the character stands for itself in XML.
constexpr std::string_view xml_entity(char32_t c) {
  return c == U'&' ? "&amp;" : c == U'<' ? "&lt;" : c == U'>' ? "&gt;" : c == U'"' ? "&quot;" : "";
}

}  // namespace lanescope::paint
