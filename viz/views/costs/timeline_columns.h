#pragma once
// Where the columns and parts of a timeline lie. Used by its drawing only.

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "viz/views/costs/timeline.h"
#include "viz/views/costs/timeline_bands.h"

namespace lanescope::views {

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
