#include "app/engine/session/measurement.h"

#include <fmt/format.h>

#include "app/engine/hardware/measure.h"
#include "app/engine/hardware/run.h"
#include "app/engine/hardware/trace.h"
#include "app/engine/summary/summarize.h"

namespace lanescope::engine {
namespace {

/// The emulator's, where it ran to its end; a run on a GPU keeps them apart.
const std::vector<trace::Buffer>* emulated_buffers(const RunState& s) {
  if (s.request.on_gpu) return s.emulated.empty() ? nullptr : &s.emulated;
  return s.plain.refused.empty() && s.plain.faults.empty() && s.plain.whole() ? &s.plain.buffers : nullptr;
}

results::Measured measure_parts(const RunState& s, const MeasureRequest& request, const std::atomic<bool>* cancel) {
  results::Measured measured;
  if (!s.prepared.ready || s.prepared.plain.ptx.empty()) {
    measured.refused.push_back({.file = s.request.file,
                                .message = "there is no compiled program to measure",
                                .remedy = "correct the kernel first"});
    return measured;
  }
  const HardwareRun run{s.prepared.plain,
                        s.prepared.buffers,
                        {.device = request.device,
                         .warm_up = request.warm_up,
                         .repetitions = request.repetitions,
                         .limit_seconds = request.limit_seconds,
                         .cancel = cancel}};
  if (request.timing) {
    const auto answer = run_on_gpu(run);
    if (!answer) return measured.refused = answer.error(), measured;
    describe_answer(*answer, request.warm_up, measured);
    if (!measured.fault.empty()) return locate_fault(s.plain.faults, measured), measured;
    if (const auto* emulated = emulated_buffers(s))
      measured.buffers = compare_buffers(answer->buffers, *emulated, s.plain.heap.get());
  }
  const Measuring what{run, s.plain.counters};
  const auto wanted = [&](bool part) { return part && !cancelled(cancel); };
  if (wanted(request.counters)) measure_counters(what, request.metrics, measured);
  if (wanted(request.instructions)) measure_instructions(what, measured);
  if (wanted(request.stalls)) measure_stalls(run, measured);
  if (wanted(request.activity)) measure_activity(run, measured);
  if (wanted(request.trace))
    measure_trace({run, static_cast<std::size_t>(s.recorded_launch), s.request.record_block}, measured);
  if (!s.plain.faults.empty())
    forget_predictions("the emulator stops before the end, " + s.plain.faults.front().message, measured);
  else if (!s.plain.whole())
    forget_predictions("the emulator did not run all blocks: " + partial_words(s.summary), measured);
  else if (s.plain.launches.empty())
    forget_predictions("the emulator does not run this kernel", measured);
  return measured;
}

}  // namespace

results::Measured measure_run(const RunState& s, const MeasureRequest& request, const std::atomic<bool>* cancel) {
  try {
    return measure_parts(s, request, cancel);
  } catch (const std::exception& e) {
    results::Measured measured;
    measured.refused.push_back({.file = s.request.file,
                                .message = fmt::format("the measurement ended unexpectedly: {}", e.what()),
                                .remedy = ""});
    return measured;
  }
}

}  // namespace lanescope::engine
