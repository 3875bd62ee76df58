#pragma once
// The part of a row of columns that is on screen: all of it, or a range that was zoomed to.

#include <algorithm>
#include <cmath>

namespace lanescope::gui {

struct ZoomRange {
  double first = 0, last = -1;  ///< half open; last < 0: to the end

  void show_all() { *this = {}; }
  bool zoomed() const { return last >= 0; }

  /// By so many notches of the wheel; the column at `share` of the width stays where it is.
  void zoom(double columns, double share, double notches) {
    const double end = last < 0 ? columns : last, extent = end - first;
    share = std::clamp(share, 0.0, 1.0);
    const double next = std::clamp(extent * std::pow(1.25, -notches), std::min(8.0, columns), columns);
    first = std::clamp(first + (extent - next) * share, 0.0, std::max(columns - next, 0.0));
    last = next >= columns ? -1 : first + next;
  }

  /// The same extent, beginning at this column, as far as there are columns.
  void move_to(double columns, double begin) {
    if (!zoomed()) return;
    const double extent = last - first;
    first = std::clamp(begin, 0.0, std::max(columns - extent, 0.0));
    last = first + extent;
  }

  /// Moves so far that the column is in sight, a third of the extent from the edge that it has left. True: it moved.
  bool follow(double columns, double column) {
    if (!zoomed() || (column >= first && column + 1 <= last)) return false;
    const double extent = last - first;
    move_to(columns, column < first ? column - extent * 2 / 3 : column - extent / 3);
    return true;
  }
};

}  // namespace lanescope::gui
