#pragma once
// Where the panels are: a tree of splits per arrangement, cut down to the panels that are visible. A leaf of the tree
// is a set of tabs: panels that share one place. One of them is in front, the others wait in the title bar.

#include <optional>
#include <vector>

#include "app/gui/model/options.h"

namespace lanescope::gui {

struct Area {
  float x = 0, y = 0, w = 0, h = 0;
};

struct PlacedPanel {
  PanelId panel;  ///< the one in front
  Area area;
  std::vector<PanelId> tabs{};  ///< every visible panel of this place, `panel` among them
};

/// The gap between two sides of a split, which can be dragged.
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
/// there is room for both; where there is little room the registers get more of it.
Placement place(const ViewOptions& options, Area whole, float gap, float smallest);

/// The share of the first side that puts the splitter at `position` (x or y).
float share_at(const Splitter& splitter, float position);

// --- tabs ------------------------------------------------------------------------------------------------------------

/// The visible panels that share a place with `panel`, in the order of their tabs; without `panel` where it is hidden.
std::vector<PanelId> tabs_beside(const ViewOptions& options, PanelId panel);
/// The visible panel in front where `panel` is; nullopt where all are hidden.
std::optional<PanelId> front_beside(const ViewOptions& options, PanelId panel);
/// Brings a panel to the front of its tabs.
void bring_to_front(ViewOptions& options, PanelId panel);

}  // namespace lanescope::gui
