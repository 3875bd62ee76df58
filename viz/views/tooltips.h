#pragma once
// Words for what is under the pointer, and what pointing at it selects.

#include <string>

#include "viz/scene/scene.h"
#include "viz/views/base/selection.h"

namespace lanescope::views {

/// What is known about the thing with this id, in a line or a few; empty when nothing is.
std::string tooltip_text(const Summary& summary, const Moment& moment, const scene::Id& id);

/// The selection that hovering or clicking this id means, starting from `before`.
Selection select(const Summary& summary, const Moment& moment, const scene::Id& id, Selection before);

}  // namespace lanescope::views
