#include "app/engine/requests/time_limit.h"

#include <fmt/format.h>

#include <algorithm>

namespace lanescope::engine {
namespace {

constexpr std::chrono::milliseconds look_at_flag{10};

std::string_view remedy_of(std::string_view stage) {
  if (stage == "reading") return "reduce the computation of the host code before the launches";
  if (stage == "compiling") return "compile fewer templates and headers";
  return "make the kernel or its grid smaller";
}

}  // namespace

TimeLimit::TimeLimit(std::string file, double seconds, const std::atomic<bool>* cancel, Overdue overdue)
    : file_(std::move(file)),
      seconds_(seconds),
      limited_(seconds > 0 && seconds < longest_seconds),
      cancel_(cancel),
      overdue_(std::move(overdue)) {
  if (!limited_) return;
  const auto time = std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  end_ = Clock::now() + time;
  thread_ = std::thread([this] { watch(end_); });
}

TimeLimit::~TimeLimit() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    done_ = true;
  }
  done_changed_.notify_one();
  thread_.join();
}

void TimeLimit::watch(Clock::time_point end) {
  std::unique_lock lock(mutex_);
  const auto wait_until = [&](Clock::time_point then) {
    while (!done_ && Clock::now() < then) {
      if (cancel_ != nullptr && cancel_->load(std::memory_order_relaxed)) stop_ = true;
      done_changed_.wait_until(lock, cancel_ == nullptr ? then : std::min(then, Clock::now() + look_at_flag));
    }
    return done_;
  };
  if (wait_until(end)) return;
  late_stage_ = stage_;
  late_ = stop_ = true;
  if (!overdue_ || wait_until(end + grace)) return;
  lock.unlock();
  overdue_(words());
}

void TimeLimit::enter(std::string_view stage) {
  const std::lock_guard lock(mutex_);
  const auto now = Clock::now();
  const std::chrono::duration<double> taken = now - stage_begun_;
  stage_begun_ = now;
  if (stage == stage_) return;
  if (!late_) times_ += fmt::format("{}{} took {:.1f} s", times_.empty() ? "" : ", ", stage_, taken.count());
  stage_ = stage;
}

Diagnostic TimeLimit::words() const {
  const std::lock_guard lock(mutex_);
  return {.file = file_,
          .message = fmt::format("timeout: {} was stopped after {:g} s", late_stage_, seconds_),
          .remedy = fmt::format("raise the time limit (--max-seconds), or {}{}", remedy_of(late_stage_),
                                times_.empty() ? "" : "; " + times_)};
}

}  // namespace lanescope::engine
