#pragma once
// The part of a row of columns that is on screen: all of it, or a range that was zoomed to.

#include <algorithm>
#include <cmath>

namespace lanescope::gui {

struct ZoomRange {
  double first = 0, last = -1;  ///< half open; last < 0: to the end

  void show_all() { *this = {}; }

  /// By so many notches of the wheel; the column at `share` of the width stays where it is.
  void zoom(double columns, double share, double notches) {
    const double end = last < 0 ? columns : last, extent = end - first;
    share = std::clamp(share, 0.0, 1.0);
    const double next = std::clamp(extent * std::pow(1.25, -notches), std::min(8.0, columns), columns);
    first = std::clamp(first + (extent - next) * share, 0.0, std::max(columns - next, 0.0));
    last = next >= columns ? -1 : first + next;
  }
};

}  // namespace lanescope::gui
