#include "viz/paint/paint.h"

#include <cmath>
#include <cstring>

#include <gtest/gtest.h>

#include "viz/paint/canvas.h"
#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_STATIC
#define STBI_ONLY_PNG
#define STBI_NO_STDIO
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#include <stb/stb_image.h>
#pragma GCC diagnostic pop

namespace lanescope::paint {
namespace {

using scene::Id;

scene::Scene sample() {
  scene::Scene s;
  s.width = 200, s.height = 100;
  s.boxes.push_back({.id = {.kind = Id::Kind::register_cell, .a = 2, .c = 12},
                     .rect = {10, 10, 40, 30},
                     .fill = {0xff0000ff},
                     .stroke = {0x00ff00ff},
                     .radius = 3});
  s.boxes.push_back(
      {.id = {}, .rect = {60, 10, 40, 30}, .fill = {}, .stroke = {0x00ff00ff}, .dashed = true, .hatched = true});
  s.lines.push_back({.id = {}, .from = {0, 50}, .to = {200, 50}, .color = {0x0000ffff}, .width = 2, .dashed = true});
  s.labels.push_back(
      {.id = {}, .at = {100, 60}, .text = "a < b & \"c\" > 'd' \x01", .color = {0xffffffff}, .max_width = 60});
  s.outlines.push_back({.id = {.kind = Id::Kind::register_cell, .a = 2, .c = 12},
                        .rect = {8, 8, 44, 34},
                        .fill = {},
                        .stroke = {0xffffffff}});
  s.arrows.push_back({.id = {.kind = Id::Kind::move_arrow, .a = 7},
                      .from = {20, 90},
                      .to = {180, 80},
                      .color = {0xffffffff},
                      .count = "×16"});
  s.facts.push_back({.id = {.kind = Id::Kind::register_cell, .a = 2, .c = 12}, .text = "x < y"});
  return s;
}

/// A tiny checker: tags nest, attributes are quoted, `<` and `&` occur only where XML allows them, ids are unique.
std::string svg_problem(std::string_view text) {
  std::vector<std::string> open, ids;
  std::size_t at = 0;
  while (at < text.size()) {
    if (text[at] == '&') {
      const std::size_t end = text.find(';', at);
      const std::string_view name = text.substr(at + 1, end - at - 1);
      if (name != "amp" && name != "lt" && name != "gt" && name != "quot") return "entity " + std::string(name);
    }
    if (static_cast<unsigned char>(text[at]) < 0x20 && text[at] != '\n') return "control character";
    if (text[at] != '<') {
      ++at;
      continue;
    }
    std::size_t end = at + 1;
    bool quoted = false;
    while (end < text.size() && (quoted || text[end] != '>')) {
      if (text[end] == '"') quoted = !quoted;
      if (text[end] == '<') return "'<' inside a tag";
      ++end;
    }
    if (end == text.size()) return "unclosed tag";
    const std::string tag(text.substr(at + 1, end - at - 1));
    const std::string name = tag.substr(tag[0] == '/', tag.find_first_of(" /", 1) - (tag[0] == '/'));
    if (const std::size_t id = tag.find(" id=\""); id != tag.npos) {
      const std::string value = tag.substr(id + 5, tag.find('"', id + 5) - id - 5);
      if (value.find_first_of("/ @") != value.npos) return "id " + value;
      if (std::find(ids.begin(), ids.end(), value) != ids.end()) return "id twice: " + value;
      ids.push_back(value);
    }
    if (tag[0] == '/') {
      if (open.empty() || open.back() != name) return "closes " + name;
      open.pop_back();
    } else if (tag.back() != '/') {
      open.push_back(name);
    }
    at = end + 1;
  }
  return open.empty() ? "" : "not closed: " + open.back();
}

TEST(Svg, IsWellFormed) {
  const std::string svg = to_svg(sample(), {});
  EXPECT_EQ(svg_problem(svg), "");
  EXPECT_NE(svg.find("id=\"register_cell.2.0.12.0\""), std::string::npos);
  EXPECT_NE(svg.find("data-id=\"register_cell/2/0/12/0\""), std::string::npos);
  EXPECT_NE(svg.find("<title>x &lt; y</title>"), std::string::npos);
  EXPECT_NE(svg.find("font-family=\"Inter"), std::string::npos);
}

TEST(Svg, CheckerFindsFaults) {
  EXPECT_NE(svg_problem("<a><b></a>"), "");
  EXPECT_NE(svg_problem("<a>x & y</a>"), "");
  EXPECT_NE(svg_problem("<a id=\"x\"/><b id=\"x\"/>"), "");
}

TEST(Png, DecodesToThePicture) {
  const scene::Scene scene = sample();
  const auto png = to_png(scene, {}, 2);
  ASSERT_TRUE(png);
  int width = 0, height = 0, channels = 0;
  unsigned char* pixels = stbi_load_from_memory(reinterpret_cast<const unsigned char*>(png->data()),
                                                static_cast<int>(png->size()), &width, &height, &channels, 4);
  ASSERT_NE(pixels, nullptr);
  EXPECT_EQ(width, 400);
  EXPECT_EQ(height, 200);
  const auto pixel = [&](int x, int y) { return pixels + (y * width + x) * 4; };
  EXPECT_EQ(pixel(60, 50)[0], 255);  // inside the red box
  EXPECT_EQ(pixel(60, 50)[1], 0);
  const auto image = to_image(scene, {}, 2);
  EXPECT_EQ(std::memcmp(image->rgba.data(), pixels, image->rgba.size()), 0);
  stbi_image_free(pixels);
}

TEST(Png, TooLargeIsRefusedWithARemedy) {
  scene::Scene scene;
  scene.width = 100000, scene.height = 10;
  const auto png = to_png(scene, {});
  ASSERT_FALSE(png);
  EXPECT_FALSE(png.error().front().remedy.empty());
  scene.width = 0;
  EXPECT_FALSE(to_png(scene, {}));
}

TEST(Canvas, CoverageOfARectangleIsItsArea) {
  // A white rectangle on black: the sum of grey levels is its area, wherever its edges fall inside pixels.
  for (float offset : {0.0f, 0.25f, 0.5f, 0.75f}) {
    Canvas canvas(40, 40, {0x000000ff});
    canvas.fill({10 + offset, 12 + offset, 11.5f, 7.25f}, 0, {0xffffffff});
    const Image image = canvas.take();
    double sum = 0;
    for (std::size_t n = 0; n < image.rgba.size(); n += 4) sum += image.rgba[n] / 255.0;
    EXPECT_NEAR(sum, 11.5 * 7.25, 1.5) << offset;
  }
}

TEST(Canvas, ATriangleIsFilledFromEitherSide) {
  for (const auto& corners :
       {std::array<Point, 3>{{{5, 5}, {35, 5}, {20, 30}}}, std::array<Point, 3>{{{5, 5}, {20, 30}, {35, 5}}}}) {
    Canvas canvas(40, 40, {0x000000ff});
    canvas.triangle(corners, {0xffffffff});
    const Image image = canvas.take();
    double sum = 0;
    for (std::size_t n = 0; n < image.rgba.size(); n += 4) sum += image.rgba[n] / 255.0;
    EXPECT_NEAR(sum, 375, 8);
  }
}

TEST(Text, WidthsAddUpAndScale) {
  using scene::Face;
  EXPECT_NEAR(text_width(Face::mono, 10, "123456"), 36, 0.01);  // 0.6 em each
  EXPECT_NEAR(text_width(Face::sans, 20, "lane"), 2 * text_width(Face::sans, 10, "lane"), 1e-3);
  EXPECT_EQ(text_width(Face::sans, 10, ""), 0);
}

TEST(Text, FittedNeverOverflowsAndKeepsABeginning) {
  const std::string text = "warp 0 · lane 11 · y1.lo";
  for (float room = 1; room < 200; room += 3.7f) {
    const std::string cut = fitted(scene::Face::sans, 12, text, room);
    EXPECT_LE(text_width(scene::Face::sans, 12, cut), room);
    if (cut != text && !cut.empty()) {
      ASSERT_TRUE(cut.ends_with("…"));
      EXPECT_TRUE(text.starts_with(cut.substr(0, cut.size() - 3)));
    }
  }
  EXPECT_EQ(fitted(scene::Face::sans, 12, text, 0), text);
}

TEST(Shapes, HatchingStaysInside) {
  const Rect r{3.3f, 7.7f, 21, 33};
  for (const Segment& s : hatch_lines(r)) {
    for (Point p : {s.from, s.to}) {
      EXPECT_GE(p.x, r.x - 1e-3);
      EXPECT_LE(p.x, r.x + r.w + 1e-3);
      EXPECT_GE(p.y, r.y - 1e-3);
      EXPECT_LE(p.y, r.y + r.h + 1e-3);
    }
  }
}

TEST(Shapes, ArrowsEndWhereTheyPoint) {
  for (float bend : {-0.3f, 0.0f, 0.3f}) {
    const scene::Arrow arrow{.id = {}, .from = {0, 0}, .to = {50, 80}, .color = {}, .bend = bend};
    const ArrowShape shape = shape_of(arrow);
    EXPECT_EQ(shape.head[0].x, 50);
    EXPECT_EQ(shape.curve[0].x, 0);
    const float out = std::fabs(shape.middle.x * 80 - shape.middle.y * 50) / std::hypot(50.0f, 80.0f);
    EXPECT_NEAR(out, std::fabs(bend) * std::hypot(50.0f, 80.0f), 4);
  }
}

}  // namespace
}  // namespace lanescope::paint
