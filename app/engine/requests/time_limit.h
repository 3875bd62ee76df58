#pragma once
// The time that a request may take in all: reading, compiling, running and judging together.
//
// When it is over a flag is set, which the emulator and the judges look at; what they leave is a run that says which
// stage took too long. A stage that does not look (the compiler runs in this process and cannot be stopped) has a
// little longer; then the owner of the process is notified on a thread of this limit's own, and ends it.

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

#include "kernels/base/diagnostic.h"

namespace lanescope::engine {

/// Must not return: it is called on a thread beside the one that is stuck.
using Overdue = std::function<void(const Diagnostic&)>;

/// From here on there is no limit: sums of times must not overflow.
inline constexpr double longest_seconds = 1e6;

/// Whether the flag is set; nullptr: it cannot be set.
inline bool cancelled(const std::atomic<bool>* cancel) { return cancel && cancel->load(std::memory_order_relaxed); }

class TimeLimit {
 public:
  /// `seconds` of 0: no limit. `cancel`: the caller's own flag, which ends a request as well.
  TimeLimit(std::string file, double seconds, const std::atomic<bool>* cancel, Overdue overdue);
  ~TimeLimit();
  TimeLimit(const TimeLimit&) = delete;
  TimeLimit& operator=(const TimeLimit&) = delete;

  /// The stage that begins now: "compiling".
  void enter(std::string_view stage);
  /// Set when the request is no longer needed, for either reason; may be nullptr.
  const std::atomic<bool>* stop() const { return limited_ ? &stop_ : cancel_; }
  bool late() const { return late_; }
  /// When the time is over; max(): never.
  std::chrono::steady_clock::time_point end() const { return end_; }
  /// "timeout: compiling was stopped after 5 s", of the stage at which the time was over; the remedy is that of the
  /// stage, with the times that the stages before it took.
  Diagnostic words() const;

  static constexpr std::chrono::milliseconds grace{1000};

 private:
  using Clock = std::chrono::steady_clock;
  void watch(Clock::time_point end);

  std::string file_;
  double seconds_;
  bool limited_;
  const std::atomic<bool>* cancel_;
  Overdue overdue_;
  std::atomic<bool> stop_{false}, late_{false};
  mutable std::mutex mutex_;
  std::condition_variable done_changed_;
  std::string stage_ = "reading", late_stage_;
  Clock::time_point end_ = Clock::time_point::max(), stage_begun_ = Clock::now();
  std::string times_;  ///< of the stages that ended
  bool done_ = false;
  std::thread thread_;
};

}  // namespace lanescope::engine
