#include "app/engine/hardware/measure.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>

#include "app/engine/hardware/device.h"
#include "app/engine/hardware/machine_code.h"
#include "kernels/base/text.h"
#include "profiling/counters/explain.h"
#include "profiling/cupti/child.h"

namespace lanescope::engine {
namespace {

cupti::Request request_of(const HardwareRun& run) {
  cupti::Request out{.ptx = run.program.ptx,
                     .launches = host_launches(run.program),
                     .buffers = run.buffers,
                     .device = run.options.device,
                     .cooperative = run.program.cooperative,
                     .heap_bytes = run.program.heap_bytes};
  if (out.heap_bytes > 0) out.replay = cupti::Replay::sequence;
  return out;
}

std::optional<std::size_t> index_of(const std::vector<std::string>& names, std::string_view name) {
  const auto found = std::ranges::find(names, name);
  if (found == names.end()) return std::nullopt;
  return static_cast<std::size_t>(found - names.begin());
}

std::uint64_t count_at(const std::vector<double>& values, std::optional<std::size_t> index) {
  return index && *index < values.size() ? static_cast<std::uint64_t>(values[*index]) : 0;
}

using InstructionKey = std::pair<std::string, std::uint32_t>;  ///< function, offset

/// Every instruction as text, and those that the disassembler does not show (where there is none) by their counts.
std::vector<results::SassRow> sass_rows(const Program& program, const cupti::SassReport& report) {
  const auto executed = index_of(report.metrics, "smsp__sass_inst_executed");
  const auto threads = index_of(report.metrics, "smsp__sass_thread_inst_executed_pred_on");
  std::map<InstructionKey, results::SassRow> rows;
  const std::vector<std::string_view> ptx = split_lines(program.ptx);
  for (const cupti::SassLine& l : report.code) {
    results::SassRow& row = rows[{l.function, l.offset}];
    row = {.function = l.function,
           .text = l.text,
           .offset = l.offset,
           .line = user_line(program.user_file, program.lines, l)};
    if (l.ptx_line > 0 && static_cast<std::size_t>(l.ptx_line) <= ptx.size())
      row.ptx_line = l.ptx_line, row.ptx = trimmed(ptx[static_cast<std::size_t>(l.ptx_line) - 1]);
  }
  for (const cupti::SassRow& r : report.rows) {
    results::SassRow& row = rows[{r.function, r.offset}];
    row.function = r.function, row.offset = r.offset;
    if (row.line == 0) row.line = user_line(program.user_file, program.lines, r.file, r.line);
    row.executed = count_at(r.values, executed);
    row.threads_executed = count_at(r.values, threads);
  }
  std::vector<results::SassRow> out;
  for (auto& [key, row] : rows) out.push_back(std::move(row));
  return out;
}

std::vector<results::OpcodeRow> opcode_rows(const std::vector<results::SassRow>& code) {
  std::array<results::OpcodeRow, cupti::sass_kinds> kinds;
  for (const results::SassRow& row : code) {
    if (row.text.empty()) continue;
    auto& kind = kinds[static_cast<std::size_t>(cupti::kind_of(row.text))];
    ++kind.written, kind.executed += row.executed;
  }
  std::vector<results::OpcodeRow> out;
  for (std::size_t k = 0; k < kinds.size(); ++k) {
    if (kinds[k].written == 0) continue;
    kinds[k].kind = std::string(cupti::kind_name(static_cast<cupti::SassKind>(k)));
    out.push_back(std::move(kinds[k]));
  }
  return out;
}

/// One row per line and counter that is both predicted and measured there.
std::vector<results::MetricRow> line_rows(const Program& program, const cupti::SassReport& report,
                                          const counters::Report& predicted) {
  std::map<int, std::map<std::string, double, std::less<>>> lines;
  for (const cupti::LineTotal& total : cupti::by_line(report)) {
    auto& line = lines[user_line(program.user_file, program.lines, total.file, total.line)];
    for (std::size_t m = 0; m < report.metrics.size() && m < total.values.size(); ++m)
      line[report.metrics[m] + ".sum"] += total.values[m];
  }
  std::vector<results::MetricRow> rows;
  const counters::Counts nothing;
  for (const auto& at : lines) {
    const auto& values = at.second;
    const int line = at.first;
    if (line <= 0) continue;
    const auto found = predicted.lines.find(line);
    const counters::Counts& counts = found == predicted.lines.end() ? nothing : found->second;
    const auto pair = [&](std::string_view name) -> std::optional<counters::Pair> {
      const counters::Metric* metric = counters::find_metric(name);
      const auto value = values.find(name);
      if (!metric || value == values.end()) return std::nullopt;
      return counters::Pair{static_cast<double>(metric->value(counts)), value->second};
    };
    for (const auto& [name, value] : values) {
      const auto both = pair(name);
      if (!both || (both->predicted == 0 && both->measured == 0)) continue;
      const counters::Metric& metric = *counters::find_metric(name);
      results::MetricRow row = metric_row(metric);
      row.line = line, row.predicted = both->predicted, row.measured = both->measured;
      row.cause = counters::explain(name, pair).words;
      rows.push_back(std::move(row));
    }
  }
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

void forget_predictions(const std::string& why, results::Measured& measured) {
  for (results::MetricRow& row : measured.metrics) row.predicted.reset(), row.cause.clear();
  measured.refused.push_back({.message = "there is no prediction: " + why, .severity = Severity::note});
}

/// Bytes of the memories behind L1, for what they achieved; those that are not among `names`.
std::vector<std::string> memory_traffic(const std::vector<std::string>& names) {
  std::vector<std::string> out;
  for (const char* name : {"dram__bytes_read.sum", "dram__bytes_write.sum", "lts__t_bytes.sum"})
    if (std::ranges::find(names, name) == names.end()) out.emplace_back(name);
  return out;
}

/// Not every GPU counts the traffic, and nothing else rests on it: where it is refused it is absent, without a word.
void add_memory_traffic(const cupti::Measurement& answer, const std::vector<std::string>& traffic,
                        results::Measured& measured) {
  for (const std::string& name : traffic)
    if (const auto value = measured_value(answer, name))
      measured.metrics.push_back({.name = name, .unit = "byte", .group = metric_group(name), .measured = value});
}

/// All in one child, since most of its time enters opening the device; without the traffic, where with it nothing is
/// answered in time.
Expected<cupti::Measurement> count_with_traffic(const HardwareRun& run, const std::vector<std::string>& names,
                                                const std::vector<std::string>& traffic) {
  cupti::Request request = request_of(run);
  request.metrics = names;
  request.metrics.insert(request.metrics.end(), traffic.begin(), traffic.end());
  const Deadline deadline = run.options.deadline();
  const auto start = std::chrono::steady_clock::now();
  auto answer = cupti::measure_in_child(child_command("measure"), request, deadline);
  if (answer || traffic.empty() || deadline.over() || std::chrono::steady_clock::now() - start >= deadline.limit)
    return answer;
  request.metrics = names;
  return cupti::measure_in_child(child_command("measure"), request, deadline);
}

void measure_counters(const Measuring& what, const std::vector<std::string>& metrics, results::Measured& measured) {
  std::vector<results::MetricRow> rows = predicted_rows(what.predicted.total);
  for (const std::string& name : metrics)
    if (std::ranges::find(rows, counters::current_name(name), &results::MetricRow::name) == rows.end())
      rows.push_back(asked_row(name));
  if (!have_device(what.run.options.device, measured)) {  // what is predicted needs none
    measured.metrics = std::move(rows);
    return;
  }
  std::vector<std::string> names;
  for (const results::MetricRow& row : rows)
    if (is_hardware_name(row.name)) names.push_back(row.name);
  const std::vector<std::string> traffic = memory_traffic(names);
  const auto answer = count_with_traffic(what.run, names, traffic);
  if (!answer) {
    measured.refused.insert(measured.refused.end(), answer.error().begin(), answer.error().end());
  } else {
    for (results::MetricRow& row : rows) row.measured = measured_value(*answer, row.name);
    measured.passes = answer->passes;
  }
  explain_rows(rows);
  measured.metrics = std::move(rows);
  if (answer) add_memory_traffic(*answer, traffic, measured);
}

void measure_instructions(const Measuring& what, results::Measured& measured) {
  const HardwareRun& run = what.run;
  const Program& program = run.program;
  if (!have_device(run.options.device, measured)) return;
  const auto report =
      cupti::count_instructions_in_child(child_command("measure"), request_of(run), run.options.deadline());
  if (!report) return add_refusal(report.error(), measured);
  measured.sass = sass_rows(program, *report);
  measured.opcodes = opcode_rows(measured.sass);
  auto rows = line_rows(program, *report, what.predicted);
  measured.metrics.insert(measured.metrics.end(), std::make_move_iterator(rows.begin()),
                          std::make_move_iterator(rows.end()));
  if (!report->no_code.empty()) measured.refused.push_back({.message = report->no_code, .severity = Severity::note});
}

void measure_stalls(const HardwareRun& run, results::Measured& measured) {
  if (!have_device(run.options.device, measured)) return;
  const auto report = cupti::sample_stalls_in_child(child_command("measure"), request_of(run), run.options.deadline());
  if (!report) return add_refusal(report.error(), measured);
  struct Count {
    std::uint64_t samples = 0, idle = 0;
  };
  std::map<std::pair<int, std::string>, Count> samples;
  std::map<std::string, std::string> hardware_names;
  for (const cupti::StallRow& row : report->rows) {
    const std::string name(cupti::stall_name(row.reason));
    Count& count = samples[{user_line(run.program.user_file, run.program.lines, row.file, row.line), name}];
    count.samples += row.samples, count.idle += row.idle;
    hardware_names[name] = row.reason;
  }
  for (const auto& [where, count] : samples)
    measured.stalls.push_back({.line = where.first,
                               .reason = where.second,
                               .words = std::string(cupti::stall_words(hardware_names[where.second])),
                               .samples = count.samples,
                               .idle = count.idle});
}

void measure_activity(const HardwareRun& run, results::Measured& measured) {
  if (!have_device(run.options.device, measured)) return;
  cupti::Request how = request_of(run);
  how.repetitions = std::max(run.options.repetitions, 1);
  const auto report = cupti::record_activity_in_child(child_command("measure"), how, run.options.deadline());
  if (!report) return add_refusal(report.error(), measured);
  const auto us = [](double ns) { return ns * 1e-3; };
  for (const cupti::LaunchRecord& l : report->launches)
    measured.launches.push_back({.kernel = l.kernel,
                                 .start_us = us(static_cast<double>(l.start)),
                                 .duration_us = us(static_cast<double>(l.duration)),
                                 .grid = l.grid,
                                 .block = l.block,
                                 .stream = l.stream,
                                 .registers = l.registers,
                                 .static_shared_bytes = l.static_shared,
                                 .dynamic_shared_bytes = l.dynamic_shared,
                                 .local_bytes = static_cast<int>(l.local)});
  const auto add = [&](const std::vector<cupti::ProfileRow>& rows, std::string_view prefix) {
    for (const cupti::ProfileRow& r : rows)
      measured.host_calls.push_back({.name = std::string(prefix) + r.name,
                                     .calls = r.calls,
                                     .total_us = us(static_cast<double>(r.total)),
                                     .average_us = us(r.average()),
                                     .least_us = us(static_cast<double>(r.least)),
                                     .most_us = us(static_cast<double>(r.most))});
  };
  add(cupti::profile(report->copies), "copy ");
  add(cupti::profile(report->calls), "");
}

}  // namespace lanescope::engine
