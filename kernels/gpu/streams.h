#pragma once
// The streams of a program, by the numbers that its launches give. Stream 0 is the default stream of the context; the
// others are created where a launch requests them, and do not wait for stream 0 by themselves (CU_STREAM_NON_BLOCKING):
// what they wait for is said with events, so that a list of launches as a whole still begins and ends in stream 0.

#include <array>
#include <cstdint>
#include <vector>

#include "kernels/gpu/driver.h"
#include "kernels/trace/launch.h"

namespace lanescope::gpu {

inline constexpr std::uint32_t most_streams = 32;

/// Of the context that is current when streams are opened; close() before that context goes.
class Streams {
 public:
  explicit Streams(const Driver& driver) : d_(driver) {}
  Streams(const Streams&) = delete;
  Streams& operator=(const Streams&) = delete;

  /// Creates the streams that these launches need and that are not there yet. Numbers are below most_streams.
  Status open(const std::vector<trace::Launch>& launches);
  void close();

  /// The driver's handle; null is the default stream.
  Stream handle(std::uint32_t number) const { return handles_[number]; }
  /// Whether the launches that they were opened for use another stream than 0.
  bool several() const { return !used_.empty(); }
  /// What is queued from now on in the other streams waits for what is queued in stream 0.
  Status fork() const;
  /// What is queued from now on in stream 0 waits for what is queued in the other streams.
  Status join() const;

 private:
  const Driver& d_;
  std::array<Stream, most_streams> handles_{};
  std::vector<Stream> used_;   ///< by the present launches, stream 0 left out; ascending number
  Event forked_ = nullptr;     ///< recorded in stream 0
  std::vector<Event> joined_;  ///< one for each of `used_`, recorded there
};

}  // namespace lanescope::gpu
