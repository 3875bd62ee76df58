#include "viz/paint/imgui/imgui_painter.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "viz/paint/fonts.h"
#include "viz/paint/shapes.h"

namespace lanescope::paint {
namespace {

using scene::Box;
using scene::Color;
using scene::Face;

bool visible(Color c) { return (c.rgba & 0xff) != 0; }
ImU32 ink(Color c) { return IM_COL32(c.rgba >> 24, (c.rgba >> 16) & 255, (c.rgba >> 8) & 255, c.rgba & 255); }
ImVec2 vec(Point p) { return {p.x, p.y}; }

const char* next(const char* at, const char* end, unsigned& code) {
  const auto first = static_cast<unsigned char>(*at);
  if (first < 0x80) {
    code = first;
    return at + 1;
  }
  const int more = first >> 5 == 6 ? 1 : first >> 4 == 14 ? 2 : first >> 3 == 30 ? 3 : 0;
  if (more == 0 || end - at <= more) {
    code = 0xfffd;
    return at + 1;
  }
  code = first & (0x3fu >> more);
  for (int n = 1; n <= more; ++n) code = code << 6 | (static_cast<unsigned char>(at[n]) & 0x3fu);
  return at + more + 1;
}

/// Advances in em as the font file has them. ImGui rounds them up to whole pixels, by a fifth at the sizes of cell labels;
/// with the file's own, text is as wide on screen as in SVG and PNG.
class Advances {
 public:
  explicit Advances(Face face) : face_(face), line_em_(Fonts::of_thread().line_em(face)) {
    for (unsigned code = 0; code < ascii_.size(); ++code) ascii_[code] = Fonts::of_thread().advance_em(face, code);
  }
  static const Advances& of(Face face) {
    thread_local const std::array<Advances, 4> all{Advances(Face::sans), Advances(Face::sans_bold),
                                                   Advances(Face::mono), Advances(Face::mono_bold)};
    return all[static_cast<int>(face)];
  }
  float em(unsigned code) const {
    return code < ascii_.size() ? ascii_[code] : Fonts::of_thread().advance_em(face_, code);
  }
  float em(const char* at, const char* end) const {
    float width = 0;
    while (at < end) {
      unsigned code = 0;
      at = next(at, end, code);
      width += em(code);
    }
    return width;
  }
  float line_em() const { return line_em_; }

 private:
  Face face_;
  float line_em_;
  std::array<float, 128> ascii_{};
};

class ListPainter {
 public:
  ListPainter(ImDrawList& list, const scene::Paper& paper, const ImguiFonts& fonts, const ImguiView& view)
      : list_(list), paper_(paper), fonts_(fonts), view_(view) {
    const ImVec2 low = list.GetClipRectMin(), high = list.GetClipRectMax();
    clip_ = {low.x, low.y, high.x - low.x, high.y - low.y};
  }

  void box(const Box& b) {
    const Rect r = screen(b.rect);
    const float margin = b.stroke_width * weight();
    if (outside(r, margin)) return;
    const ImVec2 low{r.x, r.y}, high{r.x + r.w, r.y + r.h};
    const float radius = round(b.radius * view_.zoom, r);
    if (visible(b.fill)) list_.AddRectFilled(low, high, ink(b.fill), radius);
    if (b.hatched)
      for (const Segment& s : hatch_lines(b.rect)) segment(s, 1, paper_.hatch);
    if (!visible(b.stroke)) return;
    if (b.dashed) {
      for (const Segment& s : dashed_border(b.rect)) segment(s, b.stroke_width, b.stroke);
    } else {
      // ImGui strokes the inside of a half-pixel inset; scenes centre strokes on the edge.
      list_.AddRect({low.x - 0.5f, low.y - 0.5f}, {high.x + 0.5f, high.y + 0.5f}, ink(b.stroke), radius, 0,
                    thickness(b.stroke_width));
    }
  }

