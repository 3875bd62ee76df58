#include <algorithm>
#include <iterator>
#include <unordered_map>

#include <fmt/format.h>

#include "kernels/base/enum_size.h"
#include "kernels/base/visible.h"
#include "viz/paint/paint.h"
#include "viz/paint/shapes.h"

namespace lanescope::paint {
namespace {

using scene::Box;
using scene::Color;
using scene::Face;
using scene::Id;
using scene::Label;

constexpr std::string_view sans_family = "Inter, 'Helvetica Neue', Arial, sans-serif";
constexpr std::string_view mono_family = "'JetBrains Mono', 'DejaVu Sans Mono', Menlo, Consolas, monospace";

std::string escaped(std::string_view text) {
  std::string out;
  for (const char& c : lanescope::visible(text)) {
    const std::string_view entity = xml_entity(static_cast<unsigned char>(c));
    out += entity.empty() ? std::string_view(&c, 1) : entity;
  }
  return out;
}

// Two decimals, without trailing zeros: half of the file would be ".00".
std::string number(float value) {
  std::string text = fmt::format("{:.2f}", value);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0" : text;
}

bool visible(Color c) { return (c.rgba & 0xff) != 0; }

std::string ink(std::string_view attribute, Color c) {
  if (!visible(c)) return fmt::format(" {}=\"none\"", attribute);
  std::string text = fmt::format(" {}=\"#{:06x}\"", attribute, c.rgba >> 8);
  if ((c.rgba & 0xff) != 0xff)
    text += fmt::format(" {}-opacity=\"{}\"", attribute, number(static_cast<float>(c.rgba & 0xff) / 255));
  return text;
}

class SvgWriter {
 public:
  SvgWriter(const scene::Scene& scene, const scene::Paper& paper) : scene_(scene), paper_(paper) {
    for (const scene::Fact& fact : scene.facts) facts_.emplace(scene::to_string(fact.id), fact.text);
  }

  std::string write() {
    const std::string w = number(scene_.width), h = number(scene_.height);
    out_ = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\">\n", w, h);
    put("<defs><pattern id=\"hatch\" width=\"5\" height=\"5\" patternUnits=\"userSpaceOnUse\" "
        "patternTransform=\"rotate(45)\">"
        "<line x1=\"0\" y1=\"0\" x2=\"0\" y2=\"5\"{} stroke-width=\"1.5\"/></pattern></defs>\n",
        ink("stroke", paper_.hatch));
    put("<rect width=\"{}\" height=\"{}\"{}/>\n", w, h, ink("fill", paper_.background));
    group("boxes", scene_.boxes, [&](const Box& box) { this->box(box, true); });
    group("lines", scene_.lines, [&](const scene::Line& line) { this->line(line); });
    group("labels", scene_.labels, [&](const Label& label) { this->label(label); });
    group("outlines", scene_.outlines, [&](const Box& box) { this->box(box, false); });
    group("arrows", scene_.arrows, [&](const scene::Arrow& arrow) { this->arrow(arrow); });
    out_ += "</svg>\n";
    return std::move(out_);
  }

 private:
  template <class... Args>
  void put(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<Args>(args)...);
  }

  template <class T, class Each>
  void group(std::string_view name, const std::vector<T>& all, Each each) {
    if (all.empty()) return;
    put("<g id=\"layer-{}\">\n", name);
    for (const T& one : all) each(one);
    out_ += "</g>\n";
  }

  // Ids of scenes use '/', which XML names do not allow.
  std::string id_attributes(const Id& id) {
    const std::string text = scene::to_string(id);
    std::string name = text;
    std::replace(name.begin(), name.end(), '/', '.');
    std::replace(name.begin(), name.end(), '@', '_');
    return fmt::format(" id=\"{}\" data-id=\"{}\"", name, text);
  }

