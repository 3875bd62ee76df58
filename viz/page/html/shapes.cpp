#include "viz/page/html/shapes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "kernels/base/enum_size.h"
#include "kernels/base/visible.h"
#include "viz/paint/fonts.h"
#include "viz/paint/paint.h"
#include "viz/paint/shapes.h"

namespace lanescope::page {

static_assert(look_count == enum_size<Look>);

namespace {

using scene::Box;
using scene::Color;
using scene::Face;
using scene::Label;

bool visible(Color c) { return (c.rgba & 0xff) != 0; }

std::string hex(Color c) {
  return (c.rgba & 0xff) == 0xff ? fmt::format("#{:06x}", c.rgba >> 8) : fmt::format("#{:08x}", c.rgba);
}

std::string without_zeros(std::string list) {
  while (list.ends_with(",0")) list.erase(list.size() - 2);
  return "[" + list + "]";
}

std::string point(scene::Point p) { return number(p.x) + " " + number(p.y); }

}  // namespace

/// One picture: its shapes in both looks, side by side. If a view drew other shapes in the dark look, the light ones
/// stand in both.
class Shapes::Writer {
 public:
  Writer(Shapes& all, const Picture& picture, const std::array<scene::Paper, look_count>& papers)
      : all_(all), light_(picture.scene(Look::light)), dark_(dark_of(picture)), papers_(papers) {
    for (const Mark& mark : picture.marks) marks_.emplace(scene::to_string(mark.id), &mark);
  }

  List write() {
    for (std::size_t n = 0; n < light_.boxes.size(); ++n) box(light_.boxes[n], dark_.boxes[n], true);
    for (std::size_t n = 0; n < light_.lines.size(); ++n) line(light_.lines[n], dark_.lines[n]);
    for (std::size_t n = 0; n < light_.labels.size(); ++n) label(light_.labels[n], dark_.labels[n]);
    for (std::size_t n = 0; n < light_.outlines.size(); ++n) box(light_.outlines[n], dark_.outlines[n], false);
    for (std::size_t n = 0; n < light_.arrows.size(); ++n) arrow(light_.arrows[n], dark_.arrows[n]);
    return std::move(list_);
  }

 private:
  static const scene::Scene& dark_of(const Picture& picture) {
    const scene::Scene &light = picture.scene(Look::light), &dark = picture.scene(Look::dark);
    const bool alike = light.boxes.size() == dark.boxes.size() && light.lines.size() == dark.lines.size() &&
                       light.labels.size() == dark.labels.size() && light.outlines.size() == dark.outlines.size() &&
                       light.arrows.size() == dark.arrows.size();
    return alike ? dark : light;
  }

  void add(std::string shape, const std::string& markup) {
    const std::uint32_t n = number_of(all_.shape_numbers_, all_.shapes_, std::move(shape));
    if (n == all_.markups_.size()) all_.markups_.push_back(markup);
    list_.push_back(n);
  }

  std::string ink(std::string_view property, Color light, Color dark) {
    return fmt::format("{}:{};", property, all_.color({light, dark}));
  }

