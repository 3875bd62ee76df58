// A kernel measured on a GPU: text for people, JSON for views drawn elsewhere.

#include <fmt/format.h>

#include <algorithm>

#include "app/cli/answers/problems.h"
#include "app/cli/answers/report.h"
#include "app/cli/commands/commands.h"
#include "app/engine/summary/conclusion_of.h"
#include "app/engine/wire/measured_file.h"
#include "kernels/base/json_fields.h"
#include "kernels/base/text.h"
#include "kernels/base/write_file.h"
#include "viz/views/measured/measured.h"

namespace lanescope::cli {
namespace {

void print_lines(const results::Measured& m) {
  if (std::ranges::none_of(m.metrics, [](const auto& row) { return row.line > 0; })) return;
  say("\n{:>6} {:>14} {:>14}  {}\n", "line", "predicted", "measured", "counter");
  for (const results::MetricRow& row : m.metrics)
    if (row.line > 0 && row.measured)
      say("{:>6} {:>14} {:>14}  {}{}\n", row.line, row.predicted ? fmt::format("{}", *row.predicted) : "-",
          *row.measured, row.name, row.cause.empty() ? "" : "; " + row.cause);
}

void print_stalls(const results::Measured& m) {
  const auto totals = views::stall_totals(m);
  if (totals.empty()) return;
  say("\n{:>10}  stall\n", "samples");
  for (const views::StallTotal& t : totals) say("{:>10}  {}: {}\n", t.samples, t.reason, t.words);
}

void print_activity(const results::Measured& m) {
  const bool streams = views::in_several_streams(m);
  for (const views::LaunchProfile& p : views::launch_profile(m))
    say("\n{}{}: {} launches, {:.2f} us on average ({:.2f} to {:.2f}), {} registers, {} bytes of shared memory\n",
        p.first.kernel, streams ? fmt::format(", stream {}", p.first.stream) : "", p.launches, p.average_us(),
        p.least_us, p.most_us, p.first.registers, p.first.static_shared_bytes + p.first.dynamic_shared_bytes);
  if (m.host_calls.empty()) return;
  say("\n{:>8} {:>12} {:>12} {:>12} {:>12}  call\n", "calls", "total us", "average us", "least us", "most us");
  for (const results::HostCallRow& c : m.host_calls)
    say("{:>8} {:>12.2f} {:>12.2f} {:>12.2f} {:>12.2f}  {}\n", c.calls, c.total_us, c.average_us, c.least_us, c.most_us,
        c.name);
}

void print_trace(const results::Measured& m) {
  if (!m.trace) return;
  const results::TraceInfo& t = *m.trace;
  say("\ntraced launch: {} records, {} dropped; {}; {:.2f} us instead of {:.2f} us without tracing\n", t.records,
      t.dropped, t.difference.empty() ? "the accesses equal those of the emulator" : t.difference, t.traced_us,
      t.plain_us);
}

bool is_empty(const results::Measured& m) {
  return !m.timing && m.passes == 0 && m.sass.empty() && m.stalls.empty() && m.launches.empty() &&
         m.host_calls.empty() && !m.trace && m.fault.empty();
}

void print_text(const results::Measured& m) {
  print_measured(m, m);
  print_lines(m);
  if (!m.sass.empty()) say("\n{} machine instructions; render --view sass shows them\n", m.sass.size());
  for (const results::OpcodeRow& o : m.opcodes)
    say("  {:<24} {:>6} written {:>14} executed\n", o.kind, o.written, o.executed);
  print_stalls(m);
  print_activity(m);
  print_trace(m);
}

/// Parts that fail alike say so once.
Diagnostics without_repeats(const Diagnostics& all) {
  Diagnostics out;
  for (const Diagnostic& d : all)
    if (std::ranges::none_of(out, [&](const Diagnostic& o) { return o.message == d.message && o.remedy == d.remedy; }))
      out.push_back(d);
  return out;
}

/// Mistakes that are found before anything runs.
Opened open_measured(const MeasureOptions& options, const Expected<engine::MeasureRequest>& how) {
  if (!how) return refuse(how.error());
  if (Diagnostics wrong = options.output.empty() ? Diagnostics{} : wrong_target(options.output); !wrong.empty())
    return refuse(std::move(wrong));
  if (Diagnostics wrong = overwritten(options, options.output); !wrong.empty()) return refuse(std::move(wrong));
  return open(options);
}

nlohmann::json json_of(const conclusion::Conclusion& c) {
  nlohmann::json out = fields("sentence", c.sentence, "evidence", c.evidence, "text", conclusion::paragraph(c));
  put_known(out, "remedy", c.remedy, "saving", c.saving, "next", c.next);
  return out;
}

Diagnostic fault_words(const engine::RunResult& run, const results::Measured& measured) {
  return {.file = run.summary.file,
          .line = measured.fault_line,
          .message = "the launch fails: " + measured.fault,
          .remedy = measured.fault_source};
}

}  // namespace

int measure(const MeasureOptions& options) {
  auto how = measure_request(options.parts);
  Opened opened = open_measured(options, how);
  Answer answer = refused_answer(opened, options.file);
  if (opened.refused) return print(answer, options.json);
  how->metrics = options.metrics, how->device = options.device;
  how->warm_up = options.warm_up, how->repetitions = options.repetitions;
  if (one_of("--gpu-limit", options.given)) how->limit_seconds = options.gpu_limit_seconds;
  opened.request.probed_run = false, opened.request.on_gpu = false, opened.request.review = true;
  const auto engine = engine_for(options);
  const engine::RunResult run = engine->run(opened.request);
  answer.diagnostics = run.summary.diagnostics;
  answer.status = status_of(run.ending);
  add_run(answer.json, run.summary);
  answer.json["faults"] = faults_json(run.faults, run.summary);
  if (!run.summary.ok) return print(answer, options.json);
  answer.status = all_good;
  const auto measured = engine->ask<engine::ask::Measure>(*how);
  if (!measured) return print(answer.refuse(measured.error(), not_here), options.json);
  answer.add(without_repeats(measured->refused));
  const std::string text =
      engine::to_text({.file = run.summary.file, .kernel = run.summary.kernel, .measured = *measured});
  if (!measured->fault.empty()) answer.refuse({fault_words(run, *measured)}, kernel_wrong);
  const bool nothing = is_empty(*measured);
  if (nothing)
    answer.status = not_here;
  else if (options.json)
    answer.json.update(nlohmann::json::parse(text));
  if (!options.output.empty())
    if (auto written = write_file(options.output, text); !written) answer.refuse(written.error(), not_here);
  const conclusion::Conclusion conclusion = engine::conclusion_of(run.summary, *measured);
  if (options.json && !nothing) answer.json["conclusion"] = json_of(conclusion);
  print(answer, options.json);
  if (!options.json && !nothing) {
    print_text(*measured);
    say("\n{}\n", conclusion::paragraph(conclusion));
  }
  return answer.status;
}

}  // namespace lanescope::cli
