#pragma once
// Counters that follow a hand: the kernel as it is now, launched and counted by a child that stays (profiling/cupti/
// live.h). Between two requests the compiled program, the device's context and the metrics stay in place, so a number
// that moves costs a launch and a text that changes costs a compilation, too.
//
//   text, numbers --compile if the text changed--> launches --> GPU: the live group
//                                                          \--> emulator: what is predicted, where it keeps up
//
// The live group: the predicted counters `smsp__sass_*.sum`, as many as one pass of the kernel can count, and the time by
// events.

#include <atomic>
#include <memory>

#include "app/engine/requests/requests.h"
#include "results/measured.h"

namespace lanescope::engine {

class LiveRun {
 public:
  LiveRun();
  ~LiveRun();
  LiveRun(const LiveRun&) = delete;
  LiveRun& operator=(const LiveRun&) = delete;

  /// Launches `request`, timed and then counted; not for several threads at once. What does not compile, has no GPU or takes
  /// longer than `gpu_limit_seconds` is in `refused`; Measured::live says where the time went.
  results::Measured measure(const RunRequest& asked, const std::atomic<bool>* cancel = nullptr);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace lanescope::engine
