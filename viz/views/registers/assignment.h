#pragma once
// The assignment view: the stated and the actual assignment of a register array, bit by bit.

#include "viz/scene/scene.h"
#include "viz/views/base/selection.h"
#include "viz/views/base/theme.h"

namespace lanescope::views {

struct AssignmentOptions {
  float width = 0;
};
scene::Scene assignment_view(const Summary&, const Moment&, const Selection&, const AssignmentOptions&, const Theme&);

}  // namespace lanescope::views
