#pragma once
// The global memory view: which 32-byte sectors of which 128-byte lines one warp-wide access touches, and with what.

#include <string>

#include "results/journey.h"
#include "viz/scene/scene.h"
#include "viz/views/base/selection.h"
#include "viz/views/base/theme.h"

namespace lanescope::views {

struct GlobalOptions {
  float width = 0;
  int most_rows = 8;       ///< rows of 128 bytes; runs of untouched lines are folded into one
  int buffer = -1;         ///< -1: the one accessed, or else the first
  std::string color_by{};  ///< "lane", or as in RegistersOptions; "" is the slowest axis that varies, or lane
  std::string note{};      ///< said before the words of the access: "evidence of uncoalesced"
  std::vector<results::PinnedPlace> pinned{};  ///< where followed elements lie
};
scene::Scene global_view(const Summary&, const Moment&, const Selection&, const GlobalOptions&, const Theme&);

}  // namespace lanescope::views
