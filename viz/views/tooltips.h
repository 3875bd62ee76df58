#pragma once
// Tooltips: text about what is under the mouse, and what a click on it selects.

#include <cstdint>
#include <string>

#include "viz/scene/scene.h"
#include "viz/views/base/selection.h"

namespace lanescope::views {

/// What is known about this id, in one line or a few; empty when nothing is.
std::string tooltip_text(const Summary& summary, const Moment& moment, const scene::Id& id);

/// Of a line, sector or word of memory: the lanes of the moment's access that access it.
std::uint32_t accessing_lanes(const Moment& moment, const scene::Id& id);

/// "holds", "holds for this input", "differs: r1 and r0 are swapped", "unchecked: ...".
std::string verdict_text(const claims::ClaimResult& result);

/// The selection that hovering or clicking this id means, starting from `before`.
Selection select(const Summary& summary, const Moment& moment, const scene::Id& id, Selection before);

}  // namespace lanescope::views
