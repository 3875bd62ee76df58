#pragma once
// One use of the range profiler: a fixed set of metrics, a fixed number of ranges, as many passes as they need.

#include <cstddef>
#include <string>
#include <vector>

#include "profiling/cupti/cupti.h"
#include "profiling/cupti/device.h"
#include "profiling/cupti/host.h"

namespace lanescope::cupti {

class RangeSession {
 public:
  static Expected<RangeSession> open(const Library& library, gpu::Context context,
                                     const std::vector<std::string>& names, const Config& config, std::size_t ranges,
                                     ReplayMode replay);
  /// Whether this process may use the range profiler at all.
  static Expected<void> try_enable(const Library& library, gpu::Context context);
  RangeSession(RangeSession&& other) noexcept
      : library_(other.library_), profiler_(other.profiler_), data_(std::move(other.data_)) {
    other.profiler_ = nullptr;
  }
  RangeSession& operator=(RangeSession&&) = delete;
  ~RangeSession();

  /// Discards the counts and measures `ranges` ranges again, with the same metrics; cheaper than another session.
  Expected<void> again(const std::vector<std::string>& names, const Config& config, std::size_t ranges,
                       ReplayMode replay) {
    return configure(names, config, ranges, replay);
  }
  Expected<void> start();
  Expected<void> push(const std::string& name);
  Expected<void> pop();
  /// Ends a pass; true when no further one is needed.
  Expected<bool> stop();
  /// After the last pass: which launch each range of data() is about, from the range's name.
  Expected<std::vector<std::size_t>> decode();
  const std::vector<std::uint8_t>& data() const { return data_; }

 private:
  RangeSession(const Library& library, RangeProfiler profiler) : library_(&library), profiler_(profiler) {}
  Expected<void> configure(const std::vector<std::string>& names, const Config& config, std::size_t ranges,
                           ReplayMode replay);

  const Library* library_;
  RangeProfiler profiler_;
  std::vector<std::uint8_t> data_;
};

// Launches run inside a range session, pass by pass, and the values of their ranges.

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
