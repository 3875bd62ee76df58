#pragma once
// The two programs of a kernel, run in the emulator side by side.

#include <atomic>

#include "app/engine/prepare/execution.h"
#include "app/engine/prepare/prepare.h"
#include "app/engine/prepare/run_times.h"
#include "app/engine/requests/requests.h"

namespace lanescope::engine {

/// Runs the plain and the probed program, or the one of them that is wanted; each has its own copy of the buffers.
void run_both(const RunRequest& request, const RunTimes& times, Prepared& prepared, const std::atomic<bool>* cancel,
              StepMeter* meter, PlainRun& plain, ProbedRun& probed);

}  // namespace lanescope::engine
