#pragma once
// The inputs of a view of a run, and its scene while it is drawn.

#include "results/summary.h"
#include "viz/views/base/draw.h"
#include "viz/views/base/selection.h"

namespace lanescope::views {

/// Base of the class that draws a view; the inputs outlive it.
template <class Options>
struct Drawing {
  const results::Summary& summary_;
  const Selection& selection_;
  const Options& options_;
  const Theme& theme_;
  Scene scene_{};
};

}  // namespace lanescope::views
