// Views of what a GPU measured: from files of `lanescope measure`, or measured now.

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <sstream>

#include "app/cli/render/render.h"
#include "app/document/file_io.h"
#include "kernels/base/json_fields.h"
#include "kernels/base/numbers.h"
#include "viz/views/measured/compare.h"
#include "viz/views/measured/measured.h"

namespace lanescope::cli {
namespace {

/// Rows of a picture of machine code that was only assembled.
constexpr int all_code = 400;

constexpr std::string_view measured_views[] = {"metrics", "stalls", "compare", "sass", "host-calls"};

/// Only what the view shows.
std::vector<std::string> parts_of(std::string_view view) {
  if (view == "stalls") return {"stalls"};
  if (view == "sass") return {"instructions"};
  if (view == "host-calls") return {"activity"};
  return {"timing", "counters", "instructions"};
}

/// Measurements, or what kept them from being made: `refused` then has the status and the words.
struct Wanted {
  std::vector<engine::MeasuredFile> all;
  Opened refused;
  results::Summary summary{};  ///< of the run that was measured now
};

Opened refuse_as(Status status, Diagnostics why) {
  Opened out = refuse(std::move(why));
  out.refused = status;
  return out;
}

Wanted measure_now(const RenderOptions& options) {
  Opened opened = open(options);
  if (opened.refused) return {{}, std::move(opened)};
  opened.request.probed_run = false, opened.request.on_gpu = false;
  const auto engine = engine_for(options);
  engine::RunResult run = engine->run(opened.request);
  if (!run.summary.ok) return {{}, refuse_as(status_of(run.ending), run.summary.diagnostics)};
  auto how = *measure_request(parts_of(options.view));
  how.device = options.device;
  auto measured = engine->ask<engine::ask::Measure>(how);
  if (!measured) return {{}, refuse_as(not_here, std::move(measured.error()))};
  Wanted out;
  out.all.push_back({.file = run.summary.file, .kernel = run.summary.kernel, .measured = std::move(*measured)});
  out.summary = std::move(run.summary);
  return out;
}

/// Machine code that is not run: no GPU is needed.
bool is_static(const RenderOptions& o) { return o.view == "sass" && o.measured.empty() && o.engine != "gpu"; }

Wanted assemble_now(const RenderOptions& options) {
  Opened opened = open(options);
  if (opened.refused) return {{}, std::move(opened)};
  opened.request.on_gpu = false;
  auto code = engine_for(options)->ask<engine::ask::MachineCode>(opened.request);
  if (!code) return {{}, refuse_as(not_here, std::move(code.error()))};
  Wanted out;
  out.all.push_back({.file = opened.request.file, .measured = std::move(*code)});
  return out;
}

Wanted measurements(const RenderOptions& options) {
  if (is_static(options)) return assemble_now(options);
  if (options.measured.empty()) return measure_now(options);
  Wanted out;
  for (const std::string& path : options.measured) {
    auto one = read_measured(path);
    if (!one) return {{}, refuse(std::move(one.error()))};
    out.all.push_back(std::move(*one));
  }
  return out;
}

bool has_counters(const results::Measured& m) {
  return std::ranges::any_of(m.metrics, [](const results::MetricRow& row) { return row.measured.has_value(); });
}

/// The contents of the view in words, and the part of a measurement that it needs; whether the measurement has it.
struct Shown {
  std::string_view what, part;
  bool there = false;
};
Shown shown_of(std::string_view view, const results::Measured& m) {
  if (view == "stalls") return {"stall samples", "stalls", !m.stalls.empty()};
  if (view == "sass") return {"machine code", "instructions", !m.sass.empty()};
  if (view == "host-calls")
    return {"launches or calls of the driver", "activity", !m.launches.empty() || !m.host_calls.empty()};
  if (view == "compare") return {"times or counters", "timing,counters", m.timing || has_counters(m)};
  return {"counters", "counters", has_counters(m)};
}

/// Measurements without what the view shows: the picture says so, and the status as well.
Diagnostics missing(const Wanted& wanted, const RenderOptions& o) {
  Diagnostics out;
  for (std::size_t n = 0; n < wanted.all.size(); ++n) {
    const Shown shown = shown_of(o.view, wanted.all[n].measured);
    if (shown.there || (n > 0 && o.view != "compare")) continue;
    const bool now = o.measured.empty();
    if (now && wanted.all[n].measured.refused.empty()) continue;  // measured, and there was nothing
    out.push_back({.file = now ? o.file : o.measured[n],
                   .message = now ? fmt::format("no {} could be measured", shown.what)
                                  : fmt::format("this measurement has no {}", shown.what),
                   .remedy = now ? std::string() : fmt::format("measure with --parts {}", shown.part)});
  }
  return out;
}

/// A measurement of another file than the one named, and a source that is not there.
Diagnostics strange(const Wanted& wanted, const RenderOptions& o) {
  namespace fs = std::filesystem;
  Diagnostics out;
  if (o.view == "compare" || o.measured.empty()) return out;
  const std::string& file = wanted.all.front().file;
  if (fs::path(file).filename() != fs::path(o.file).filename())
    out.push_back({.file = o.measured.front(),
                   .message = fmt::format("this is a measurement of {}, not of {}", file, o.file),
                   .remedy = "name the file that was measured",
                   .severity = Severity::warning});
  const bool shows_source = o.view == "stalls" || o.view == "sass";
  if (const auto text = document::read_text(o.file); !text && shows_source)
    out.push_back({.file = o.file,
                   .message = text.error().front().message + ": source lines are left out",
                   .remedy = "name the file that was measured",
                   .severity = Severity::warning});
  return out;
}

/// The line of --at, 0 without it. Lines with counters are few: the nearest one is shown, which a note says.
Expected<int> line_shown(const RenderOptions& o, const results::Measured& m, Diagnostics& notes) {
  if (o.at.empty()) return 0;
  const int line = number_in<int>(o.at).value_or(0);
  if (line <= 0) return failure(fmt::format("--at {} is not a line of the source", o.at), "write --at 42");
  if (o.view != "metrics") return line;
  std::set<int> lines;
  for (const results::MetricRow& row : m.metrics)
    if (row.line > 0) lines.insert(row.line);
  const int near = nearest_line({lines.begin(), lines.end()}, line);
  if (near == 0 || near == line) return line;
  notes.push_back(
      {.file = o.file,
       .line = line,
       .message = fmt::format("this line has no counters; line {}, the nearest one that has, is shown", near),
       .severity = Severity::note});
  return near;
}

/// The output of `measure`: of a long program every instruction with its counts.
constexpr std::uint64_t most_measurement_bytes = std::uint64_t{1} << 30;

std::vector<std::string> lines_of_file(const std::string& path) {
  std::vector<std::string> lines;
  std::istringstream all(document::read_text(path).value_or(""));
  for (std::string line; std::getline(all, line);) lines.push_back(line);
  return lines;
}

/// By their kernels, or by the files where those are the same.
std::vector<views::Variant> variants_of(const std::vector<engine::MeasuredFile>& all, const RenderOptions& options) {
  std::vector<views::Variant> out;
  for (std::size_t n = 0; n < all.size(); ++n) {
    bool alone = true;
    for (std::size_t m = 0; m < all.size(); ++m) alone &= m == n || all[m].kernel != all[n].kernel;
    out.push_back({.name = alone || options.measured.empty() ? all[n].kernel : options.measured[n],
                   .measured = all[n].measured,
                   .limit_gb_per_s = engine::bandwidth_limit_gb_per_s(all[n].measured.device)});
  }
  return out;
}

Drawn draw_measured(const std::vector<engine::MeasuredFile>& all, const results::Measured* baseline,
                    const RenderOptions& o, const views::Selection& selection) {
  const views::Theme& theme = theme_of(o.theme);
  const results::Measured& measured = all.front().measured;
  if (o.view == "compare") {
    const auto variants = variants_of(all, o);
    const views::CompareOptions options{.width = o.width};
    return {views::compare_view(variants, options, theme), views::compare_csv(variants, options)};
  }
  if (o.view == "stalls")
    return {views::stalls_view(measured, lines_of_file(o.file), selection, {.width = o.width}, theme),
            views::stalls_csv(measured)};
  if (o.view == "sass")
    return {views::sass_view(measured, lines_of_file(o.file), selection,
                             {.width = o.width, .most_rows = is_static(o) ? all_code : 28, .counted = !is_static(o)},
                             theme),
            views::sass_csv(measured, !is_static(o))};
  if (o.view == "host-calls")
    return {views::host_calls_view(measured, {.width = o.width}, theme), views::host_calls_csv(measured)};
  const views::MetricsOptions options{
      .width = o.width, .line = std::max(selection.line, 0), .filter = o.filter, .only_differences = o.differences};
  return {views::metrics_view(measured, baseline, selection, options, theme), views::metrics_csv(measured, baseline)};
}

}  // namespace

std::span<const std::string_view> measured_view_names() { return measured_views; }

Expected<engine::MeasuredFile> read_measured(const std::string& path) {
  return document::read_text(path, most_measurement_bytes).and_then([&](const std::string& text) {
    return engine::parse_measured_file(text, path);
  });
}

Expected<results::Measured> measured_kernel(const std::string& path, const results::Summary& summary) {
  auto file = LS_TRY(read_measured(path));
  if (file.kernel == summary.kernel) return std::move(file.measured);
  return failure(
      Diagnostic{.file = path,
                 .message = fmt::format("the measurement file belongs to {}, not to {}", file.kernel, summary.kernel),
                 .remedy = "measure this kernel"});
}

Answer render_measured(const RenderOptions& options) {
  const auto wrong = [&](Diagnostics why) { return refused_answer(refuse(std::move(why)), options.file); };
  Diagnostics remarks = without_effect(options);
  const auto line_now = line_shown(options, {}, remarks);  // before anything is measured
  if (!line_now) return wrong(line_now.error());
  Expected<engine::MeasuredFile> baseline;
  if (!options.baseline.empty() && !(baseline = read_measured(options.baseline))) return wrong(baseline.error());
  const Wanted wanted = measurements(options);
  Answer answer = refused_answer(wanted.refused, options.file);
  answer.json["view"] = options.view;
  if (wanted.refused.refused) return answer;
  if (options.measured.empty() && !is_static(options)) add_run(answer.json, wanted.summary);
  answer.add(wanted.summary.diagnostics);
  views::Selection selection;
  const int line = *line_shown(options, wanted.all.front().measured, remarks);
  if (line > 0) selection.line = line;
  const Drawn drawn =
      draw_measured(wanted.all, options.baseline.empty() ? nullptr : &baseline->measured, options, selection);
  if (options.measured.empty()) answer.add(wanted.all.front().measured.refused);
  const Diagnostics lacking = missing(wanted, options);
  answer.add(remarks), answer.add(strange(wanted, options)), answer.add(lacking);
  const bool code_missing = is_static(options) && wanted.all.front().measured.sass.empty();
  answer.status = lacking.empty() && !code_missing ? all_good : not_here;
  if (auto written = write_picture(drawn, options.output, options.theme, options.scale); !written)
    return answer.refuse(written.error(), not_here);
  put_fields(answer.json, "output", options.output, "width", drawn.scene.width, "height", drawn.scene.height);
  return answer;
}

}  // namespace lanescope::cli
