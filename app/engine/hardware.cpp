#include "app/engine/hardware.h"

#include <fmt/format.h>
#include <sys/prctl.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstring>

#include "app/engine/contents.h"
#include "app/engine/hardware_claims.h"
#include "app/engine/host_values.h"
#include "profiling/counters/explain.h"
#include "profiling/cupti/child.h"
#include "profiling/cupti/live.h"

namespace lanescope::engine {
namespace {

/// Asked before a child is started: the answer is quick, and the sentence the same.
Expected<void> need_device(int device) {
  const auto all = gpu::devices();
  if (!all) return tl::unexpected(all.error());
  if (device < 0 || static_cast<std::size_t>(device) >= all->size())
    return failure(fmt::format("there is no GPU {}", device),
                   fmt::format("this machine has {}; the first is 0", all->size()));
  return {};
}

std::string version_words(int driver_version) {
  return fmt::format("{}.{}", driver_version / 1000, driver_version % 1000 / 10);
}

std::vector<views::MetricRow> predicted_rows(const counters::Counts& counts) {
  std::vector<views::MetricRow> rows;
  for (const counters::Metric& m : counters::metrics())
    rows.push_back({.name = std::string(m.name),
                    .legacy = std::string(m.legacy),
                    .unit = std::string(m.unit),
                    .group = metric_group(m.name),
                    .formula = std::string(m.formula),
                    .predicted = static_cast<double>(m.value(counts))});
  for (const counters::Ratio& r : counters::ratios())
    rows.push_back({.name = std::string(r.name),
                    .legacy = std::string(r.legacy),
                    .unit = std::string(r.unit),
                    .group = metric_group(r.name),
                    .formula = std::string(r.formula),
                    .predicted = r.value(counts)});
  return rows;
}

bool is_hardware_name(std::string_view name) { return !name.starts_with("lanescope__"); }

/// Ratios are not summed over launches: of several, only counts are compared.
std::optional<double> measured_value(const cupti::Measurement& m, const std::string& name) {
  const bool ratio = !name.ends_with(".sum");
  if (ratio && m.values.size() != 1) return std::nullopt;
  const auto value = m.total(name);
  return value && std::isfinite(*value) ? value : std::nullopt;
}

}  // namespace

Patience patience_of(double limit_seconds, const std::atomic<bool>* cancel) {
  return {std::chrono::milliseconds(static_cast<std::int64_t>(limit_seconds * 1000)), cancel};
}

std::vector<std::string> gpu_devices() {
  std::vector<std::string> names;
  if (const auto all = gpu::devices())
    for (const gpu::DeviceInfo& d : *all) names.push_back(d.name);
  return names;
}

bool have_device(int device, views::Measured& measured) {
  const auto there = need_device(device);
  if (!there) measured.refused.insert(measured.refused.end(), there.error().begin(), there.error().end());
  return there.has_value();
}

void explain_rows(std::vector<views::MetricRow>& rows) {
  const auto pair = [&](std::string_view name) -> std::optional<counters::Pair> {
    const auto row = std::ranges::find(rows, name, &views::MetricRow::name);
    if (row == rows.end() || !row->predicted || !row->measured) return std::nullopt;
    return counters::Pair{*row->predicted, *row->measured};
  };
  for (views::MetricRow& row : rows) row.cause = counters::explain(row.name, pair).words;
}

std::string metric_group(std::string_view name) {
  static constexpr std::pair<std::string_view, std::string_view> groups[] = {
      {"mem_global", "global memory"}, {"op_global", "global memory"},
      {"mem_shared", "shared memory"}, {"op_shared", "shared memory"},
      {"ldgsts", "shared memory"},     {"mem_local", "local memory"},
      {"op_local", "local memory"},    {"constant", "constant memory"},
      {"branch", "branches"},          {"inst_executed", "instructions"},
      {"dram__", "device memory"},     {"lts__", "L2"},
      {"warps_active", "occupancy"},   {"stalled", "stalls"}};
  for (const auto& [part, group] : groups)
    if (name.find(part) != name.npos) return std::string(group);
  return "other";
}

std::vector<std::string> child_command(const std::string& task) { return {"/proc/self/exe", "child", task}; }

int serve_child(std::string_view task) {
  // A kernel that never ends must not outlive the program that asked for it.
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (task == "run") return gpu::run_child();
  if (task == "measure") return cupti::measure_child();
  if (task == "live") return cupti::live_child();
  if (task == "judge") return judge_child();
  return 2;
}

bool needs_cooperative_launch(const std::string& ptx) { return ptx.find("%envreg") != std::string::npos; }

Expected<gpu::ChildAnswer> run_on_gpu(const Program& program, const std::vector<trace::Buffer>& buffers,
                                      const HardwareOptions& options) {
  if (auto there = need_device(options.device); !there) return tl::unexpected(there.error());
  return gpu::run_in_child(child_command("run"),
                           {.ptx = program.ptx,
                            .launches = program.launches,
                            .buffers = buffers,
                            .options = {.device = options.device,
                                        .warm_up = options.warm_up,
                                        .repetitions = options.repetitions,
                                        .cooperative = needs_cooperative_launch(program.ptx)}},
                           patience_of(options.limit_seconds, options.cancel));
}

std::vector<views::BufferComparison> compare_buffers(const std::vector<trace::Buffer>& on_gpu,
                                                     const std::vector<trace::Buffer>& emulated) {
  std::vector<views::BufferComparison> out;
  for (std::size_t i = 0; i < on_gpu.size() && i < emulated.size(); ++i) {
    const trace::Buffer &a = on_gpu[i], &b = emulated[i];
    const auto bits = static_cast<std::uint64_t>(std::max(b.element_bits, 1));
    views::BufferComparison c{.name = b.name, .elements = b.bytes.size() * 8 / bits, .gpu = {}, .emulator = {}};
    if (const Differences d =
            a.bytes.size() == b.bytes.size() ? differences(static_cast<int>(bits), a.bytes, b.bytes) : Differences{};
        d.count > 0) {
      c.different = d.count, c.first = static_cast<std::uint64_t>(d.first);
      c.gpu = element_words(b.element_type, a.bytes, c.first);
      c.emulator = element_words(b.element_type, b.bytes, c.first);
    }
    out.push_back(std::move(c));
  }
  return out;
}

void take_contents(std::vector<trace::Buffer>&& on_gpu, const std::vector<trace::Buffer>& like,
                   std::vector<trace::Buffer>& into) {
  into = like;
  for (std::size_t i = 0; i < into.size() && i < on_gpu.size(); ++i) into[i].bytes = std::move(on_gpu[i].bytes);
}

void locate_fault(const std::vector<emulator::Fault>& emulated, views::Measured& measured) {
  if (emulated.empty()) {
    measured.fault_source = "the emulator runs the same program to its end, so where it faults is not known";
    return;
  }
  measured.fault_line = emulated.front().line;
  measured.fault_source = "the emulator stops, too: " + emulated.front().message;
}

std::optional<views::TimingInfo> timing_info(const gpu::Timing& timing, int warm_up) {
  const auto& times = timing.milliseconds;
  if (times.empty()) return std::nullopt;
  const auto [least, most] = std::minmax_element(times.begin(), times.end());
  return views::TimingInfo{.warm_up = warm_up,
                           .repetitions = static_cast<int>(times.size()),
                           .median_us = 1e3 * timing.median(),
                           .spread_us = 1e3 * timing.spread(),
                           .least_us = 1e3 * *least,
                           .most_us = 1e3 * *most};
}

void describe_answer(const gpu::ChildAnswer& answer, int warm_up, views::Measured& measured) {
  measured.fault = answer.result.fault;
  if (!answer.device.name.empty()) {
    measured.device = answer.device.name;
    measured.arch = answer.device.arch();
    measured.driver = version_words(answer.device.driver_version);
    measured.multiprocessors = answer.device.multiprocessors;
  }
  if (auto timing = timing_info(answer.result.timing, warm_up)) measured.timing = timing;
}

void forget_predictions(const std::string& why, views::Measured& measured) {
  for (views::MetricRow& row : measured.metrics) row.predicted.reset(), row.cause.clear();
  measured.refused.push_back(
      {.file = {}, .message = "nothing is predicted: " + why, .remedy = {}, .severity = Severity::note});
}

void measure_counters(const Program& program, const std::vector<trace::Buffer>& buffers,
                      const counters::Report& predicted, const MeasureRequest& request, const std::atomic<bool>* cancel,
                      views::Measured& measured) {
  std::vector<views::MetricRow> rows = predicted_rows(predicted.total);
  for (const std::string& name : request.metrics)
    if (std::ranges::find(rows, name, &views::MetricRow::name) == rows.end())
      rows.push_back({.name = name, .legacy = {}, .unit = {}, .group = metric_group(name), .formula = {}});
  if (!have_device(request.device, measured)) {  // what is predicted needs none
    measured.metrics = std::move(rows);
    return;
  }
  std::vector<std::string> names;
  for (const views::MetricRow& row : rows)
    if (is_hardware_name(row.name)) names.push_back(row.name);
  const auto answer = cupti::measure_in_child(child_command("measure"),
                                              {.ptx = program.ptx,
                                               .launches = program.launches,
                                               .buffers = buffers,
                                               .metrics = names,
                                               .device = request.device,
                                               .cooperative = needs_cooperative_launch(program.ptx)},
                                              patience_of(request.limit_seconds, cancel));
  if (!answer) {
    measured.refused.insert(measured.refused.end(), answer.error().begin(), answer.error().end());
  } else {
    for (views::MetricRow& row : rows) row.measured = measured_value(*answer, row.name);
    measured.passes = answer->passes;
    if (measured.device.empty()) measured.device = answer->device;
  }
  explain_rows(rows);
  measured.metrics = std::move(rows);
}

}  // namespace lanescope::engine
