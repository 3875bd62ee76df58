#pragma once
// The claims of a file as states: what each function's registers hold from one comment to the next, and the bits that
// change places between them.

#include <string>

#include "viz/scene/scene.h"
#include "viz/views/base/selection.h"
#include "viz/views/base/theme.h"

namespace lanescope::views {

struct ClaimStatesOptions {
  float width = 0;
};

/// Cards are timeline_claim/CLAIM; the words between two cards are remarks. Only claims about registers are drawn.
scene::Scene claim_states_view(const Summary&, const Selection&, const ClaimStatesOptions&, const Theme&);

/// The change from one assignment to the next: "r0 and t1 change places", "nothing moves", "5 bits move".
std::string change_words(const layout::Assignment& before, const layout::Assignment& after);

}  // namespace lanescope::views
