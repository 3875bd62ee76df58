#pragma once
// Small helpers shared by the views: faces, sizes and the few shapes that several of them draw.

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "viz/scene/scene.h"
#include "viz/views/base/theme.h"

namespace lanescope::views {

using scene::Align;
using scene::Box;
using scene::Face;
using scene::Id;
using scene::Label;
using scene::Point;
using scene::Rect;
using scene::Scene;

/// JetBrains Mono: every glyph is 600/1000 em wide.
inline constexpr float mono_advance = 0.6f;
/// Width of words in Inter, close enough to place things beside them without a font at hand.
inline float sans_width(std::string_view text, float size_px) {
  float em = 0;
  for (char c : text) {
    if ((static_cast<unsigned char>(c) & 0xc0) == 0x80) continue;  // of a sign that has been counted
    constexpr std::string_view narrow = "ijlft.,:;'|!() ", wide = "mwMW%";
    em += narrow.find(c) != narrow.npos ? 0.30f : c == 'r' ? 0.38f : wide.find(c) != wide.npos ? 0.84f : 0.59f;
  }
  return em * size_px;
}
/// The smallest type that anyone can read, pixels.
inline constexpr float smallest_type = 6.5f;

namespace type_px {
inline constexpr float title = 13, body = 12, note = 11.5f, code = 11, small = 10.5f, tiny = 9.5f, micro = 8.5f;
}

inline Rect inset(Rect r, float by) { return {r.x + by, r.y + by, r.w - 2 * by, r.h - 2 * by}; }
inline Point center(Rect r) { return {r.x + r.w / 2, r.y + r.h / 2}; }

/// Number of code points, which is the number of columns for the text that views write.
inline int columns(std::string_view text) {
  int n = 0;
  for (unsigned char c : text) n += (c & 0xc0) != 0x80;
  return n;
}

/// The text, or its beginning and an ellipsis in `most` columns.
inline std::string cut(std::string_view text, int most) {
  if (columns(text) <= most) return std::string(text);
  std::size_t end = 0;
  for (int n = 0; end < text.size(); ++end)
    if ((static_cast<unsigned char>(text[end]) & 0xc0) != 0x80 && ++n > most - 1) break;
  return std::string(text.substr(0, end)) + "…";
}

inline void add_text(Scene& scene, Point at, std::string text, Color color, float size = type_px::note,
                     Face face = Face::sans, Align align = Align::left, Id id = {}, float max_width = 0,
                     float min_scale = 0) {
  scene.labels.push_back({id, at, std::move(text), color, face, size, align, max_width, min_scale});
}
inline void add_box(Scene& scene, Rect rect, Color fill, Id id = {}, float radius = 0, Color stroke = {},
                    float stroke_width = 1) {
  scene.boxes.push_back({id, rect, fill, stroke, stroke_width, radius});
}
inline void add_line(Scene& scene, Point from, Point to, Color color, float width = 1, Id id = {},
                     bool dashed = false) {
  scene.lines.push_back({id, from, to, color, width, dashed});
}

/// Words in as many lines as `room` needs, broken before a " · " where that is possible, else between words. Nothing is
/// cut.
inline std::vector<std::string> broken(std::string_view text, float size, float room) {
  std::vector<std::string> lines(1);
  const auto fits = [&](const std::string& line) { return sans_width(line, size) <= room; };
  const auto add = [&](std::string_view piece, std::string_view between) {
    const std::string longer =
        lines.back().empty() ? std::string(piece) : lines.back() + std::string(between) + std::string(piece);
    if (lines.back().empty() || fits(longer))
      lines.back() = longer;
    else
      lines.emplace_back(piece);
  };
  constexpr std::string_view point = " · ";
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(point), text.size());
    std::string_view part = text.substr(0, end);
    text.remove_prefix(std::min(end + point.size(), text.size()));
    if (fits(std::string(part))) {
      add(part, point);
      continue;
    }
    for (bool first = true; !part.empty(); first = false) {
      const std::size_t word = std::min(part.find(' '), part.size());
      add(part.substr(0, word), first ? point : std::string_view(" "));
      part.remove_prefix(std::min(word + 1, part.size()));
    }
  }
  return lines;
}
/// Draws such lines, `pitch` apart, the first around `at`; beyond `most_lines` the last one is cut by the painter.
/// Returns how much lower than `at` the last one is.
inline float add_broken(Scene& scene, Point at, std::string_view text, Color color, float size, float room, float pitch,
                        Id id = {}, Face face = Face::sans, std::size_t most_lines = 100) {
  float y = at.y;
  std::vector<std::string> lines = broken(text, size, room);
  while (lines.size() > most_lines) {
    lines[lines.size() - 2] += " " + lines.back();
    lines.pop_back();
  }
  for (std::string& line : lines) {
    add_text(scene, {at.x, y}, std::move(line), color, size, face, Align::left, id, room + size);
    y += pitch;
  }
  return y - pitch - at.y;
}

