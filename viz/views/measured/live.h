#pragma once
// Counters while a value of the kernel is changed: one small plot for each, over the last measurements.

#include <span>
#include <string>
#include <vector>

#include "results/measured.h"
#include "viz/views/base/selection.h"
#include "viz/views/base/theme.h"

namespace lanescope::views {

/// One measurement of the live group and the values that it was made with.
struct LiveSample {
  std::string words;  ///< "n 256, pad 1"
  Measured measured;
  double at_seconds = 0;  ///< when it arrived, on a clock that all samples share
  double wait_ms = 0;     ///< since the change that it is of
};
/// Rate and delay of the newest consecutive samples.
struct LivePace {
  double per_second = 0;  ///< 0: too few samples
  double wait_ms = 0;     ///< median of their waits
};
LivePace live_pace(std::span<const LiveSample> samples);

struct LiveOptions {
  float width = 0;
  int most_samples = 40;                ///< the newest
  std::vector<std::string> counters{};  ///< by today's name; empty: the first dozen that ever were not 0
  std::string note{};                   ///< as in MetricsOptions
};
/// Time first, then the counters; the prediction is dashed. Equal scales within a plot, each plot has its own.
scene::Scene live_view(std::span<const LiveSample>, const LiveOptions&, const Theme&);

/// "sample,seconds,wait_ms,words,counter,unit,predicted,measured"
std::string live_csv(std::span<const LiveSample>);

}  // namespace lanescope::views
