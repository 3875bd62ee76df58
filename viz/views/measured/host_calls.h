#pragma once
// Calls of the driver and their durations; launches with their times and resources.

#include "results/measured.h"
#include "viz/views/base/selection.h"
#include "viz/views/base/theme.h"

namespace lanescope::views {

/// Launches of one kernel in one stream with the same shape and resources.
struct LaunchProfile {
  LaunchRow first;
  std::uint64_t launches = 0;
  double total_us = 0, least_us = 0, most_us = 0;
  double average_us() const { return launches == 0 ? 0 : total_us / static_cast<double>(launches); }
};
/// In order of their first launch.
std::vector<LaunchProfile> launch_profile(const Measured&);

struct HostCallsOptions {
  float width = 0;
  int most_calls = 30;
  std::string note{};  ///< as in MetricsOptions
};
/// If launches are in several streams, a lane over time for each is first; see stream_lanes.h.
scene::Scene host_calls_view(const Measured&, const HostCallsOptions&, const Theme&);
std::string host_call_tooltip(const Measured&, const scene::Id&);

/// "what,name,calls,total_us,average_us,least_us,most_us,grid,block,registers,static_shared_bytes,
/// dynamic_shared_bytes,local_bytes,stream"; `what` is launch or call, the last seven are of launches.
std::string host_calls_csv(const Measured&);

}  // namespace lanescope::views