  void line(const scene::Line& l) {
    const Rect bounds = screen(Rect{std::min(l.from.x, l.to.x), std::min(l.from.y, l.to.y),
                                    std::fabs(l.to.x - l.from.x), std::fabs(l.to.y - l.from.y)});
    if (outside(bounds, l.width + 1)) return;
    if (!l.dashed) return segment({l.from, l.to}, l.width, l.color);
    for (const Segment& s : dashes(l.from, l.to)) segment(s, l.width, l.color);
  }

  void label(const scene::Label& l) {
    const float size = l.size * view_.zoom;
    if (view_.zoom < l.min_scale || size < view_.smallest_label_px) return;
    const Point at = view_.to_screen(l.at);
    // Vertical culling needs no measuring, and most hidden labels are above or below.
    if (at.y + size < clip_.y || at.y - size > clip_.y + clip_.h) return;
    if (l.align == scene::Align::left && at.x > clip_.x + clip_.w) return;
    if (l.align == scene::Align::right && at.x < clip_.x) return;
    words(at, l.text, l.color, l.face, size, l.align, l.max_width * view_.zoom);
  }

  void arrow(const scene::Arrow& a) {
    const ArrowShape shape = shape_of(a);
    float x0 = 1e9f, y0 = 1e9f, x1 = -1e9f, y1 = -1e9f;
    for (Point p : shape.curve)
      x0 = std::min(x0, p.x), x1 = std::max(x1, p.x), y0 = std::min(y0, p.y), y1 = std::max(y1, p.y);
    if (outside(screen(Rect{x0, y0, x1 - x0, y1 - y0}), 40)) return;
    const auto& c = shape.curve;
    list_.AddBezierCubic(at(c[0]), at(c[1]), at(c[2]), at(c[3]), ink(a.color), thickness(a.width));
    list_.AddTriangleFilled(at(shape.head[0]), at(shape.head[1]), at(shape.head[2]), ink(a.color));
    if (a.count.empty()) return;
    // The count stays readable when the view is small.
    const float size = std::max(count_size_px * view_.zoom, 9.0f);
    const float text = Advances::of(Face::mono_bold).em(a.count.data(), a.count.data() + a.count.size()) * size;
    const Point middle = view_.to_screen(shape.middle);
    const float grow = size / count_size_px;
    const Rect pill = count_pill({0, 0}, text / grow);
    const ImVec2 low{middle.x + pill.x * grow, middle.y + pill.y * grow};
    const ImVec2 high{low.x + pill.w * grow, low.y + pill.h * grow};
    list_.AddRectFilled(low, high, ink(paper_.count_fill), pill.h * grow / 2);
    list_.AddRect(low, high, ink(a.color), pill.h * grow / 2);
    words(middle, a.count, paper_.count_text, Face::mono_bold, size, scene::Align::center, 0);
  }

 private:
  ImVec2 at(Point p) const { return vec(view_.to_screen(p)); }
  Rect screen(const Rect& r) const {
    const Point p = view_.to_screen({r.x, r.y});
    return {p.x, p.y, r.w * view_.zoom, r.h * view_.zoom};
  }
  bool outside(const Rect& r, float margin) const {
    return r.x - margin > clip_.x + clip_.w || r.x + r.w + margin < clip_.x || r.y - margin > clip_.y + clip_.h ||
           r.y + r.h + margin < clip_.y;
  }
  float weight() const { return view_.line_weight * view_.zoom; }
  /// Lines get thinner with the zoom only down to a hairline.
  float thickness(float width) const { return std::max(width * weight(), 1.0f); }
  /// Corners of about a pixel are not worth ImGui's arc.
  static float round(float radius, const Rect& r) {
    const float fits = std::min({radius, r.w / 2, r.h / 2});
    return fits < 1 ? 0 : fits;
  }
  void segment(const Segment& s, float width, Color color) {
    list_.AddLine(at(s.from), at(s.to), ink(color), thickness(width));
  }