  void box(const Box& l, const Box& d, bool named) {
    const bool has_id = named && l.id.kind != scene::Id::Kind::none;
    const bool stroked = visible(l.stroke) || visible(d.stroke);
    if (!visible(l.fill) && !visible(d.fill) && !stroked && !l.hatched && !has_id) return;
    std::string rule = ink("fill", l.fill, d.fill);
    if (stroked) rule += ink("stroke", l.stroke, d.stroke) + fmt::format("stroke-width:{};", number(l.stroke_width));
    if (l.dashed) rule += "stroke-dasharray:3 2.5;";
    if (!has_id) rule += "pointer-events:none;";
    const std::uint32_t style = all_.style(std::move(rule));
    const std::string id = has_id ? scene::to_string(l.id) : std::string();
    const auto found = marks_.find(id);
    const Mark* mark = has_id && found != marks_.end() ? found->second : nullptr;
    const float radius = l.radius > 0 ? std::min({l.radius, l.rect.w / 2, l.rect.h / 2}) : 0;
    const std::uint32_t place =
        number_of(all_.place_numbers_, all_.places_,
                  without_zeros(fmt::format("{},{},{},{},{},{},{}", number(l.rect.x), number(l.rect.y),
                                            number(l.rect.w), number(l.rect.h), number(radius), all_.text(id),
                                            mark != nullptr ? all_.text(mark->place) : 0)));
    const std::uint32_t elements = mark != nullptr ? all_.text(mark->elements) : 0;
    std::string shape = fmt::format("0,{},{},{},{},{},{}", place, style, l.hatched ? 1 : 0, elements,
                                    mark != nullptr ? all_.text(mark->words) : 0, mark != nullptr ? mark->line : 0);
    std::string rect = fmt::format("x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"", number(l.rect.x), number(l.rect.y),
                                   number(l.rect.w), number(l.rect.h));
    if (radius > 0) rect += fmt::format(" rx=\"{}\"", number(radius));
    std::string markup = fmt::format("<rect class=\"a{}\" {}", style, rect);
    if (has_id) markup += fmt::format(" data-id=\"{}\"", id);
    if (elements != 0) markup += fmt::format(" data-e=\"{}\"", escaped(mark->elements));
    if (mark != nullptr && mark->line > 0) markup += fmt::format(" data-l=\"{}\"", mark->line);
    markup += "></rect>";
    if (l.hatched) markup += fmt::format("<rect class=\"hatched\" {}></rect>", rect);
    add(without_zeros(std::move(shape)), markup);
  }

  void line(const scene::Line& l, const scene::Line& d) {
    std::string rule = ink("stroke", l.color, d.color) + fmt::format("stroke-width:{};", number(l.width));
    if (l.dashed) rule += fmt::format("stroke-dasharray:{} {};", paint::dash_length, paint::dash_gap);
    const std::uint32_t style = all_.style(std::move(rule));
    const std::string x1 = number(l.from.x), y1 = number(l.from.y), x2 = number(l.to.x), y2 = number(l.to.y);
    add(fmt::format("[2,{},{},{},{},{}]", style, x1, y1, x2, y2),
        fmt::format("<line class=\"a{}\" x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\"></line>", style, x1, y1, x2, y2));
  }

  void words(scene::Point at, const std::string& shown, const std::string& whole, Color light, Color dark, Face face,
             float size, scene::Align align) {
    if (shown.empty()) return;
    static constexpr std::string_view anchors[] = {"", "text-anchor:middle;", "text-anchor:end;"};
    const bool mono = face == Face::mono || face == Face::mono_bold;
    const bool bold = face == Face::sans_bold || face == Face::mono_bold;
    const std::uint32_t style =
        all_.style(ink("fill", light, dark) + fmt::format("font:{} calc({}px*var(--{}-fit)) var(--{});{}",
                                                          bold ? 700 : 400, number(size), mono ? "mono" : "sans",
                                                          mono ? "mono" : "sans", entry_for(anchors, align)));
    const std::string x = number(at.x), y = number(at.y + paint::baseline_em * size);
    std::string shape = fmt::format("[1,{},{},{},{}", style, x, y, all_.text(shown));
    std::string markup =
        fmt::format("<text class=\"a{}{}\" x=\"{}\" y=\"{}\">", style, whole.empty() ? "" : " cut", x, y);
    if (!whole.empty()) {
      shape += fmt::format(",{}", all_.text(whole));
      markup += fmt::format("<title>{}</title>", escaped(whole));
    }
    add(shape + "]", markup + escaped(shown) + "</text>");
  }

  void label(const Label& l, const Label& d) {
    const std::string shown = paint::fitted(l.face, l.size, l.text, l.max_width);
    words(l.at, shown, shown == l.text ? std::string() : l.text, l.color, d.color, l.face, l.size, l.align);
  }

