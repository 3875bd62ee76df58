#pragma once
// The assignment view: the stated and the actual assignment of a register array, bit by bit.

#include "viz/scene/scene.h"
#include "viz/views/base/selection.h"
#include "viz/views/base/theme.h"

namespace lanescope::views {

struct AssignmentOptions {
  float width = 0;
  /// The room there is. Where stated and actual stand one below the other and do not fit, rows come closer and of the
  /// actual assignment only the rows that differ are drawn; 0: any.
  float height = 0;
};
scene::Scene assignment_view(const Summary&, const Moment&, const Selection&, const AssignmentOptions&, const Theme&);

}  // namespace lanescope::views
