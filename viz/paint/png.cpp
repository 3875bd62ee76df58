#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STB_IMAGE_WRITE_STATIC
#define STBI_WRITE_NO_STDIO
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#pragma GCC diagnostic ignored "-Wunused-function"
#include <stb/stb_image_write.h>
#pragma GCC diagnostic pop

#include "viz/paint/canvas.h"
#include "viz/paint/deflate.h"
#include "viz/paint/fonts.h"

namespace lanescope::paint {
namespace {

using scene::Box;
using scene::Face;

class ImagePainter {
 public:
  ImagePainter(const scene::Paper& paper, Canvas& canvas, float scale)
      : paper_(paper), canvas_(canvas), scale_(scale) {}

  void box(const Box& b) {
    const Rect r = scaled(b.rect);
    canvas_.fill(r, b.radius * scale_, b.fill);
    if (b.hatched)
      for (const Segment& s : hatch_lines(b.rect)) segment(s.from, s.to, 1, paper_.hatch);
    if (!(b.stroke.rgba & 0xff)) return;
    if (b.dashed) {
      for (const Segment& s : dashed_border(b.rect)) segment(s.from, s.to, b.stroke_width, b.stroke);
    } else {
      canvas_.stroke(r, b.radius * scale_, b.stroke_width * scale_, b.stroke);
    }
  }

  void line(const scene::Line& l) {
    if (!l.dashed) return segment(l.from, l.to, l.width, l.color);
    for (const Segment& s : dashes(l.from, l.to)) segment(s.from, s.to, l.width, l.color);
  }

  void label(const scene::Label& l) {
    if (scale_ < l.min_scale) return;
    words(l.at, fitted(l.face, l.size, l.text, l.max_width), l.color, l.face, l.size, l.align);
  }

  void arrow(const scene::Arrow& a) {
    ArrowShape shape = shape_of(a);
    std::vector<Point> points = flattened(shape.curve);
    for (Point& p : points) p = scaled(p);
    for (Point& p : shape.head) p = scaled(p);
    canvas_.polyline(points, a.width * scale_, a.color);
    canvas_.triangle(shape.head, a.color);
    if (a.count.empty()) return;
    const Rect pill = scaled(count_pill(shape.middle, text_width(Face::mono_bold, count_size_px, a.count)));
    canvas_.fill(pill, pill.h / 2, paper_.count_fill);
    canvas_.stroke(pill, pill.h / 2, scale_, a.color);
    words(shape.middle, a.count, paper_.count_text, Face::mono_bold, count_size_px, scene::Align::center);
  }

 private:
  Point scaled(Point p) const { return {p.x * scale_, p.y * scale_}; }
  Rect scaled(Rect r) const { return {r.x * scale_, r.y * scale_, r.w * scale_, r.h * scale_}; }

  void segment(Point from, Point to, float width, scene::Color color) {
    const std::array<Point, 2> points{scaled(from), scaled(to)};
    canvas_.polyline(points, width * scale_, color);
  }

  void words(Point at, std::string_view text, scene::Color color, Face face, float size, scene::Align align) {
    const float px = size * scale_;
    Point pen = scaled(at);
    if (align != scene::Align::left) {
      const float width = text_width(face, px, text);
      pen.x -= align == scene::Align::center ? width / 2 : width;
    }
    pen.y += baseline_em * px;
    canvas_.text(face, px, pen, text, color);
  }

  const scene::Paper& paper_;
  Canvas& canvas_;
  float scale_;
};

bool has_text(const scene::Scene& scene) {
  return !scene.labels.empty() || std::ranges::any_of(scene.arrows, [](const auto& a) { return !a.count.empty(); });
}

}  // namespace

Expected<Image> to_image(const scene::Scene& scene, const scene::Paper& paper, float scale) {
  if (has_text(scene)) {
    if (auto fonts = Fonts::of_thread().usable(); !fonts) return tl::unexpected(fonts.error());
  }
  constexpr float most_pixels = 32768;
  const float width = std::ceil(scene.width * scale), height = std::ceil(scene.height * scale);
  if (!(width >= 1 && height >= 1 && width <= most_pixels && height <= most_pixels))
    return failure(fmt::format("a picture of {:.0f} x {:.0f} pixels cannot be written", width, height),
                   "choose a scale that keeps both sides between 1 and 32768 pixels");
  Canvas canvas(static_cast<int>(width), static_cast<int>(height), paper.background);
  ImagePainter painter(paper, canvas, scale);
  for (const Box& box : scene.boxes) painter.box(box);
  for (const scene::Line& line : scene.lines) painter.line(line);
  for (const scene::Label& label : scene.labels) painter.label(label);
  for (const Box& box : scene.outlines) painter.box(box);
  for (const scene::Arrow& arrow : scene.arrows) painter.arrow(arrow);
  return canvas.take();
}

Expected<std::vector<std::byte>> to_png(const scene::Scene& scene, const scene::Paper& paper, float scale) {
  const auto image = LS_TRY(to_image(scene, paper, scale));
  std::vector<std::byte> bytes;
  const auto append = [](void* context, void* data, int length) {
    auto& out = *static_cast<std::vector<std::byte>*>(context);
    const auto* first = static_cast<const std::byte*>(data);
    out.insert(out.end(), first, first + length);
  };
  if (stbi_write_png_to_func(append, &bytes, image.width, image.height, 4, image.rgba.data(), image.width * 4) == 0)
    return failure("the PNG could not be encoded: not enough memory", "choose a smaller scale");
  return bytes;
}

std::string deflated(std::string text) {
  int length = 0;
  unsigned char* bytes =
      stbi_zlib_compress(reinterpret_cast<unsigned char*>(text.data()), static_cast<int>(text.size()), &length, 8);
  std::string out(reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(length));
  STBIW_FREE(bytes);
  return out;
}

}  // namespace lanescope::paint
