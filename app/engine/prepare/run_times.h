#pragma once
// How long the launches of a run may take. A run that cannot end in its time is not lost: each launch is cut between blocks
// (kernels/trace/coverage.h) early enough that what ran can still be judged and shown.

#include <cstddef>

#include "kernels/emulator/emulator.h"

namespace lanescope::engine {

struct RunTimes {
  using Clock = emulator::Limits::Clock;
  Clock::time_point cut = Clock::time_point::max();    ///< no more blocks begin
  Clock::time_point leave = Clock::time_point::max();  ///< what is under way is left
  Clock::time_point end = Clock::time_point::max();    ///< of the whole request
  bool limited() const { return cut != Clock::time_point::max(); }
  /// Nothing can be run any more.
  bool over(Clock::time_point now) const { return limited() && now >= leave; }
};

/// From `now` on: `end` is when the whole request must have ended (max(): never), `run_seconds` what running may take
/// (0: what `end` leaves).
RunTimes run_times(RunTimes::Clock::time_point now, RunTimes::Clock::time_point end, double run_seconds);

/// Of the next launch, which begins now, and behind which `more` others follow: these get a part of the time, too. Its
/// first blocks have a second, however late it is: making the arrays may have taken all the time that there was.
emulator::Limits launch_limits(const RunTimes& times, RunTimes::Clock::time_point now, std::size_t more);

}  // namespace lanescope::engine
