#pragma once
// Many steps in one column of pixels: the kinds of its marks stacked by their share, and a row of such columns as
// boxes. Stretches of columns that look the same become one box. And the looks of single marks, for the drawing and its
// legend.

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <utility>
#include <vector>

#include "results/step_index.h"
#include "viz/views/base/draw.h"
#include "viz/views/base/selection.h"
#include "viz/views/costs/timeline.h"

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

// The problems of a run as signs of the timeline.

/// Problems, and sides of problems, that are at a step of the recorded block: ascending step, one a step, the worst there.
/// Claims are left out, because they have signs of their own, and so are notes. `number`: in results::problems_of(summary).
std::vector<TimelineProblem> problem_marks(const Summary& summary);

// Where the columns and parts of a timeline lie. Used by its drawing only.

inline constexpr float timeline_label_width = 66, legend_line = 20, overview_px = 8, overview_gap = 3, ruler_px = 17;

/// Pixels of the whole scene.
float timeline_width(const TimelineOptions& options);

/// The columns that are shown.
struct TimelineRange {
  double first = 0, last = 1;
  float pitch = 1;  ///< pixels per column
  float x(double column) const { return timeline_label_width + static_cast<float>((column - first) * pitch); }
  int folded_columns() const { return static_cast<int>(std::ceil((last - first) * pitch / fold_px)); }
  /// The first column of the timeline in the n-th column of pixels.
  std::size_t folded(int n) const {
    return static_cast<std::size_t>(std::min(first + static_cast<double>(n) * fold_px / pitch, last));
  }
};

TimelineRange timeline_range(std::uint64_t columns, const TimelineOptions& options);

/// Rows of the legend, each sign with the x of its box.
std::vector<std::vector<std::pair<float, TimelineSign>>> timeline_legend(const Summary& summary, float width,
                                                                         const Theme& theme);

int shown_warps(const Summary& summary, const TimelineOptions& options);

}  // namespace lanescope::views
