// Scenes as PDF 1.5. Letters are fonts of type 3, whose glyphs are drawings: those that occur, each once in the file, with the
// table that says which characters they are.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <map>

#include "viz/paint/deflate.h"
#include "viz/paint/fonts.h"
#include "viz/paint/paint.h"
#include "viz/paint/shapes.h"

namespace lanescope::paint {
namespace {

using scene::Box;
using scene::Color;
using scene::Face;

constexpr float points_per_unit = 0.75f;
constexpr std::size_t glyphs_of_a_font =
    200;  ///< codes 32 to 231: never a code that readers treat as a control character
constexpr int first_glyph_code = 32;
constexpr float em = 1000;

std::string decimal(float value) {
  std::string text = fmt::format("{:.3f}", value);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0" : text;
}
std::string decimals(Point p) { return decimal(p.x) + " " + decimal(p.y); }

std::string utf16(char32_t code) {
  if (code < 0x10000) return fmt::format("{:04X}", static_cast<unsigned>(code));
  const unsigned rest = static_cast<unsigned>(code) - 0x10000;
  return fmt::format("{:04X}{:04X}", 0xd800 + (rest >> 10), 0xdc00 + (rest & 0x3ff));
}

/// The numbered objects of a file.
class Objects {
 public:
  int reserve() {
    all_.emplace_back();
    return static_cast<int>(all_.size());
  }
  int add(std::string body) {
    all_.push_back(std::move(body));
    return static_cast<int>(all_.size());
  }
  void set(int number, std::string body) { all_[static_cast<std::size_t>(number) - 1] = std::move(body); }
  int stream(const std::string& text) {
    const std::string bytes = deflated(text);
    return add(fmt::format("<< /Length {} /Filter /FlateDecode >>\nstream\n{}\nendstream", bytes.size(), bytes));
  }
  std::string file(int root, int info) const {
    std::string out = "%PDF-1.5\n%\xe2\xe3\xcf\xd3\n";
    std::string table = fmt::format("xref\n0 {}\n0000000000 65535 f \n", all_.size() + 1);
    for (std::size_t n = 0; n < all_.size(); ++n) {
      table += fmt::format("{:010} 00000 n \n", out.size());
      out += fmt::format("{} 0 obj\n{}\nendobj\n", n + 1, all_[n]);
    }
    const std::size_t start = out.size();
    return out + table +
           fmt::format("trailer\n<< /Size {} /Root {} 0 R /Info {} 0 R >>\nstartxref\n{}\n%%EOF\n", all_.size() + 1,
                       root, info, start);
  }

 private:
  std::vector<std::string> all_;
};

/// Where a character of a face is: in which font, with which code.
struct GlyphCode {
  std::size_t font = 0;
  int code = 0;
};

class PdfFonts {
 public:
  GlyphCode code_of(Face face, char32_t character) {
    const auto [slot, fresh] = codes_.try_emplace({face, character}, GlyphCode{});
    if (!fresh) return slot->second;
    std::size_t& font = open_.try_emplace(face, no_font).first->second;
    if (font == no_font || fonts_[font].characters.size() == glyphs_of_a_font) {
      font = fonts_.size();
      fonts_.push_back({.face = face});
    }
    fonts_[font].characters.push_back(character);
    const int n = static_cast<int>(fonts_[font].characters.size()) - 1;
    return slot->second = {.font = font, .code = first_glyph_code + n};
  }

  /// "/F0 7 0 R /F1 9 0 R".
  std::string write(Objects& objects) const {
    std::string names;
    for (std::size_t n = 0; n < fonts_.size(); ++n) names += fmt::format("/F{} {} 0 R ", n, write(objects, fonts_[n]));
    return names;
  }

 private:
  static constexpr std::size_t no_font = ~std::size_t{0};
  struct Font {
    Face face;
    std::vector<char32_t> characters;
  };

