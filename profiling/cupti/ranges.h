#pragma once
// Launches run inside a range session, pass by pass, and the values of their ranges.

#include <cstddef>
#include <string>
#include <vector>

#include "profiling/cupti/cupti.h"
#include "profiling/cupti/device.h"
#include "profiling/cupti/host.h"
#include "profiling/cupti/session.h"

namespace lanescope::cupti {

/// Shared parts of the sessions of one measurement.
struct Bench {
  const Library& library;
  const gpu::Program& program;
  const Request& request;
  const Host& host;
  const Config& config;
  const std::vector<std::string>& names;
};

/// Launches that one session of the range profiler records. Measured on H200 with two passes: 28 ms a launch in a
/// session of 200, 70 ms in one of 500.
inline constexpr std::size_t launches_per_session = 64;
inline constexpr std::size_t most_passes = 256;  ///< far beyond any schedule; a session that needs more is broken

/// Runs the launches [first, last) in `session`, which has a range for each, and writes their rows of `values`.
Expected<void> run_ranges(const Bench& bench, RangeSession& session, std::size_t first, std::size_t last,
                          std::vector<std::vector<double>>& values);

}  // namespace lanescope::cupti
