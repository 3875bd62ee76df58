#include "app/engine/session/gpu_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "app/engine/hardware/measure.h"
#include "app/engine/hardware/run.h"
#include "app/engine/summary/summarize.h"

namespace lanescope::engine {
namespace {

using results::NoticeCode;

HardwareOptions options_of(const RunRequest& request, const std::atomic<bool>* cancel) {
  return {.device = request.device, .limit_seconds = request.gpu_limit_seconds, .cancel = cancel};
}

/// Resources of the first launch's kernel by the driver, if the compiler reported none. A driver does not distinguish spills from
/// other local memory.
void take_resources(const gpu::Resources& from, Prepared& prepared) {
  if (from.registers == 0 || prepared.plain.launches.empty()) return;
  prepared.resources.try_emplace(prepared.plain.launches.front().kernel,
                                 compile::Resources{.registers = from.registers,
                                                    .shared_bytes = from.shared_bytes,
                                                    .spill_bytes = from.local_bytes == 0 ? 0 : -1,
                                                    .local_bytes = from.local_bytes});
}

/// Where threads conflicted without an order between them: in one launch, or in launches of several streams.
std::vector<int> race_lines(const RunState& s) {
  std::vector<int> lines;
  for (const review::Finding& f : s.findings)
    if (review::is_race(f)) lines.push_back(f.line);
  std::ranges::sort(lines);
  lines.erase(std::ranges::unique(lines).begin(), lines.end());
  return lines;
}

void add_once(results::Notice notice, std::vector<results::Notice>& to) {
  if (!std::ranges::count(to, notice)) to.push_back(std::move(notice));
}

/// The GPU ran to the end what the emulator could not: that is a notice, and what the emulator counted until then is no
/// prediction.
void set_aside_unsupported(RunState& s) {
  const auto unsupported = [](const std::vector<emulator::Fault>& faults) {
    return !faults.empty() && faults.front().kind == emulator::Fault::Kind::unsupported;
  };
  for (std::vector<emulator::Fault>* faults : {&s.plain.faults, &s.probed.faults}) {
    if (!unsupported(*faults)) continue;
    add_once(coded<NoticeCode::emulator_stopped>(faults->front().message), s.summary.notices);
    if (faults == &s.plain.faults) s.plain.launches.clear(), s.plain.counters = {}, s.plain.divergence = {};
    faults->clear();
  }
}

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

void run_hardware(const RunRequest& request, const std::atomic<bool>* cancel, RunState& s) {
  s.summary.engine = "gpu";
  auto answer = run_on_gpu({s.prepared.plain, s.prepared.buffers, options_of(request, cancel)});
  if (!answer) {
    s.hardware.refused = answer.error();
    std::ranges::move(answer.error(), std::back_inserter(s.summary.diagnostics));
    return;
  }
  describe_answer(*answer, 0, s.hardware);
  take_resources(answer->result.resources, s.prepared);
  const bool emulated = s.plain.refused.empty() && s.plain.faults.empty() && s.plain.whole();
  for (Diagnostics* refused : {&s.plain.refused, &s.probed.refused}) {  // the GPU still ran it
    if (!refused->empty()) add_once(coded<NoticeCode::emulator_refused>(refused->front().message), s.summary.notices);
    refused->clear();
  }
  if (!answer->result.fault.empty()) {
    locate_fault(s.plain.faults, s.hardware);
    s.summary.diagnostics.push_back({.file = request.file,
                                     .line = s.hardware.fault_line,
                                     .message = "on the GPU: " + s.hardware.fault,
                                     .remedy = s.hardware.fault_source});
    return;
  }
  set_aside_unsupported(s);
  if (emulated) s.hardware.buffers = compare_buffers(answer->buffers, s.plain.buffers, s.plain.heap.get());
  if (emulated) s.emulated = std::move(s.plain.buffers);
  take_contents(std::move(answer->buffers), s.prepared.buffers, s.plain.buffers);
}

void judge_hardware(const RunRequest& request, const std::atomic<bool>* cancel, RunState& s) {
  if (!s.hardware.refused.empty()) s.summary.ok = false;  // nothing here is the GPU's
  if (s.summary.claims.empty() || !s.summary.ok) return;
  const bool faulted = !s.hardware.fault.empty();
  JudgedOnGpu judged = faulted ? JudgedOnGpu{} : judge_on_gpu(request, cancel);
  using source::Why;
  const source::ClaimReason why = faulted ? coded<Why::gpu_refused>("the launch failed on the GPU")
                                  : judged.refused.empty()
                                      ? coded<Why::not_executed_on_gpu>()
                                      : coded<Why::gpu_refused>("on the GPU: " + judged.refused.front().message);
  for (std::size_t i = 0; i < s.summary.claims.size(); ++i) {
    claims::ClaimResult& result = s.summary.claims[i].result;
    if (i < judged.results.size()) {
      result = std::move(judged.results[i]);
      continue;
    }
    result.verdict = claims::Verdict::unchecked;
    result.reason = why;
  }
  s.summary.notices.insert(s.summary.notices.end(), judged.notices.begin(), judged.notices.end());
}

void watch_hardware(const RunRequest& request, const std::atomic<bool>* cancel, RunState& s) {
  const ProbedLaunch* shown = s.recorded();
  if (!shown || !s.summary.ok || !s.hardware.fault.empty() || s.prepared.probed.ptx.empty()) return;
  const HardwareRun run{s.prepared.probed, s.prepared.buffers, options_of(request, cancel)};
  auto watched = watch_on_gpu({run, static_cast<std::size_t>(s.recorded_launch), request.record_block}, shown->trace);
  if (!watched) {
    s.summary.notices.push_back(coded<NoticeCode::gpu_not_watched>(watched.error().front().message));
    return;
  }
  s.seen = std::move(watched->seen);
  if (!watched->difference.empty())
    s.summary.notices.push_back(coded<NoticeCode::gpu_accesses_differ>(watched->difference));
}

void report_differences(const RunRequest& request, const std::atomic<bool>* cancel, RunState& s) {
  const auto& buffers = s.hardware.buffers;
  if (std::ranges::none_of(buffers, [](const results::BufferComparison& c) { return c.different > 0; })) return;
  const auto stores = last_stores(s.prepared.plain, s.prepared.buffers, buffers,
                                  {.seed = request.seed, .max_steps = request.max_steps, .cancel = cancel});
  std::uint64_t threads = 1;
  for (const trace::Launch& l : s.prepared.plain.launches)
    threads = std::max(threads, l.grid.count() * l.block.count());
  for (std::size_t i = 0; i < buffers.size() && i < stores.size(); ++i) {
    if (buffers[i].different == 0) continue;
    DifferenceEvidence evidence =
        difference_evidence({s.prepared.plain, s.prepared.buffers, options_of(request, cancel)}, stores[i]);
    evidence.race_lines = race_lines(s);
    evidence.threads = threads;
    s.summary.diagnostics.push_back(difference_words(request.file, buffers[i], evidence));
  }
}

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