  static int write(Objects& objects, const Font& font) {
    Fonts& fonts = Fonts::of_thread();
    std::string widths, procedures, differences, characters;
    for (std::size_t n = 0; n < font.characters.size(); ++n) {
      const char32_t c = font.characters[n];
      const float width = fonts.advance_em(font.face, c) * em;
      widths += decimal(width) + " ";
      procedures += fmt::format("/g{} {} 0 R ", n, objects.stream(drawing(fonts.outline(font.face, c), width)));
      differences += fmt::format("/g{} ", n);
      characters += fmt::format("<{:02X}> <{}>\n", first_glyph_code + n, utf16(c));
    }
    std::string map =
        "/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n/CIDSystemInfo << /Registry (Adobe) /Ordering "
        "(UCS) /Supplement 0 >> def\n/CMapName /Adobe-Identity-UCS def\n/CMapType 2 def\n1 begincodespacerange\n<00> "
        "<FF>\nendcodespacerange\n";
    // A list has at most 100 entries.
    const std::vector<std::string> lines = lines_of(characters);
    for (std::size_t n = 0; n < lines.size(); n += 100) {
      const std::size_t count = std::min<std::size_t>(100, lines.size() - n);
      map += fmt::format("{} beginbfchar\n", count);
      for (std::size_t k = 0; k < count; ++k) map += lines[n + k] + "\n";
      map += "endbfchar\n";
    }
    map += "endcmap\nCMapName currentdict /CMap defineresource pop\nend\nend\n";
    return objects.add(fmt::format(
        "<< /Type /Font /Subtype /Type3 /FontBBox [-1000 -1000 3000 2000] /FontMatrix [0.001 0 0 0.001 0 0] /FirstChar "
        "{} /LastChar {} /Widths [{}] /CharProcs << {}>> /Encoding << /Type /Encoding /Differences [{} {}] >> "
        "/Resources << >> /ToUnicode {} 0 R >>",
        first_glyph_code, first_glyph_code + static_cast<int>(font.characters.size()) - 1, widths, procedures,
        first_glyph_code, differences, objects.stream(map)));
  }

  static std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = text.find('\n', at);
      lines.push_back(text.substr(at, end - at));
      at = end + 1;
    }
    return lines;
  }

  static std::string drawing(const std::vector<OutlinePiece>& pieces, float width) {
    float low_x = 0, low_y = 0, high_x = 0, high_y = 0;
    std::string path;
    const auto put = [&](Point p) {
      const Point scaled{p.x * em, p.y * em};
      low_x = std::min(low_x, scaled.x), high_x = std::max(high_x, scaled.x);
      low_y = std::min(low_y, scaled.y), high_y = std::max(high_y, scaled.y);
      path += decimals(scaled) + " ";
    };
    for (const OutlinePiece& piece : pieces) {
      if (piece.kind == OutlinePiece::Kind::curve) put(piece.control_1), put(piece.control_2);
      put(piece.to);
      path += piece.kind == OutlinePiece::Kind::move ? "m\n" : piece.kind == OutlinePiece::Kind::line ? "l\n" : "c\n";
    }
    return fmt::format("{} 0 {} {} {} {} d1\n{}{}", decimal(width), decimal(low_x), decimal(low_y), decimal(high_x),
                       decimal(high_y), path, path.empty() ? "" : "f\n");
  }

  std::vector<Font> fonts_;
  std::map<Face, std::size_t> open_;
  std::map<std::pair<Face, char32_t>, GlyphCode> codes_;
};

/// One page as operators. Coordinates are those of the scene: y downwards.
class PagePainter {
 public:
  PagePainter(PdfFonts& fonts, std::map<std::uint32_t, int>& alphas, const scene::Paper& paper)
      : fonts_(fonts), alphas_(alphas), paper_(paper) {}

