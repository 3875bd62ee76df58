#pragma once
// A load of constant memory: the constant cache gives one address at a time to all lanes at it, so an access is split
// into as many turns as there are different addresses. One row a turn: its offset, the 32 lanes, those it serves
// coloured.

#include <string>

#include "profiling/access/access.h"
#include "viz/scene/scene.h"
#include "viz/views/base/theme.h"

namespace lanescope::views {

struct ConstantOptions {
  float width = 0;
  int most_rows = 16;  ///< turns; the others are counted
  int selected_lane = -1;
  std::string arch{};  ///< "sm_90"; empty: not said
};
/// Ids: calculator_lane of each lane, title, remark.
scene::Scene constant_view(const access::Access& access, const ConstantOptions&, const Theme&);

}  // namespace lanescope::views
