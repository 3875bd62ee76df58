// Views of what a GPU measured: from files of `lanescope measure`, or measured now.

#include <fmt/format.h>

#include <sstream>

#include "app/cli/picture.h"
#include "app/document/file_io.h"
#include "app/engine/wire/measured_file.h"
#include "viz/views/measured/compare.h"
#include "viz/views/measured/host_calls.h"
#include "viz/views/measured/metrics.h"
#include "viz/views/measured/sass.h"
#include "viz/views/measured/stalls.h"

namespace lanescope::cli {
namespace {

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
  const engine::RunResult run = engine->run(opened.request);
  if (!run.summary.ok) return {{}, refuse_as(status_of(run.ending), run.summary.diagnostics)};
  auto how = *measure_request(parts_of(options.view));
  how.device = options.device;
  auto measured = engine->measure(how);
  if (!measured) return {{}, refuse_as(not_here, std::move(measured.error()))};
  Wanted out;
  out.all.push_back({.file = run.summary.file, .kernel = run.summary.kernel, .measured = std::move(*measured)});
  return out;
}

Wanted measurements(const RenderOptions& options) {
  if (options.measured.empty()) return measure_now(options);
  Wanted out;
  for (const std::string& path : options.measured) {
    auto one = read_measured(path);
    if (!one) return {{}, refuse(std::move(one.error()))};
    out.all.push_back(std::move(*one));
  }
  return out;
}

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
  const views::Theme& theme = views::theme_named(o.theme);
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
    return {views::sass_view(measured, lines_of_file(o.file), selection, {.width = o.width}, theme),
            views::sass_csv(measured)};
  if (o.view == "host-calls")
    return {views::host_calls_view(measured, {.width = o.width}, theme), views::host_calls_csv(measured)};
  const views::MetricsOptions options{
      .width = o.width, .line = std::max(selection.line, 0), .filter = o.filter, .only_differences = o.differences};
  return {views::metrics_view(measured, baseline, selection, options, theme), views::metrics_csv(measured, baseline)};
}

}  // namespace

std::span<const std::string_view> measured_view_names() { return measured_views; }

Expected<engine::MeasuredFile> read_measured(const std::string& path) {
  return document::read_text(path).and_then(
      [&](const std::string& text) { return engine::parse_measured_file(text, path); });
}

Answer render_measured(const RenderOptions& options) {
  const auto wrong = [&](Diagnostics why) { return refused_answer(refuse(std::move(why)), options.file); };
  views::Selection selection;
  if (!options.at.empty()) {
    const int line = std::atoi(options.at.c_str());
    if (line <= 0)
      return wrong({{.file = {},
                     .message = fmt::format("--at {} is not a line of the source", options.at),
                     .remedy = "write --at 42"}});
    selection.line = line;
  }
  Expected<engine::MeasuredFile> baseline;
  if (!options.baseline.empty() && !(baseline = read_measured(options.baseline))) return wrong(baseline.error());
  const Wanted wanted = measurements(options);
  Answer answer = refused_answer(wanted.refused, options.file);
  answer.json["view"] = options.view;
  if (wanted.refused.refused) return answer;
  const Drawn drawn =
      draw_measured(wanted.all, options.baseline.empty() ? nullptr : &baseline->measured, options, selection);
  answer.status = all_good;
  if (options.measured.empty()) answer.diagnostics = wanted.all.front().measured.refused;
  if (auto written = write_picture(drawn, options.output, options.theme, options.scale); !written) {
    answer.diagnostics.insert(answer.diagnostics.end(), written.error().begin(), written.error().end());
    answer.status = not_here;
    return answer;
  }
  answer.json["output"] = options.output;
  answer.json["width"] = drawn.scene.width;
  answer.json["height"] = drawn.scene.height;
  return answer;
}

}  // namespace lanescope::cli