  std::string write(const scene::Scene& scene) {
    put("{0} 0 0 -{0} 0 {1} cm\n", decimal(points_per_unit), decimal(scene.height * points_per_unit));
    box({.rect = {0, 0, scene.width, scene.height}, .fill = paper_.background});
    for (const Box& each : scene.boxes) box(each);
    for (const scene::Line& each : scene.lines) line(each);
    for (const scene::Label& each : scene.labels)
      words(each.at, fitted(each.face, each.size, each.text, each.max_width), each.color, each.face, each.size,
            each.align);
    for (const Box& each : scene.outlines) box(each);
    for (const scene::Arrow& each : scene.arrows) arrow(each);
    return std::move(out_);
  }

 private:
  template <class... Args>
  void put(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<Args>(args)...);
  }
  static bool is_visible(Color c) { return (c.rgba & 0xff) != 0; }

  void ink(Color c, const char* operation) {
    const std::uint32_t alpha = c.rgba & 0xff;
    if (alpha != alpha_) {
      const auto [slot, fresh] = alphas_.try_emplace(alpha, static_cast<int>(alphas_.size()));
      put("/A{} gs\n", slot->second);
      alpha_ = alpha;
    }
    const auto part = [&](int shift) { return decimal(static_cast<float>(c.rgba >> shift & 0xff) / 255); };
    put("{} {} {} {}\n", part(24), part(16), part(8), operation);
  }

  void outline_of(const Rect& r, float radius) {
    if (radius <= 0) return put("{} {} {} {} re\n", decimal(r.x), decimal(r.y), decimal(r.w), decimal(r.h));
    const float k = radius * 0.4477f, right = r.x + r.w, bottom = r.y + r.h;
    const auto corner = [&](Point a, Point b, Point to) {
      put("{} {} {} c\n", decimals(a), decimals(b), decimals(to));
    };
    put("{} m {} l\n", decimals({r.x + radius, r.y}), decimals({right - radius, r.y}));
    corner({right - k, r.y}, {right, r.y + k}, {right, r.y + radius});
    put("{} l\n", decimals({right, bottom - radius}));
    corner({right, bottom - k}, {right - k, bottom}, {right - radius, bottom});
    put("{} l\n", decimals({r.x + radius, bottom}));
    corner({r.x + k, bottom}, {r.x, bottom - k}, {r.x, bottom - radius});
    put("{} l\n", decimals({r.x, r.y + radius}));
    corner({r.x, r.y + k}, {r.x + k, r.y}, {r.x + radius, r.y});
    put("h\n");
  }

  void segment(Point from, Point to) { put("{} m {} l S\n", decimals(from), decimals(to)); }

  void box(const Box& b) {
    const float radius = b.radius > 0 ? std::min({b.radius, b.rect.w / 2, b.rect.h / 2}) : 0;
    if (is_visible(b.fill)) ink(b.fill, "rg"), outline_of(b.rect, radius), put("f\n");
    if (b.hatched) {
      ink(paper_.hatch, "RG"), put("1 w\n");
      for (const Segment& s : hatch_lines(b.rect)) segment(s.from, s.to);
    }
    if (!is_visible(b.stroke)) return;
    ink(b.stroke, "RG"), put("{} w\n", decimal(b.stroke_width));
    if (b.dashed) put("[3 2.5] 0 d\n");
    outline_of(b.rect, radius), put("S\n");
    if (b.dashed) put("[] 0 d\n");
  }

  void line(const scene::Line& l) {
    if (!is_visible(l.color)) return;
    ink(l.color, "RG"), put("{} w\n", decimal(l.width));
    if (l.dashed) put("[{} {}] 0 d\n", decimal(dash_length), decimal(dash_gap));
    segment(l.from, l.to);
    if (l.dashed) put("[] 0 d\n");
  }

  void words(Point at, std::string_view text, Color color, Face face, float size, scene::Align align) {
    if (text.empty() || !is_visible(color)) return;
    if (align != scene::Align::left) {
      const float width = text_width(face, size, text);
      at.x -= align == scene::Align::center ? width / 2 : width;
    }
    at.y += baseline_em * size;
    ink(color, "rg");
    put("BT\n");
    float pen = at.x;
    std::string codes;
    std::size_t font = ~std::size_t{0};
    float begin = pen;
    const auto flush = [&] {
      if (!codes.empty())
        put("/F{} {} Tf 1 0 0 -1 {} {} Tm <{}> Tj\n", font, decimal(size), decimal(begin), decimal(at.y), codes);
      codes.clear(), begin = pen;
    };
    while (!text.empty()) {
      const char32_t character = next_code(text);
      const GlyphCode glyph = fonts_.code_of(face, character);
      if (glyph.font != font) flush(), font = glyph.font;
      codes += fmt::format("{:02X}", glyph.code);
      pen += Fonts::of_thread().advance_em(face, character) * size;
    }
    flush();
    put("ET\n");
  }

  void arrow(const scene::Arrow& a) {
    const ArrowShape shape = shape_of(a);
    const auto& c = shape.curve;
    ink(a.color, "RG");
    put("{} w {} m {} {} {} c S\n", decimal(a.width), decimals(c[0]), decimals(c[1]), decimals(c[2]), decimals(c[3]));
    ink(a.color, "rg");
    put("{} m {} l {} l h f\n", decimals(shape.head[0]), decimals(shape.head[1]), decimals(shape.head[2]));
    if (a.count.empty()) return;
    const Rect pill = count_pill(shape.middle, text_width(Face::mono_bold, count_size_px, a.count));
    box({.rect = pill, .fill = paper_.count_fill, .stroke = a.color, .radius = 7.5f});
    words(shape.middle, a.count, paper_.count_text, Face::mono_bold, count_size_px, scene::Align::center);
  }

  PdfFonts& fonts_;
  std::map<std::uint32_t, int>& alphas_;
  const scene::Paper& paper_;
  std::string out_;
  std::uint32_t alpha_ = 0xff;
};

}  // namespace

