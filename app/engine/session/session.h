#pragma once
// One kernel under study: source in, results out. Synchronous and free of any window; it runs in this process (command
// line, tests) or in a worker child (the window). Everything that comes out is a value that can cross a pipe.

#include <atomic>
#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include "app/engine/requests/requests.h"
#include "app/engine/requests/run_result.h"
#include "app/engine/requests/time_limit.h"
#include "kernels/source/source.h"
#include "results/contents.h"
#include "results/journey.h"
#include "results/measured.h"
#include "results/moment.h"

namespace lanescope::engine {

class Session {
 public:
  Session();
  ~Session();
  Session(Session&&) noexcept;
  Session& operator=(Session&&) noexcept;
  /// Reported at the start of each stage of a run: "reading", "compiling", "running", "judging".
  void on_progress(std::function<void(std::string_view stage)> listener);
  /// Reported now and then while kernels run. Called on the threads that run them, one at a time.
  void on_steps(std::function<void(const RanSoFar&)> listener);
  /// Whether the plain run begins while the probed program is still being compiled, where nothing can change it any more. No
  /// result depends on it.
  void begin_early(bool early);
  /// Called where a request is over its limit and does not end by itself; see time_limit.h.
  void on_overdue(Overdue handler);
  /// Reads, compiles, runs and judges. Never throws; everything that failed is in Summary::diagnostics.
  const results::Summary& run(const RunRequest& given, const std::atomic<bool>* cancel = nullptr);
  /// As run() where RunRequest::from_history is set and holds: the summary of the last run, with that part recorded. False,
  /// and nothing has changed: it needs a run.
  bool record(const RunRequest& given, const std::atomic<bool>* cancel = nullptr);
  const results::Summary& summary() const;
  Ending ending() const;
  const std::vector<Output>& outputs() const;
  /// Predicted counters of the plain run, every metric, per line and in total.
  const counters::Report& counters() const;
  /// Of the review, where one was requested; ascending line.
  const std::vector<review::Finding>& findings() const;
  /// Of the plain run (of the probed one when there was no plain run).
  const std::vector<emulator::Fault>& faults() const;
  /// Of a run on a GPU: what it said of itself, and its buffers against the emulator's.
  const results::Measured& hardware() const;
  results::Moment moment(const MomentRequest& request) const;
  /// Elements of a buffer before and after the launches of the last run.
  results::Contents contents(const ContentsRequest& request) const;
  /// The places that elements pass through in the recorded block.
  results::Journeys journeys(const JourneyRequest& request) const;
  /// Measurements of the same launches on a GPU, beside their predictions. Blocks until it is done or no longer needed.
  results::Measured measure(const MeasureRequest& request, const std::atomic<bool>* cancel = nullptr) const;
  /// Gives back the memory of the checkpoints; record() then needs a run.
  void forget_checkpoints();
  /// The text with the comments the author did not write. Error: what kept it from running.
  Expected<claims::Annotation> annotate(const RunRequest& request);
  /// The same with what the run said.
  Expected<AnnotatedText> annotate_whole(const RunRequest& request);
  const source::Source* source() const;
  /// Runs, measures where the request says so, and keeps everything.
  RunResult run_whole(const RunRequest& request, const std::atomic<bool>* cancel = nullptr);

 private:
  struct State;
  const results::Summary& run_within(const RunRequest& given, TimeLimit& limit);
  /// As record(), within `limit`.
  bool record_from_history(const RunRequest& given, TimeLimit& limit);

  std::unique_ptr<State> state_;
};

// Counters that follow a hand: the kernel as it is now, launched and counted by a child that stays (profiling/cupti/
// live.h). Between two requests the compiled program, the device's context and the metrics stay in place, so a number
// that moves costs a launch and a text that changes costs a compilation, too.
//
//   text, numbers --compile if the text changed--> launches --> GPU: the live group
//                                                          \--> emulator: what is predicted, where it keeps up
//
// The live group: the predicted counters `smsp__sass_*.sum`, as many as one pass of the kernel can count, and the time by
// events.

class LiveRun {
 public:
  LiveRun();
  ~LiveRun();
  LiveRun(const LiveRun&) = delete;
  LiveRun& operator=(const LiveRun&) = delete;

  /// Launches `request`, timed and then counted; not for several threads at once. `refused` has an entry if it does
  /// not compile, has no GPU or takes longer than `gpu_limit_seconds`; Measured::live has the time of each part.
  results::Measured measure(const RunRequest& asked, const std::atomic<bool>* cancel = nullptr);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace lanescope::engine