/// Monospaced text around `at` that fits into `width` less `padding`, `most_px` high at most. Painters leave it out
/// where it would be too small to read.
inline void add_fitted(Scene& scene, Id id, Point at, std::string text, Color color, float most_px, float width,
                       float padding = 1, Face face = Face::mono) {
  const float fits = (width - padding) / (mono_advance * static_cast<float>(columns(text)));
  const float size = std::min(most_px, fits);
  add_text(scene, at, std::move(text), color, size, face, Align::center, id, width, smallest_type / size);
}

/// The outline of a selected thing: visible on any fill because a second ring of the opposite lightness surrounds it.
inline void add_selection(Scene& scene, Id id, Rect r, const Theme& theme, float radius = 2) {
  scene.outlines.push_back({.id = id,
                            .rect = inset(r, -2.5f),
                            .stroke = theme.selected_ring,
                            .stroke_width = 1.5f,
                            .radius = radius + 2.5f});
  scene.outlines.push_back(
      {.id = id, .rect = inset(r, -1), .stroke = theme.selected, .stroke_width = 2, .radius = radius + 1});
}

/// A flag at the upper right corner of a followed element.
inline void add_pin(Scene& scene, Id id, Rect r, const Theme& theme) {
  const float size = std::clamp(std::min(r.w, r.h) * 0.45f, 4.0f, 8.0f);
  scene.outlines.push_back({.id = id,
                            .rect = {r.x + r.w - size + 1.5f, r.y - 1.5f, size, size},
                            .fill = theme.selected,
                            .stroke = theme.selected_ring,
                            .stroke_width = 1,
                            .radius = 1});
}

/// Circle, square or ring: the shape that goes with a verdict's colour.
inline void add_verdict_sign(Scene& scene, Id id, Point at, float extent, claims::Verdict verdict, const Theme& theme) {
  const Rect r{at.x - extent / 2, at.y - extent / 2, extent, extent};
  const Color color = theme.verdict(verdict);
  switch (verdict) {
    case claims::Verdict::holds:
      scene.boxes.push_back({.id = id, .rect = r, .fill = color, .radius = extent / 2});
      break;
    case claims::Verdict::differs:
      scene.boxes.push_back({.id = id, .rect = r, .fill = color, .radius = 1});
      break;
    case claims::Verdict::unchecked:
      scene.boxes.push_back({.id = id,
                             .rect = inset(r, 0.75f),
                             .fill = theme.panel,
                             .stroke = color,
                             .stroke_width = 1.5f,
                             .radius = extent / 2});
      break;
  }
}

/// Words in the middle of an empty view: the missing data and the next action.
inline Scene empty_view(float width, float height, std::string sentence, const Theme& theme) {
  Scene scene{.width = width, .height = height};
  // Wide letters may pass the estimate of broken(): a little less room than there is.
  std::vector<std::string> lines = broken(sentence, type_px::body, (width - 24) * 0.94f);
  constexpr float pitch = 18;
  scene.height = std::max(height, static_cast<float>(lines.size()) * pitch + 24);
  float y = scene.height / 2 - pitch * static_cast<float>(lines.size() - 1) / 2;
  for (std::string& line : lines) {
    add_text(scene, {width / 2, y}, std::move(line), theme.text_dim, type_px::body, Face::sans, Align::center,
             {.kind = Id::Kind::remark}, width - 12);
    y += pitch;
  }
  return scene;
}

}  // namespace lanescope::views