  void path(std::string rule, const std::string& curve, const std::string& id) {
    const std::uint32_t style = all_.style(std::move(rule));
    add(without_zeros(fmt::format("3,{},{},{}", style, json_text(curve), all_.text(id))),
        fmt::format("<path class=\"a{}\" d=\"{}\"{}></path>", style, curve,
                    id.empty() ? "" : fmt::format(" data-id=\"{}\"", id)));
  }

  void arrow(const scene::Arrow& l, const scene::Arrow& d) {
    const paint::ArrowShape shape = paint::shape_of(l);
    const auto& c = shape.curve;
    const std::string id = l.id.kind == scene::Id::Kind::none ? std::string() : scene::to_string(l.id);
    path("fill:none;" + ink("stroke", l.color, d.color) + fmt::format("stroke-width:{};", number(l.width)),
         fmt::format("M{}C{} {} {}", point(c[0]), point(c[1]), point(c[2]), point(c[3])), id);
    path(ink("fill", l.color, d.color),
         fmt::format("M{}L{}L{}Z", point(shape.head[0]), point(shape.head[1]), point(shape.head[2])), {});
    if (l.count.empty()) return;
    const auto& [light, dark] = papers_;
    const Box pill{
        .rect = paint::count_pill(shape.middle, paint::text_width(Face::mono_bold, paint::count_size_px, l.count)),
        .fill = light.count_fill,
        .stroke = l.color,
        .radius = 7.5f};
    Box dark_pill = pill;
    dark_pill.fill = dark.count_fill, dark_pill.stroke = d.color;
    box(pill, dark_pill, false);
    words(shape.middle, l.count, {}, light.count_text, dark.count_text, Face::mono_bold, paint::count_size_px,
          scene::Align::center);
  }