  void box(const Box& b, bool named) {
    const bool has_id = named && b.id.kind != Id::Kind::none;
    if (!visible(b.fill) && !visible(b.stroke) && !b.hatched && !has_id) return;
    std::string shape = fmt::format("x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"", number(b.rect.x), number(b.rect.y),
                                    number(b.rect.w), number(b.rect.h));
    if (b.radius > 0) shape += fmt::format(" rx=\"{}\"", number(std::min({b.radius, b.rect.w / 2, b.rect.h / 2})));
    std::string style = ink("fill", b.fill);
    if (visible(b.stroke))
      style += ink("stroke", b.stroke) + fmt::format(" stroke-width=\"{}\"", number(b.stroke_width));
    if (b.dashed) style += " stroke-dasharray=\"3 2.5\"";
    if (has_id) {
      const auto fact = facts_.find(scene::to_string(b.id));
      // A rectangle without ink still answers to the pointer, for its tooltip.
      const std::string pointer = visible(b.fill) ? "" : " pointer-events=\"all\"";
      put("<rect{} {}{}{}><title>{}</title></rect>\n", id_attributes(b.id), shape, style, pointer,
          escaped(fact == facts_.end() ? scene::to_string(b.id) : fact->second));
    } else {
      put("<rect {}{}/>\n", shape, style);
    }
    if (b.hatched) put("<rect {} fill=\"url(#hatch)\" pointer-events=\"none\"/>\n", shape);
  }

  void line(const scene::Line& l) {
    put("<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\"{} stroke-width=\"{}\"{}/>\n", number(l.from.x), number(l.from.y),
        number(l.to.x), number(l.to.y), ink("stroke", l.color), number(l.width),
        l.dashed ? fmt::format(" stroke-dasharray=\"{} {}\"", dash_length, dash_gap) : "");
  }

  void text(Point at, std::string_view words, Color color, Face face, float size, scene::Align align,
            std::string_view title) {
    static constexpr std::string_view anchors[] = {"start", "middle", "end"};
    const bool mono = face == Face::mono || face == Face::mono_bold,
               bold = face == Face::sans_bold || face == Face::mono_bold;
    put("<text x=\"{}\" y=\"{}\" font-family=\"{}\" font-size=\"{}\"{}{}{} xml:space=\"preserve\" "
        "pointer-events=\"none\">{}{}</text>\n",
        number(at.x), number(at.y + baseline_em * size), mono ? mono_family : sans_family, number(size),
        bold ? " font-weight=\"700\"" : "", ink("fill", color),
        align == scene::Align::left ? "" : fmt::format(" text-anchor=\"{}\"", entry_for(anchors, align)),
        title.empty() ? "" : fmt::format("<title>{}</title>", escaped(title)), escaped(words));
  }

  void label(const Label& l) {
    const std::string words = fitted(l.face, l.size, l.text, l.max_width);
    text(l.at, words, l.color, l.face, l.size, l.align,
         words == l.text ? std::string_view{} : std::string_view(l.text));
  }

  void arrow(const scene::Arrow& a) {
    const ArrowShape shape = shape_of(a);
    const auto& c = shape.curve;
    put("<g{}><path d=\"M{} {}C{} {} {} {} {} {}\" fill=\"none\"{} stroke-width=\"{}\"/>", id_attributes(a.id),
        number(c[0].x), number(c[0].y), number(c[1].x), number(c[1].y), number(c[2].x), number(c[2].y), number(c[3].x),
        number(c[3].y), ink("stroke", a.color), number(a.width));
    put("<path d=\"M{} {}L{} {}L{} {}Z\"{}/>", number(shape.head[0].x), number(shape.head[0].y),
        number(shape.head[1].x), number(shape.head[1].y), number(shape.head[2].x), number(shape.head[2].y),
        ink("fill", a.color));
    if (!a.count.empty()) {
      const Rect pill = count_pill(shape.middle, text_width(Face::mono_bold, count_size_px, a.count));
      put("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"7.5\"{}{} stroke-width=\"1\"/>\n", number(pill.x),
          number(pill.y), number(pill.w), number(pill.h), ink("fill", paper_.count_fill), ink("stroke", a.color));
      text(shape.middle, a.count, paper_.count_text, Face::mono_bold, count_size_px, scene::Align::center, {});
    }
    out_ += "</g>\n";
  }

  const scene::Scene& scene_;
  const scene::Paper& paper_;
  std::unordered_map<std::string, std::string> facts_;
  std::string out_;
};

}  // namespace

std::string to_svg(const scene::Scene& scene, const scene::Paper& paper) { return SvgWriter(scene, paper).write(); }

}  // namespace lanescope::paint
