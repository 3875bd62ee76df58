#pragma once
// Where the panels are: a tree of splits per arrangement, cut down to the panels that are visible.

#include <array>
#include <optional>
#include <vector>

#include "app/gui/options.h"

namespace lanescope::gui {

struct Area {
  float x = 0, y = 0, w = 0, h = 0;
};

struct PlacedPanel {
  PanelId panel;
  Area area;
};

/// The gap between two sides of a split: what a person drags.
struct Splitter {
  int split = 0;  ///< index into ViewOptions::shares[arrangement]
  bool side_by_side = false;
  Area area;   ///< of the gap
  Area whole;  ///< of both sides and the gap
};

struct Placement {
  std::vector<PlacedPanel> panels;
  std::vector<Splitter> splitters;
};

/// Fills `whole` with the visible panels. `gap` is the width of splitters; no side gets below `smallest` pixels where
/// there is room for both.
Placement place(const ViewOptions& options, Area whole, float gap, float smallest);

/// The share of the first side that puts the splitter at `position` (x or y).
float share_at(const Splitter& splitter, float position);

/// The arrangement's own share of a split.
float default_share(Arrangement arrangement, int split);
/// Panels that an arrangement leaves out unless they are asked for.
std::array<bool, panel_count> default_hidden(Arrangement arrangement);

}  // namespace lanescope::gui
