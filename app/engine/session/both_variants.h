#pragma once
// The two programs of a kernel, run in the emulator side by side.

#include <atomic>
#include <functional>
#include <future>

#include "app/engine/prepare/execution.h"
#include "app/engine/prepare/prepare.h"
#include "app/engine/requests/requests.h"

namespace lanescope::engine {

/// Runs the plain and the probed program, or the one of them that is needed; each has its own copy of the buffers. The
/// plain one may begin while the probed one is still being compiled.
class BothRuns {
 public:
  /// Everything outlives this. `show`: gets the progress of both during run(); may be empty.
  BothRuns(const RunRequest& request, Prepared& prepared, const std::atomic<bool>* cancel,
           std::function<void(const RanSoFar&)> report);
  /// A run whose result is no longer needed ends first.
  ~BothRuns();
  BothRuns(const BothRuns&) = delete;
  BothRuns& operator=(const BothRuns&) = delete;

  /// From here on the plain program, its launches, the buffers and what the review reads of the source stay as they
  /// are.
  void begin_plain(const RunTimes& times);
  /// A run that was begun has no effect then.
  void leave();
  void run(const RunTimes& times, PlainRun& plain, ProbedRun& probed);

 private:
  ExecutionOptions options(const RunTimes& times);
  void start(const ExecutionOptions& options);
  PlainRun taken();

  const RunRequest& request_;
  Prepared& prepared_;
  const std::atomic<bool>* cancel_;
  std::atomic<bool> stop_{false}, reporting_{false};
  RunMeter meter_;
  bool metered_;
  Handover handover_{};
  std::future<PlainRun> plain_;  // declared last: it ends before what it looks at
};

}  // namespace lanescope::engine
