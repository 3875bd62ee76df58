#pragma once
// The part of a GPU in a run that is requested on it.

#include <atomic>

#include "app/engine/requests/requests.h"
#include "app/engine/summary/run_state.h"

namespace lanescope::engine {

/// The outputs of a run on a GPU are the GPU's; the emulator's are what they are compared with.
void run_hardware(const RunRequest& request, const std::atomic<bool>* cancel, RunState& s);
/// The verdicts of a run on a GPU are those of the GPU; where it cannot show, unchecked, with the reason.
void judge_hardware(const RunRequest& request, const std::atomic<bool>* cancel, RunState& s);
/// Views show what the GPU accessed. Where it cannot be watched they show the emulator's, and a notice says so.
void watch_hardware(const RunRequest& request, const std::atomic<bool>* cancel, RunState& s);
/// A warning for each buffer that the GPU left otherwise than the emulator, with what is known of the cause.
void report_differences(const RunRequest& request, const std::atomic<bool>* cancel, RunState& s);

// Measurements of the launches of a run, beside their predictions.

/// On any thread: a failure is an answer. Blocks until it is done or no longer needed.
results::Measured measure_run(const RunState& s, const MeasureRequest& request, const std::atomic<bool>* cancel);

}  // namespace lanescope::engine