  Shapes& all_;
  const scene::Scene &light_, &dark_;
  const std::array<scene::Paper, look_count>& papers_;
  std::unordered_map<std::string, const Mark*> marks_;
  List list_;
};

std::uint32_t Shapes::number_of(std::unordered_map<std::string, std::uint32_t>& known, std::vector<std::string>& all,
                                std::string entry) {
  const auto [slot, fresh] = known.try_emplace(entry, static_cast<std::uint32_t>(all.size()));
  if (fresh) all.push_back(std::move(entry));
  return slot->second;
}

std::uint32_t Shapes::text(std::string_view words) { return number_of(text_numbers_, texts_, std::string(words)); }

std::string Shapes::color(Pair pair) {
  if (!visible(pair.light) && !visible(pair.dark)) return "none";
  if (pair.light == pair.dark) return hex(pair.light);
  const auto [slot, fresh] = colors_.try_emplace(pair, static_cast<std::uint32_t>(colors_.size()));
  return fmt::format("var(--c{})", slot->second);
}

std::uint32_t Shapes::style(std::string rule) {
  rule.pop_back();
  return number_of(style_numbers_, styles_, std::move(rule));
}

Shapes::List Shapes::add(const Picture& picture, const std::array<scene::Paper, look_count>& papers) {
  return Writer(*this, picture, papers).write();
}

std::string Shapes::json() const {
  std::string out = "\"texts\":[";
  for (const std::string& text : texts_) out += (out.ends_with('[') ? "" : ",") + json_text(text);
  return out + fmt::format("],\n\"places\":[{}],\n\"shapes\":[{}]", fmt::join(places_, ","), fmt::join(shapes_, ","));
}

std::string Shapes::style_sheet() const {
  std::string light, dark, rules;
  for (const auto& [pair, n] : colors_) {
    light += fmt::format("--c{}:{};", n, hex(pair.light));
    dark += fmt::format("--c{}:{};", n, hex(pair.dark));
  }
  for (std::size_t n = 0; n < styles_.size(); ++n) rules += fmt::format(".a{}{{{}}}\n", n, styles_[n]);
  return fmt::format(":root{{{}}}\n@media screen and (prefers-color-scheme:dark){{:root{{{}}}}}\n{}", light, dark,
                     rules);
}

std::string Shapes::markup(const List& list) const {
  std::string out;
  for (const std::uint32_t n : list) out += markups_[n];
  return out;
}

std::string difference(const Shapes::List& from, const Shapes::List& to) {
  std::unordered_map<std::uint32_t, std::size_t> places;  // the first one; shapes rarely stand twice in a picture
  for (std::size_t n = from.size(); n-- > 0;) places[from[n]] = n;
  std::string out;
  const auto put = [&](const std::string& entry) { out += (out.empty() ? "" : ",") + entry; };
  constexpr std::size_t window = 64;
  std::size_t i = 0, j = 0;
  while (i < from.size() || j < to.size()) {
    std::size_t kept = 0;
    while (i + kept < from.size() && j + kept < to.size() && from[i + kept] == to[j + kept]) ++kept;
    if (kept > 0) put(std::to_string(kept));
    i += kept, j += kept;
    if (i == from.size() && j == to.size()) break;
    // The nearest place where both continue together, of those that begin soon.
    std::size_t next_i = from.size(), next_j = to.size(), least = ~std::size_t{0};
    for (std::size_t k = j; k < to.size() && (k < j + window || least == ~std::size_t{0}); ++k) {
      const auto at = places.find(to[k]);
      if (at == places.end() || at->second < i) continue;
      const std::size_t distance = at->second - i + (k - j);
      if (distance < least) least = distance, next_i = at->second, next_j = k;
    }
    if (next_i > i) put(fmt::format("-{}", next_i - i));
    std::string runs;
    for (std::size_t k = j; k < next_j;) {
      std::size_t run = 1;
      while (k + run < next_j && to[k + run] == to[k] + run) ++run;
      runs += fmt::format("{}{},{}", runs.empty() ? "" : ",", to[k], run);
      k += run;
    }
    if (!runs.empty()) put("[" + runs + "]");
    i = next_i, j = next_j;
  }
  return "[" + out + "]";
}

namespace {

/// Characters that HTML or JavaScript take for something else than text, or drop, and those that make a line look like
/// another one.
bool is_refused(char32_t code) {
  const bool control = (code < 0x20 && code != '\n' && code != '\t') || (code >= 0x7f && code < 0xa0);
  return control || changes_direction(code) || (code >= 0xd800 && code < 0xe000) || code > 0x10ffff ||
         (code & 0xfffe) == 0xfffe || (code >= 0xfdd0 && code < 0xfdf0);
}

/// One character at a time: its code and its bytes, U+FFFD where it cannot be written.
void each_character(std::string_view text, auto each) {
  while (!text.empty()) {
    const std::string_view before = text;
    const char32_t code = paint::next_code(text);
    const std::size_t bytes = before.size() - text.size(), least = code < 0x80      ? 1
                                                                   : code < 0x800   ? 2
                                                                   : code < 0x10000 ? 3
                                                                                    : 4;
    if (is_refused(code) || bytes != least)  // longer than it need be: no UTF-8
      each(U'\uFFFD', std::string_view("\xef\xbf\xbd"));
    else
      each(code, before.substr(0, bytes));
  }
}

}  // namespace

std::string escaped(std::string_view text) {
  std::string out;
  each_character(text, [&](char32_t code, std::string_view bytes) {
    const std::string_view entity = code == '\'' ? "&#39;" : paint::xml_entity(code);
    out += entity.empty() ? bytes : entity;
  });
  return out;
}

std::string json_text(std::string_view text) {
  std::string out = "\"";
  each_character(text, [&](char32_t code, std::string_view bytes) {
    if (code == '"' || code == '\\')
      out += '\\', out += bytes;
    else if (code < 0x20 || code == '<' || code == 0x2028 || code == 0x2029)
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(code));
    else
      out += bytes;
  });
  return out + '"';
}

std::string number(float value) {
  std::string text = fmt::format("{:.2f}", value);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0" : text;
}

}  // namespace lanescope::page
