#include "app/engine/session/session.h"

#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <filesystem>
#include <future>

#include "app/engine/hardware/device.h"
#include "app/engine/hardware/measure.h"
#include "app/engine/hardware/run.h"
#include "app/engine/prepare/execution.h"
#include "app/engine/prepare/prepare.h"
#include "profiling/cupti/live.h"

namespace lanescope::engine {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int timed_launches = 5;
/// How much longer than the GPU the emulator may take before the answer leaves without a prediction.
constexpr auto emulator_deadline = std::chrono::milliseconds(15);

double milliseconds_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

std::vector<std::string> wanted_metrics() {
  std::vector<std::string> names;
  for (const counters::Metric& m : counters::metrics())
    if (m.name.starts_with("smsp__sass_") && m.name.ends_with(".sum")) names.emplace_back(m.name);
  return names;
}

/// Those of the wanted that share one pass on this chip; all of them where passes cannot be planned.
std::vector<std::string> live_group(const gpu::DeviceInfo& device) {
  std::vector<std::string> wanted = wanted_metrics();
  const std::string_view chip = cupti::chip_of_capability(device.major, device.minor);
  if (chip.empty()) return wanted;
  const auto plan = cupti::plan_passes(std::string(chip), wanted);
  if (!plan || plan->groups.empty() || plan->groups.front().passes != 1) return wanted;
  return plan->groups.front().names;
}

/// The emulator beside the GPU; ended when its result is no longer awaited.
class Prediction {
 public:
  void start(const Program& program, const std::vector<trace::Buffer>& buffers, std::uint64_t max_steps) {
    run_ = std::async(std::launch::async, [this, &program, contents = buffers, max_steps]() mutable {
      return run_plain(program, std::move(contents), {.max_steps = max_steps, .cancel = &enough_});
    });
  }
  ~Prediction() { enough_ = true; }  // the future's own end waits for it

  /// nullopt: it did not keep up, or the kernel does not run to its end there.
  std::optional<counters::Counts> take() {
    if (!run_.valid()) return std::nullopt;
    if (run_.wait_for(emulator_deadline) != std::future_status::ready) enough_ = true;
    const PlainRun done = run_.get();
    if (enough_ || !done.faults.empty() || !done.refused.empty()) return std::nullopt;
    return done.counters.total;
  }

 private:
  std::atomic<bool> enough_{false};
  std::future<PlainRun> run_;  // declared last: it ends before what it looks at
};

}  // namespace

struct LiveRun::State {
  cupti::Live live{child_command("live")};
  Prepared prepared;
  std::vector<std::string> metrics;
  int device = -1;
  bool emulator_keeps_up = true;  ///< with this text
  bool warm = false;              ///< the child was queried to set up these metrics

  results::Measured measure(const RunRequest& asked, const std::atomic<bool>* cancel);
  /// True: compiled; false: the same program, launched with other numbers. Errors are in `prepared`.
  bool prepare_for(const RunRequest& request, const std::atomic<bool>* cancel) {
    const std::string before = prepared.compiled_from;
    prepared = prepare(
        request, [](std::string_view) {}, cancel, std::move(prepared));
    const bool anew = before.empty() || prepared.compiled_from != before;
    if (anew) emulator_keeps_up = true;
    return anew;
  }

  bool choose_device(int index, results::Measured& measured) {
    if (index == device) return have_device(index, measured);
    if (device >= 0) live = cupti::Live(child_command("live"));
    device = -1;
    // The child opens the device while this process looks what there is; not where a look at the files reports already that
    // there is probably none.
    std::future<void> opened;
    std::error_code ignored;
    if (std::filesystem::exists("/dev/nvidiactl", ignored)) opened = asked_beforehand({.device = index});
    if (!have_device(index, measured)) return false;
    const auto all = gpu::devices();
    if (!all) return false;  // have_device has just seen it
    device = index, warm = false;
    metrics = live_group((*all)[static_cast<std::size_t>(index)]);
    return true;
  }

  /// The child does the work that needs no kernel, in parallel with this process. The next use of `live` waits for the
  /// future first. Failures are reported when something is measured.
  std::future<void> asked_beforehand(cupti::Request request) {
    return std::async(std::launch::async, [this, request = std::move(request)] { (void)live.measure(request); });
  }
};

LiveRun::LiveRun() : state_(std::make_unique<State>()) {}
LiveRun::~LiveRun() = default;

namespace {

void take_counts(const cupti::Measurement& answer, const std::optional<counters::Counts>& predicted,
                 results::Measured& measured) {
  measured.device = answer.device;
  measured.passes = answer.passes;
  for (const counters::Metric& m : counters::metrics()) {
    const auto value = answer.total(m.name);
    if (!value || !std::isfinite(*value)) continue;
    results::MetricRow row = metric_row(m);
    row.measured = value;
    if (predicted) row.predicted = static_cast<double>(m.value(*predicted));
    measured.metrics.push_back(std::move(row));
  }
  measured.timing = timing_info({answer.milliseconds}, 0);
  explain_rows(measured.metrics);
}

}  // namespace

results::Measured LiveRun::measure(const RunRequest& asked, const std::atomic<bool>* cancel) {
  try {
    return state_->measure(asked, cancel);
  } catch (const std::exception& e) {
    results::Measured measured;
    measured.refused.push_back(
        {.file = asked.file, .message = fmt::format("this run ended unexpectedly: {}", e.what()), .remedy = ""});
    return measured;
  }
}

results::Measured LiveRun::State::measure(const RunRequest& asked, const std::atomic<bool>* cancel) {
  State& s = *this;
  results::Measured measured;
  auto request = with_run_overrides(asked);
  if (!request) return measured.refused = request.error(), measured;
  request->on_gpu = true;  // compiled for the device
  request->plain_run = true, request->probed_run = false, request->review = false;
  if (!s.choose_device(request->device, measured)) return measured;
  const auto start = Clock::now();
  std::future<void> ready;
  if (!s.warm || !s.live.running()) ready = s.asked_beforehand({.metrics = s.metrics, .device = request->device});
  s.warm = true;
  const bool compiled = s.prepare_for(*request, cancel);
  if (!s.prepared.ready) return measured.refused = s.prepared.diagnostics, measured;
  results::LiveCost cost{.compile_ms = compiled ? milliseconds_since(start) : 0};
  if (ready.valid()) ready.wait();

  Prediction prediction;
  if (s.emulator_keeps_up) prediction.start(s.prepared.plain, s.prepared.buffers, request->max_steps);
  const auto launched = Clock::now();
  const auto answer =
      s.live.measure({.ptx = s.prepared.plain.ptx,
                      .launches = host_launches(s.prepared.plain),
                      .buffers = s.prepared.buffers,
                      .metrics = s.metrics,
                      .device = request->device,
                      .cooperative = s.prepared.plain.cooperative,
                      .heap_bytes = s.prepared.plain.heap_bytes,
                      .replay = s.prepared.plain.heap_bytes > 0 ? cupti::Replay::sequence : cupti::Replay::kernel,
                      .timed = timed_launches},
                     HardwareOptions{.limit_seconds = request->gpu_limit_seconds, .cancel = cancel}.deadline());
  if (!answer) return measured.refused = answer.error(), measured;
  cost.measure_ms = milliseconds_since(launched);
  const auto predicted = prediction.take();
  s.emulator_keeps_up = predicted.has_value();
  take_counts(*answer, predicted, measured);
  measured.live = cost;
  return measured;
}

}  // namespace lanescope::engine
