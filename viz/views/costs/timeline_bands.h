#pragma once
// Many steps in one column of pixels: the kinds of its marks stacked by their share, and a row of such columns as
// boxes. Stretches of columns that look the same become one box. And the looks of single marks, for the drawing and its
// legend.

#include <array>
#include <functional>

#include "results/step_index.h"
#include "viz/views/base/draw.h"
#include "viz/views/base/selection.h"

namespace lanescope::views {

inline constexpr float fold_px = 3;  ///< width of a column

/// The bands of one column, from the top down; heights in pixels.
struct Bands {
  static constexpr int most = 5;
  std::array<std::uint8_t, most> kinds{}, heights{};
  int count = 0;
  bool costly = false;
  bool operator==(const Bands&) const = default;
};
/// The kinds that weigh most, each at least one pixel high; a rare access weighs more than as many arithmetic
/// instructions, so that it is not lost. No bands where nothing was counted.
Bands bands_of(const MarkCounts& counts, int height_px);

Color mark_color(const Theme& theme, int kind);

/// Boxes of one row: `column(n)` returns the counts of its n-th column. `costly_y`: of the line under columns with
/// accesses that cost more than they need; < 0: none is drawn.
void add_bands(Scene& scene, Point top_left, int height_px, int columns, float costly_y, const Theme& theme,
               const std::function<MarkCounts(int)>& column);

/// Of a mark, by results::mark_kind.
struct MarkLook {
  std::string_view word;
  char letter;  ///< ' ': none
  std::string_view meaning;
};
const MarkLook& mark_look(int kind);

struct MarkFill {
  Color fill, stroke;  ///< alpha 0: none
};
MarkFill mark_fill(const Theme& theme, int kind);

}  // namespace lanescope::views
