#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "kernels/base/enum_size.h"
#include "kernels/base/json_fields.h"
#include "viz/scene/scene.h"

namespace lanescope::scene {
namespace {

using Json = nlohmann::ordered_json;

// Coordinates to a hundredth of a pixel: more is noise in a text that tests compare.
double rounded(float value) { return std::round(static_cast<double>(value) * 100) / 100; }

Json point(Point p) { return Json::array({rounded(p.x), rounded(p.y)}); }
Json rect(const Rect& r) { return Json::array({rounded(r.x), rounded(r.y), rounded(r.w), rounded(r.h)}); }
std::string color(Color c) { return fmt::format("#{:08x}", c.rgba); }

Json with_id(const Id& id) {
  Json out = Json::object();
  if (id.kind != Id::Kind::none) out["id"] = to_string(id);
  return out;
}

Json boxes(const std::vector<Box>& all) {
  Json out = Json::array();
  for (const Box& b : all) {
    Json one = with_id(b.id);
    one["rect"] = rect(b.rect);
    if (b.fill.rgba & 0xff) one["fill"] = color(b.fill);
    if (b.stroke.rgba & 0xff) one["stroke"] = color(b.stroke), one["stroke_width"] = rounded(b.stroke_width);
    if (b.radius > 0) one["radius"] = rounded(b.radius);
    put_known(one, "dashed", b.dashed, "hatched", b.hatched);
    out.push_back(std::move(one));
  }
  return out;
}

Json label(const Label& l) {
  static constexpr const char* faces[] = {"sans", "sans_bold", "mono", "mono_bold"};
  static constexpr const char* aligns[] = {"left", "center", "right"};
  Json one = with_id(l.id);
  put_fields(one, "at", point(l.at), "text", l.text, "color", color(l.color), "face", entry_for(faces, l.face), "align",
             entry_for(aligns, l.align), "font_px", rounded(l.size));
  if (l.max_width > 0) one["max_width"] = rounded(l.max_width);
  if (l.min_scale > 0) one["min_scale"] = rounded(l.min_scale);
  return one;
}

Json line(const Line& l) {
  Json one = with_id(l.id);
  put_fields(one, "from", point(l.from), "to", point(l.to), "color", color(l.color), "width", rounded(l.width));
  put_known(one, "dashed", l.dashed);
  return one;
}

Json arrow(const Arrow& a) {
  Json one = with_id(a.id);
  put_fields(one, "from", point(a.from), "to", point(a.to), "color", color(a.color));
  put_known(one, "count", a.count);
  return one;
}

template <class T, class Convert>
Json each(const std::vector<T>& all, Convert convert) {
  Json out = Json::array();
  for (const T& one : all) out.push_back(convert(one));
  return out;
}

}  // namespace

std::string to_json(const Scene& scene) {
  const auto fact = [](const Fact& f) { return fields<Json>("id", to_string(f.id), "text", f.text); };
  Json out = fields<Json>("width", rounded(scene.width), "height", rounded(scene.height));
  put_known(out, "groups", scene.groups);
  put_fields(out, "boxes", boxes(scene.boxes), "lines", each(scene.lines, line), "labels", each(scene.labels, label),
             "outlines", boxes(scene.outlines), "arrows", each(scene.arrows, arrow));
  put_known(out, "facts", each(scene.facts, fact));
  // Text of a user's file may hold broken UTF-8; it must not make the whole dump fail.
  return out.dump(1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace lanescope::scene
