#pragma once
// Presentation mode: the current line between its neighbours, one picture as large as it goes, a caption and the step
// control. For a class that looks from the last row; everything else is one key away.

#include <cstdint>
#include <string>
#include <vector>

#include "app/gui/panels/panel.h"

namespace lanescope::gui {

class Presentation {
 public:
  /// Draws `panel` as the picture of `area`.
  void draw(App& app, Stage& stage, Panel& panel, Rectangle area);

 private:
  void code(const App& app, const Stage& stage, Rectangle area) const;
  void control(App& app, Stage& stage, Rectangle area);
  void track(App& app, const Stage& stage, Rectangle area);
  void find_stops(const App& app);

  /// Steps of the warp at which a line ends, for this run and warp.
  std::vector<std::int64_t> stops_;
  std::uint64_t run_ = ~std::uint64_t{0};
  int warp_ = -1;
};

/// The lines of code around a line (from 1): the nearest before and after it that are neither blank nor a comment; 0: none.
struct NeighbourLines {
  int before = 0, after = 0;
};
NeighbourLines neighbour_lines(std::string_view text, int line);

/// What the step did, of what the picture shows, in one sentence or two.
std::string presentation_caption(const App& app);

}  // namespace lanescope::gui
