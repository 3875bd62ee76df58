#include "viz/paint/fonts.h"

#include <ft2build.h>
#include FT_FREETYPE_H
#include FT_OUTLINE_H

#include <array>
#include <cmath>
#include <unordered_map>

#include "kernels/resources/resources.h"
#include "viz/paint/paint.h"

namespace lanescope::paint {
namespace {

// In the order of scene::Face.
constexpr std::array font_files{resources::Font::sans, resources::Font::sans_bold, resources::Font::mono,
                                resources::Font::mono_bold};

}  // namespace

struct Fonts::State {
  FT_Library library = nullptr;
  std::array<FT_Face, 4> faces{};
  std::string problem;
  std::unordered_map<std::uint64_t, float> advances;
  std::unordered_map<std::uint64_t, Glyph> glyphs;
};

Fonts::Fonts() : state_(std::make_unique<State>()) {
  if (FT_Init_FreeType(&state_->library) != 0) {
    state_->problem = "FreeType could not be started";
    return;
  }
  for (std::size_t n = 0; n < font_files.size(); ++n) {
    const std::string& file = resources::font(font_files[n]);
    if (FT_New_Face(state_->library, file.c_str(), 0, &state_->faces[n]) != 0) {
      state_->faces[n] = nullptr;
      state_->problem = "the font file '" + file + "' cannot be read";
    }
  }
}

Fonts::~Fonts() {
  for (FT_Face face : state_->faces)
    if (face != nullptr) FT_Done_Face(face);
  if (state_->library != nullptr) FT_Done_FreeType(state_->library);
}

Fonts& Fonts::of_thread() {
  thread_local Fonts fonts;
  return fonts;
}

Expected<void> Fonts::usable() const {
  if (state_->problem.empty()) return {};
  return failure(state_->problem, "install fonts-inter and fonts-jetbrains-mono, or run scripts/setup.sh");
}

float Fonts::advance_em(scene::Face face, char32_t code) {
  FT_Face file = state_->faces[static_cast<int>(face)];
  if (file == nullptr) return 0.6f;
  const std::uint64_t key = std::uint64_t{code} << 8 | static_cast<std::uint64_t>(face);
  const auto [slot, fresh] = state_->advances.try_emplace(key, 0.0f);
  if (fresh && FT_Load_Char(file, code, FT_LOAD_NO_SCALE) == 0)
    slot->second = static_cast<float>(file->glyph->metrics.horiAdvance) / static_cast<float>(file->units_per_EM);
  return slot->second;
}

float Fonts::line_em(scene::Face face) const {
  const FT_Face file = state_->faces[static_cast<int>(face)];
  return file == nullptr
             ? 1.2f
             : static_cast<float>(file->ascender - file->descender) / static_cast<float>(file->units_per_EM);
}

const Glyph& Fonts::glyph(scene::Face face, float size_px, char32_t code, int quarter_px) {
  const auto size = static_cast<std::uint64_t>(std::lround(size_px * 64));
  const std::uint64_t key = std::uint64_t{code} << 40 | size << 8 | static_cast<std::uint64_t>(quarter_px) << 4 |
                            static_cast<std::uint64_t>(face);
  const auto [slot, fresh] = state_->glyphs.try_emplace(key);
  Glyph& glyph = slot->second;
  if (!fresh) return glyph;
  glyph.advance_px = advance_em(face, code) * size_px;
  FT_Face file = state_->faces[static_cast<int>(face)];
  if (file == nullptr || FT_Set_Char_Size(file, 0, static_cast<FT_F26Dot6>(size), 72, 72) != 0) return glyph;
  if (FT_Load_Char(file, code, FT_LOAD_NO_HINTING | FT_LOAD_NO_BITMAP) != 0) return glyph;
  FT_Outline_Translate(&file->glyph->outline, quarter_px * 16, 0);
  if (FT_Render_Glyph(file->glyph, FT_RENDER_MODE_NORMAL) != 0) return glyph;
  const FT_Bitmap& bitmap = file->glyph->bitmap;
  glyph.left = file->glyph->bitmap_left, glyph.top = file->glyph->bitmap_top;
  glyph.width = static_cast<int>(bitmap.width), glyph.height = static_cast<int>(bitmap.rows);
  for (int y = 0; y < glyph.height; ++y) {
    const unsigned char* row = bitmap.buffer + static_cast<std::ptrdiff_t>(y) * bitmap.pitch;
    glyph.coverage.insert(glyph.coverage.end(), row, row + glyph.width);
  }
  return glyph;
}

std::vector<OutlinePiece> Fonts::outline(scene::Face face, char32_t code) {
  FT_Face file = state_->faces[static_cast<int>(face)];
  std::vector<OutlinePiece> pieces;
  if (file == nullptr || FT_Load_Char(file, code, FT_LOAD_NO_SCALE) != 0) return pieces;
  struct Context {
    std::vector<OutlinePiece>& pieces;
    float em;
    scene::Point now{};
    scene::Point point(const FT_Vector* v) const {
      return {static_cast<float>(v->x) / em, static_cast<float>(v->y) / em};
    }
    int add(OutlinePiece::Kind kind, scene::Point a, scene::Point b, scene::Point to) {
      pieces.push_back({kind, a, b, to});
      now = to;
      return 0;
    }
  } context{pieces, static_cast<float>(file->units_per_EM)};
  using Kind = OutlinePiece::Kind;
  FT_Outline_Funcs funcs{};
  funcs.move_to = [](const FT_Vector* to, void* c) {
    auto& x = *static_cast<Context*>(c);
    return x.add(Kind::move, {}, {}, x.point(to));
  };
  funcs.line_to = [](const FT_Vector* to, void* c) {
    auto& x = *static_cast<Context*>(c);
    return x.add(Kind::line, {}, {}, x.point(to));
  };
  funcs.conic_to = [](const FT_Vector* control, const FT_Vector* to, void* c) {
    auto& x = *static_cast<Context*>(c);
    const scene::Point q = x.point(control), end = x.point(to), start = x.now;
    const auto third = [&](scene::Point p) {
      return scene::Point{p.x + (q.x - p.x) * 2 / 3, p.y + (q.y - p.y) * 2 / 3};
    };
    return x.add(Kind::curve, third(start), third(end), end);
  };
  funcs.cubic_to = [](const FT_Vector* a, const FT_Vector* b, const FT_Vector* to, void* c) {
    auto& x = *static_cast<Context*>(c);
    return x.add(Kind::curve, x.point(a), x.point(b), x.point(to));
  };
  if (FT_Outline_Decompose(&file->glyph->outline, &funcs, &context) != 0) pieces.clear();
  return pieces;
}

char32_t next_code(std::string_view& text) {
  const auto byte = [&](std::size_t n) { return n < text.size() ? static_cast<unsigned char>(text[n]) : 0u; };
  const unsigned first = byte(0);
  const int more = first < 0x80 ? 0 : first >> 5 == 6 ? 1 : first >> 4 == 14 ? 2 : first >> 3 == 30 ? 3 : -1;
  char32_t code = more <= 0 ? first : first & (0x3fu >> more);
  bool broken = more < 0;
  for (int n = 1; !broken && n <= more; ++n) {
    broken = byte(n) >> 6 != 2;
    code = code << 6 | (byte(n) & 0x3f);
  }
  text.remove_prefix(broken ? 1 : static_cast<std::size_t>(more) + 1);
  return broken ? U'\uFFFD' : code;
}

float text_width(scene::Face face, float size_px, std::string_view text) {
  Fonts& fonts = Fonts::of_thread();
  float em = 0;
  while (!text.empty()) em += fonts.advance_em(face, next_code(text));
  return em * size_px;
}

std::string fitted(scene::Face face, float size_px, std::string_view text, float max_width) {
  if (max_width <= 0 || text_width(face, size_px, text) <= max_width) return std::string(text);
  Fonts& fonts = Fonts::of_thread();
  const float ellipsis = fonts.advance_em(face, U'…') * size_px;
  float width = ellipsis;
  std::string_view rest = text;
  std::size_t kept = 0;
  while (!rest.empty()) {
    width += fonts.advance_em(face, next_code(rest)) * size_px;
    if (width > max_width) break;
    kept = text.size() - rest.size();
  }
  if (ellipsis > max_width) return {};
  return std::string(text.substr(0, kept)) + "…";
}

}  // namespace lanescope::paint
