#include "app/engine/prepare/execution.h"

#include <algorithm>

#include "app/engine/requests/time_limit.h"

namespace lanescope::engine {
namespace {

using Clock = RunTimes::Clock;

constexpr Clock::duration least_for_blocks =
    std::chrono::seconds(1);                // however short a budget is, some blocks run whole
constexpr double part_for_blocks = 0.6;     // of the time of a request
constexpr double part_until_left = 0.75;    // the rest is for judging
constexpr double part_before_others = 0.7;  // of the time left, where more launches follow

Clock::time_point between(Clock::time_point from, Clock::time_point to, double part) {
  return from + std::chrono::duration_cast<Clock::duration>(std::max(to - from, Clock::duration::zero()) * part);
}

}  // namespace

RunTimes run_times(Clock::time_point now, Clock::time_point end, double run_seconds) {
  RunTimes times{.end = end};
  if (end != Clock::time_point::max())
    times = {.cut = between(now, end, part_for_blocks), .leave = between(now, end, part_until_left), .end = end};
  if (run_seconds > 0 && run_seconds < longest_seconds) {
    const auto budget = std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(run_seconds));
    times.cut = std::min(times.cut, now + budget);
    times.leave = std::min(times.leave, now + std::max(2 * budget, least_for_blocks));
  }
  return times;
}

emulator::Limits launch_limits(const RunTimes& times, Clock::time_point now, std::size_t more) {
  if (!times.limited()) return {};
  const double part = more > 0 ? part_before_others : 1;
  const Clock::time_point cut = between(now, times.cut, part);
  const Clock::time_point of_its_part = between(now, times.leave, part);
  const Clock::time_point leave = std::max(of_its_part, std::min(now + least_for_blocks, times.end));
  return {.no_block_after = cut, .no_sample_after = between(cut, leave, 0.5), .leave_at = leave};
}

}  // namespace lanescope::engine