  void words(Point where, const std::string& text, Color color, Face face, float size, scene::Align align,
             float max_width) {
    const Advances& advances = Advances::of(face);
    const char *begin = text.data(), *end = begin + text.size();
    float width = advances.em(begin, end) * size;
    bool cut = false;
    if (max_width > 0 && width > max_width + 0.5f) {
      if (view_.cut != nullptr) view_.cut->push_back(text);
      const float room = max_width - advances.em(0x2026) * size;
      if (room < 0) return;
      float kept = 0;
      const char* stop = begin;
      while (stop < end) {
        unsigned code = 0;
        const char* after = next(stop, end, code);
        if (kept + advances.em(code) * size > room) break;
        kept += advances.em(code) * size, stop = after;
      }
      cut = true, end = stop, width = kept + max_width - room;
    }
    float pen = where.x;
    if (align == scene::Align::center) pen -= width / 2;
    if (align == scene::Align::right) pen -= width;
    if (pen > clip_.x + clip_.w || pen + width < clip_.x) return;
    const float line_px = size * advances.line_em();
    const ImFont* font = fonts_.nearest(face, line_px);
    if (font == nullptr) return;
    const float scale = line_px / font->FontSize;
    // The baseline falls on a whole pixel: glyph rows stay sharp.
    const float top = std::round(where.y + baseline_em * size) - font->Ascent * scale;
    const ImU32 tint = ink(color);
    const int reserved = static_cast<int>(end - begin) + 1;
    list_.PrimReserve(reserved * 6, reserved * 4);
    int drawn = 0;
    while (begin < end) {
      unsigned code = 0;
      begin = next(begin, end, code);
      drawn += glyph(*font, code, pen, top, scale, tint);
      pen += advances.em(code) * size;
    }
    if (cut) drawn += glyph(*font, 0x2026, pen, top, scale, tint);
    list_.PrimUnreserve((reserved - drawn) * 6, (reserved - drawn) * 4);
  }

  /// Number of quads drawn: 1, or 0 for a blank. Each starts on a whole pixel, which keeps stems sharp.
  int glyph(const ImFont& font, unsigned code, float pen, float top, float scale, ImU32 tint) {
    const ImFontGlyph* g = font.FindGlyph(static_cast<ImWchar>(code));
    if (g == nullptr || !g->Visible) return 0;
    const float x = std::round(pen + g->X0 * scale), y = top + g->Y0 * scale;
    list_.PrimRectUV({x, y}, {x + (g->X1 - g->X0) * scale, y + (g->Y1 - g->Y0) * scale}, {g->U0, g->V0}, {g->U1, g->V1},
                     tint);
    return 1;
  }

  ImDrawList& list_;
  const scene::Paper& paper_;
  const ImguiFonts& fonts_;
  const ImguiView& view_;
  Rect clip_;
};

}  // namespace

ImFont* ImguiFonts::nearest(Face face, float line_px) const {
  ImFont* best = nullptr;
  float best_cost = 0;
  for (ImFont* font : faces[static_cast<int>(face)]) {
    if (font == nullptr) continue;
    const float difference = font->FontSize - line_px;
    const float cost = difference >= 0 ? difference : -3 * difference;  // shrinking looks better than stretching
    if (best == nullptr || cost < best_cost) best = font, best_cost = cost;
  }
  return best != nullptr ? best : ImGui::GetCurrentContext() != nullptr ? ImGui::GetFont() : nullptr;
}

std::span<const unsigned short> scene_glyph_ranges() {
  static constexpr unsigned short ranges[] = {0x0020, 0x00ff, 0x2013, 0x2014, 0x2018, 0x201d, 0x2026, 0x2026,
                                              0x2190, 0x2195, 0x2248, 0x2248, 0x2260, 0x2265, 0};
  return ranges;
}

void paint(ImDrawList& list, const scene::Scene& scene, const scene::Paper& paper, const ImguiFonts& fonts,
           const ImguiView& view) {
  ListPainter painter(list, paper, fonts, view);
  for (const Box& box : scene.boxes) painter.box(box);
  for (const scene::Line& line : scene.lines) painter.line(line);
  for (const scene::Label& label : scene.labels) painter.label(label);
  for (const Box& box : scene.outlines) painter.box(box);
  for (const scene::Arrow& arrow : scene.arrows) painter.arrow(arrow);
}

}  // namespace lanescope::paint
