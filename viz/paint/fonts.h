#pragma once
// Glyphs of the four faces through FreeType: advances and anti-aliased bitmaps, kept once per face, size and glyph.

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "kernels/base/diagnostic.h"
#include "viz/scene/scene.h"

namespace lanescope::paint {

struct Glyph {
  float advance_px = 0;
  int left = 0, top = 0, width = 0, height = 0;  ///< bitmap relative to the pen; top is above the baseline
  std::vector<std::uint8_t> coverage;
};

/// A part of the edge of a glyph: to a point, along a cubic where there are controls.
struct OutlinePiece {
  enum class Kind : std::uint8_t { move, line, curve };
  Kind kind = Kind::move;
  scene::Point control_1{}, control_2{}, to{};
};

class Fonts {
 public:
  /// The fonts of this thread; opened on first use.
  static Fonts& of_thread();
  ~Fonts();
  /// Not an error: every font file was found and is one.
  Expected<void> usable() const;
  /// Advance of one code point at a size of 1 px; never hinted, so widths scale.
  float advance_em(scene::Face face, char32_t code);
  /// Ascender to descender, in em: the line height that ImGui calls a font's size.
  float line_em(scene::Face face) const;
  const Glyph& glyph(scene::Face face, float size_px, char32_t code, int quarter_px);
  /// Closed curves at a size of 1 px, y upwards; empty: the character is invisible.
  std::vector<OutlinePiece> outline(scene::Face face, char32_t code);

 private:
  Fonts();
  struct State;
  std::unique_ptr<State> state_;
};

/// Removes one code point from the front of UTF-8 text; U+FFFD for an invalid one.
char32_t next_code(std::string_view& text);

}  // namespace lanescope::paint
