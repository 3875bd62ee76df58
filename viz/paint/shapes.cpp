#include "viz/paint/shapes.h"

#include <algorithm>
#include <cmath>

namespace lanescope::paint {
namespace {

Point operator+(Point a, Point b) { return {a.x + b.x, a.y + b.y}; }
Point operator-(Point a, Point b) { return {a.x - b.x, a.y - b.y}; }
Point operator*(Point a, float s) { return {a.x * s, a.y * s}; }
float length(Point a) { return std::hypot(a.x, a.y); }

}  // namespace

Point on_curve(const std::array<Point, 4>& c, float t) {
  const float u = 1 - t;
  return c[0] * (u * u * u) + c[1] * (3 * u * u * t) + c[2] * (3 * u * t * t) + c[3] * (t * t * t);
}

std::vector<Point> flattened(const std::array<Point, 4>& curve, int pieces) {
  std::vector<Point> points;
  points.reserve(static_cast<std::size_t>(pieces) + 1);
  for (int n = 0; n <= pieces; ++n)
    points.push_back(on_curve(curve, static_cast<float>(n) / static_cast<float>(pieces)));
  return points;
}

ArrowShape shape_of(const scene::Arrow& arrow) {
  const Point along = arrow.to - arrow.from;
  const auto [start, c1, c2, tip] = scene::curve_of(arrow);
  Point direction = tip - c2;
  const float distance = std::max(length(direction), 1e-3f);
  direction = direction * (1 / distance);
  const float head = std::min(4.0f + 2 * arrow.width, std::max(length(along), 1.0f));
  const Point normal{-direction.y, direction.x};
  const Point neck = arrow.to - direction * head;
  ArrowShape shape{.curve = {start, c1, c2, arrow.to - direction * (head * 0.8f)},
                   .head = {arrow.to, neck + normal * (head * 0.48f), neck - normal * (head * 0.48f)}};
  shape.middle = on_curve(shape.curve, 0.5f);
  return shape;
}

Rect count_pill(Point middle, float text_width) {
  const float w = text_width + 10, h = 15;
  return {middle.x - w / 2, middle.y - h / 2, w, h};
}

std::vector<Segment> hatch_lines(const Rect& r, float spacing) {
  std::vector<Segment> lines;
  const float step = spacing * std::sqrt(2.0f);
  // Lines x + y = k.
  for (float k = std::ceil((r.x + r.y) / step) * step; k < r.x + r.w + r.y + r.h; k += step) {
    const float x0 = std::max(r.x, k - r.y - r.h), x1 = std::min(r.x + r.w, k - r.y);
    if (x1 > x0) lines.push_back({{x0, k - x0}, {x1, k - x1}});
  }
  return lines;
}

std::vector<Segment> dashes(Point from, Point to, float length, float gap) {
  std::vector<Segment> out;
  const float total = std::hypot(to.x - from.x, to.y - from.y);
  if (total <= 0) return out;
  const Point unit = (to - from) * (1 / total);
  for (float at = 0; at < total; at += length + gap)
    out.push_back({from + unit * at, from + unit * std::min(at + length, total)});
  return out;
}

std::vector<Segment> dashed_border(const Rect& r) {
  std::vector<Segment> out;
  const Point corners[] = {{r.x, r.y}, {r.x + r.w, r.y}, {r.x + r.w, r.y + r.h}, {r.x, r.y + r.h}};
  for (int n = 0; n < 4; ++n)
    for (const Segment& s : dashes(corners[n], corners[(n + 1) % 4], 3, 2.5f)) out.push_back(s);
  return out;
}

}  // namespace lanescope::paint
