// Measurements that tell where in the code: per machine instruction, per sample, per call.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>

#include "app/engine/hardware.h"
#include "kernels/base/plain_name.h"
#include "profiling/counters/explain.h"
#include "profiling/cupti/child.h"

namespace lanescope::engine {
namespace {

cupti::Request request_of(const Program& program, const std::vector<trace::Buffer>& buffers,
                          const MeasureRequest& request) {
  cupti::Request out;
  out.ptx = program.ptx;
  out.launches = program.launches;
  out.buffers = buffers;
  out.device = request.device;
  out.cooperative = needs_cooperative_launch(program.ptx);
  return out;
}

void refuse(const Diagnostics& why, views::Measured& measured) {
  measured.refused.insert(measured.refused.end(), why.begin(), why.end());
}

/// A line of the user's file; 0 for what lies in headers.
int user_line(const Program& program, const std::string& file, int line) {
  if (program.user_file.empty()) return line;
  const std::filesystem::path there(file), user(plain_name(program.user_file));
  return file.empty() || there == user || there.filename() == user.filename() ? line : 0;
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
std::vector<views::SassRow> sass_rows(const Program& program, const cupti::SassReport& report) {
  const auto executed = index_of(report.metrics, "smsp__sass_inst_executed");
  const auto threads = index_of(report.metrics, "smsp__sass_thread_inst_executed_pred_on");
  std::map<InstructionKey, views::SassRow> rows;
  for (const cupti::SassLine& l : report.code)
    rows[{l.function, l.offset}] = {
        .function = l.function, .text = l.text, .offset = l.offset, .line = user_line(program, l.file, l.line)};
  for (const cupti::SassRow& r : report.rows) {
    views::SassRow& row = rows[{r.function, r.offset}];
    row.function = r.function, row.offset = r.offset;
    if (row.line == 0) row.line = user_line(program, r.file, r.line);
    row.executed = count_at(r.values, executed);
    row.threads_executed = count_at(r.values, threads);
  }
  std::vector<views::SassRow> out;
  for (auto& [key, row] : rows) out.push_back(std::move(row));
  return out;
}

std::vector<views::OpcodeRow> opcode_rows(const std::vector<views::SassRow>& code) {
  std::array<views::OpcodeRow, cupti::sass_kinds> kinds;
  for (const views::SassRow& row : code) {
    if (row.text.empty()) continue;
    auto& kind = kinds[static_cast<std::size_t>(cupti::kind_of(row.text))];
    ++kind.written, kind.executed += row.executed;
  }
  std::vector<views::OpcodeRow> out;
  for (std::size_t k = 0; k < kinds.size(); ++k) {
    if (kinds[k].written == 0) continue;
    kinds[k].kind = std::string(cupti::kind_name(static_cast<cupti::SassKind>(k)));
    out.push_back(std::move(kinds[k]));
  }
  return out;
}

/// One row per line and counter that is both predicted and measured there.
std::vector<views::MetricRow> line_rows(const Program& program, const cupti::SassReport& report,
                                        const counters::Report& predicted) {
  std::map<int, std::map<std::string, double, std::less<>>> lines;
  for (const cupti::LineTotal& total : cupti::by_line(report)) {
    auto& line = lines[user_line(program, total.file, total.line)];
    for (std::size_t m = 0; m < report.metrics.size() && m < total.values.size(); ++m)
      line[report.metrics[m] + ".sum"] += total.values[m];
  }
  std::vector<views::MetricRow> rows;
  const counters::Counts nothing;
  for (const auto& [line, values] : lines) {
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
      rows.push_back({.name = name,
                      .legacy = std::string(metric.legacy),
                      .unit = std::string(metric.unit),
                      .group = metric_group(name),
                      .formula = std::string(metric.formula),
                      .line = line,
                      .predicted = both->predicted,
                      .measured = both->measured,
                      .cause = counters::explain(name, pair).words});
    }
  }
  return rows;
}

}  // namespace

void measure_instructions(const Program& program, const std::vector<trace::Buffer>& buffers,
                          const counters::Report& predicted, const MeasureRequest& request,
                          const std::atomic<bool>* cancel, views::Measured& measured) {
  if (!have_device(request.device, measured)) return;
  const auto report = cupti::count_instructions_in_child(
      child_command("measure"), request_of(program, buffers, request), patience_of(request.limit_seconds, cancel));
  if (!report) return refuse(report.error(), measured);
  measured.sass = sass_rows(program, *report);
  measured.opcodes = opcode_rows(measured.sass);
  auto rows = line_rows(program, *report, predicted);
  measured.metrics.insert(measured.metrics.end(), std::make_move_iterator(rows.begin()),
                          std::make_move_iterator(rows.end()));
  if (!report->no_code.empty())
    measured.refused.push_back({.file = {}, .message = report->no_code, .remedy = {}, .severity = Severity::note});
  if (measured.device.empty()) measured.device = report->device;
}

void measure_stalls(const Program& program, const std::vector<trace::Buffer>& buffers, const MeasureRequest& request,
                    const std::atomic<bool>* cancel, views::Measured& measured) {
  if (!have_device(request.device, measured)) return;
  const auto report = cupti::sample_stalls_in_child(child_command("measure"), request_of(program, buffers, request),
                                                    patience_of(request.limit_seconds, cancel));
  if (!report) return refuse(report.error(), measured);
  struct Count {
    std::uint64_t samples = 0, idle = 0;
  };
  std::map<std::pair<int, std::string>, Count> samples;
  std::map<std::string, std::string> hardware_names;
  for (const cupti::StallRow& row : report->rows) {
    const std::string name(cupti::stall_name(row.reason));
    Count& count = samples[{user_line(program, row.file, row.line), name}];
    count.samples += row.samples, count.idle += row.idle;
    hardware_names[name] = row.reason;
  }
  for (const auto& [where, count] : samples)
    measured.stalls.push_back({.line = where.first,
                               .reason = where.second,
                               .words = std::string(cupti::stall_words(hardware_names[where.second])),
                               .samples = count.samples,
                               .idle = count.idle});
  if (measured.device.empty()) measured.device = report->device;
}

void measure_activity(const Program& program, const std::vector<trace::Buffer>& buffers, const MeasureRequest& request,
                      const std::atomic<bool>* cancel, views::Measured& measured) {
  if (!have_device(request.device, measured)) return;
  cupti::Request how = request_of(program, buffers, request);
  how.repetitions = std::max(request.repetitions, 1);
  const auto report =
      cupti::record_activity_in_child(child_command("measure"), how, patience_of(request.limit_seconds, cancel));
  if (!report) return refuse(report.error(), measured);
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
  if (measured.device.empty()) measured.device = report->device;
}

}  // namespace lanescope::engine