Expected<std::string> to_pdf(std::span<const scene::Scene> pages, const scene::Paper& paper, std::string_view title) {
  if (auto usable = Fonts::of_thread().usable(); !usable) return tl::unexpected(usable.error());
  if (pages.empty()) return failure("a PDF file without a page cannot be written", "name what it is to show");
  Objects objects;
  const int catalog = objects.reserve(), tree = objects.reserve(), resources = objects.reserve();
  PdfFonts fonts;
  std::map<std::uint32_t, int> alphas{{0xff, 0}};
  std::vector<std::string> kids;
  for (const scene::Scene& page : pages) {
    const int content = objects.stream(PagePainter(fonts, alphas, paper).write(page));
    kids.push_back(
        std::to_string(objects.add(fmt::format(
            "<< /Type /Page /Parent {} 0 R /MediaBox [0 0 {} {}] /Resources {} 0 R /Contents {} 0 R >>", tree,
            decimal(page.width * points_per_unit), decimal(page.height * points_per_unit), resources, content))) +
        " 0 R");
  }
  std::string states;
  for (const auto& [alpha, n] : alphas)
    states += fmt::format("/A{} << /ca {} /CA {} >> ", n, decimal(static_cast<float>(alpha) / 255),
                          decimal(static_cast<float>(alpha) / 255));
  const std::string font_names = fonts.write(objects);
  objects.set(resources, fmt::format("<< /Font << {}>> /ExtGState << {}>> >>", font_names, states));
  objects.set(tree, fmt::format("<< /Type /Pages /Kids [{}] /Count {} >>", fmt::join(kids, " "), kids.size()));
  objects.set(catalog, fmt::format("<< /Type /Catalog /Pages {} 0 R >>", tree));
  std::string name = "FEFF";
  for (std::string_view rest = title; !rest.empty();) name += utf16(next_code(rest));
  const int info = objects.add(fmt::format("<< /Title <{}> /Creator (lanescope) >>", name));
  return objects.file(catalog, info);
}

}  // namespace lanescope::paint
