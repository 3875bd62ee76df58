#include "viz/paint/canvas.h"

#include <algorithm>
#include <cmath>

#include "viz/paint/fonts.h"

namespace lanescope::paint {
namespace {

float distance_to_segment(Point p, Point a, Point b) {
  const float dx = b.x - a.x, dy = b.y - a.y, squared = dx * dx + dy * dy;
  const float t = squared > 0 ? std::clamp(((p.x - a.x) * dx + (p.y - a.y) * dy) / squared, 0.0f, 1.0f) : 0.0f;
  return std::hypot(p.x - a.x - t * dx, p.y - a.y - t * dy);
}

float distance_to_rounded(Point p, const Rect& r, float radius) {
  const float qx = std::fabs(p.x - r.x - r.w / 2) - r.w / 2 + radius,
              qy = std::fabs(p.y - r.y - r.h / 2) - r.h / 2 + radius;
  const float outside = qx > 0 && qy > 0 ? std::hypot(qx, qy) : std::max({qx, qy, 0.0f});
  return outside + std::min(std::max(qx, qy), 0.0f) - radius;
}

float limited(float radius, const Rect& r) { return std::clamp(radius, 0.0f, std::min(r.w, r.h) / 2); }

}  // namespace

Canvas::Canvas(int width, int height, scene::Color ground) {
  image_ = {.width = width, .height = height};
  image_.rgba.resize(static_cast<std::size_t>(width) * height * 4);
  for (std::size_t n = 0; n < image_.rgba.size(); n += 4)
    for (int c = 0; c < 4; ++c) image_.rgba[n + c] = static_cast<std::uint8_t>(ground.rgba >> (24 - 8 * c));
}

void Canvas::blend(int x, int y, scene::Color color, float coverage) {
  std::uint8_t* pixel = &image_.rgba[(static_cast<std::size_t>(y) * image_.width + x) * 4];
  const float alpha = coverage * static_cast<float>(color.rgba & 0xff) / 255;
  for (int c = 0; c < 3; ++c) {
    const auto source = static_cast<float>((color.rgba >> (24 - 8 * c)) & 0xff);
    pixel[c] = static_cast<std::uint8_t>(std::lround(pixel[c] + (source - pixel[c]) * alpha));
  }
  pixel[3] = static_cast<std::uint8_t>(std::lround(pixel[3] + (255 - pixel[3]) * alpha));
}

template <class Distance>
void Canvas::shade(const Rect& bounds, scene::Color color, Distance distance) {
  const int x0 = std::max(static_cast<int>(std::floor(bounds.x - 1)), 0);
  const int y0 = std::max(static_cast<int>(std::floor(bounds.y - 1)), 0);
  const int x1 = std::min(static_cast<int>(std::ceil(bounds.x + bounds.w + 1)), image_.width);
  const int y1 = std::min(static_cast<int>(std::ceil(bounds.y + bounds.h + 1)), image_.height);
  for (int y = y0; y < y1; ++y)
    for (int x = x0; x < x1; ++x) {
      const float coverage =
          std::clamp(0.5f - distance(Point{static_cast<float>(x) + 0.5f, static_cast<float>(y) + 0.5f}), 0.0f, 1.0f);
      if (coverage > 0) blend(x, y, color, coverage);
    }
}

void Canvas::fill(const Rect& r, float radius, scene::Color color) {
  if (!(color.rgba & 0xff) || r.w <= 0 || r.h <= 0) return;
  const float round = limited(radius, r);
  shade(r, color, [&](Point p) { return distance_to_rounded(p, r, round); });
}

void Canvas::stroke(const Rect& r, float radius, float width, scene::Color color) {
  if (!(color.rgba & 0xff)) return;
  const float round = limited(radius, r), half = width / 2;
  const Rect bounds{r.x - half, r.y - half, r.w + width, r.h + width};
  shade(bounds, color, [&](Point p) { return std::fabs(distance_to_rounded(p, r, round)) - half; });
}

void Canvas::polyline(std::span<const Point> points, float width, scene::Color color) {
  if (!(color.rgba & 0xff) || points.size() < 2) return;
  float x0 = points[0].x, x1 = x0, y0 = points[0].y, y1 = y0;
  for (Point p : points) x0 = std::min(x0, p.x), x1 = std::max(x1, p.x), y0 = std::min(y0, p.y), y1 = std::max(y1, p.y);
  const float half = width / 2;
  shade({x0 - half, y0 - half, x1 - x0 + width, y1 - y0 + width}, color, [&](Point p) {
    float nearest = 1e9f;
    for (std::size_t n = 1; n < points.size(); ++n)
      nearest = std::min(nearest, distance_to_segment(p, points[n - 1], points[n]));
    return nearest - half;
  });
}

void Canvas::triangle(const std::array<Point, 3>& c, scene::Color color) {
  const auto [x0, x1] = std::minmax({c[0].x, c[1].x, c[2].x});
  const auto [y0, y1] = std::minmax({c[0].y, c[1].y, c[2].y});
  const float area = (c[1].x - c[0].x) * (c[2].y - c[0].y) - (c[1].y - c[0].y) * (c[2].x - c[0].x);
  const float sign = area > 0 ? 1.0f : -1.0f;
  shade({x0, y0, x1 - x0, y1 - y0}, color, [&](Point p) {
    float worst = -1e9f;  // largest signed distance to an edge's line
    for (int n = 0; n < 3; ++n) {
      const Point a = c[n], b = c[(n + 1) % 3];
      const float dx = b.x - a.x, dy = b.y - a.y, length = std::max(std::hypot(dx, dy), 1e-6f);
      worst = std::max(worst, -sign * (dx * (p.y - a.y) - dy * (p.x - a.x)) / length);
    }
    return worst;
  });
}

void Canvas::text(scene::Face face, float size_px, Point at, std::string_view words, scene::Color color) {
  Fonts& fonts = Fonts::of_thread();
  const int baseline = static_cast<int>(std::lround(at.y));
  float pen = at.x;
  while (!words.empty()) {
    const char32_t code = next_code(words);
    int column = static_cast<int>(std::floor(pen));
    int quarter = static_cast<int>(std::lround((pen - static_cast<float>(column)) * 4));
    if (quarter == 4) ++column, quarter = 0;
    const Glyph& glyph = fonts.glyph(face, size_px, code, quarter);
    for (int y = 0; y < glyph.height; ++y) {
      const int row = baseline - glyph.top + y;
      if (row < 0 || row >= image_.height) continue;
      for (int x = 0; x < glyph.width; ++x) {
        const int at_x = column + glyph.left + x;
        const std::uint8_t coverage = glyph.coverage[static_cast<std::size_t>(y) * glyph.width + x];
        if (at_x >= 0 && at_x < image_.width && coverage != 0)
          blend(at_x, row, color, static_cast<float>(coverage) / 255);
      }
    }
    pen += glyph.advance_px;
  }
}

}  // namespace lanescope::paint
