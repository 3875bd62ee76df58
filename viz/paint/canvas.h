#pragma once
// A small software rasteriser. Every shape is a signed distance (negative inside, in pixels), and its coverage of a pixel is
// that distance clamped over one pixel's width: anti-aliasing without supersampling, exact enough for straight edges.

#include <span>
#include <string_view>

#include "viz/paint/paint.h"
#include "viz/paint/shapes.h"

namespace lanescope::paint {

class Canvas {
 public:
  Canvas(int width, int height, scene::Color ground);
  /// Coordinates and widths are pixels.
  void fill(const Rect& rect, float radius, scene::Color color);
  /// A border centred on the rectangle's edge.
  void stroke(const Rect& rect, float radius, float width, scene::Color color);
  /// A polyline of one coverage, so that translucent joints do not show.
  void polyline(std::span<const Point> points, float width, scene::Color color);
  void triangle(const std::array<Point, 3>& corners, scene::Color color);
  /// `at`: pen position on the baseline.
  void text(scene::Face face, float size_px, Point at, std::string_view words, scene::Color color);
  Image take() { return std::move(image_); }

 private:
  void shade(const Rect& bounds, scene::Color color, auto distance);
  void blend(int x, int y, scene::Color color, float coverage);
  Image image_;
};

}  // namespace lanescope::paint
