#pragma once
// One use of the range profiler: a fixed set of metrics, a fixed number of ranges, as many passes as they need.

#include <string>
#include <vector>

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

}  // namespace lanescope::cupti
