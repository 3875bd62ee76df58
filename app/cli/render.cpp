#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <set>

#include "app/cli/answer.h"
#include "app/cli/picture.h"
#include "app/cli/problems.h"
#include "results/moment.h"
#include "results/summary.h"

namespace lanescope::cli {
namespace {

/// Arrays shown when nobody names any; more do not fit a picture.
constexpr std::size_t most_families = 4;

/// Of the memory that the view shows.
bool is_access(const results::Summary& s, const results::TimelineMark& mark, std::string_view view) {
  using trace::StepKind;
  if (mark.kind != StepKind::load && mark.kind != StepKind::store && mark.kind != StepKind::atomic) return false;
  const std::string_view space = view == "shared" ? ".shared" : ".global";
  return mark.pc < 0 || static_cast<std::size_t>(mark.pc) >= s.code.size() ||
         s.code[static_cast<std::size_t>(mark.pc)].text.find(space) != std::string::npos;
}

/// The state to show and the one that moves start from.
struct When {
  std::int64_t step = -1, from = -2;
};

/// Memory views look at the first access of the line; the others at the state after it, in all warps.
std::optional<When> at_line(const results::Summary& s, int line, std::string_view view) {
  std::optional<When> when;
  for (const results::TimelineMark& mark : s.timeline) {
    if (mark.line != line) continue;
    if (shows_an_access(view) && is_access(s, mark, view)) return When{mark.step, -2};
    if (!when) when = When{mark.step, static_cast<std::int64_t>(mark.step) - 1};
    when->step = mark.step;
  }
  return when;
}

When by_default(const results::Summary& s, std::string_view view) {
  if (shows_an_access(view))
    for (const results::TimelineMark& mark : s.timeline)
      if (is_access(s, mark, view) && mark.line > 0) return {mark.step, -2};
  return {static_cast<std::int64_t>(s.steps) - 1, -2};
}

std::string lines_that_run(const results::Summary& s) {
  std::set<int> lines;
  for (const results::TimelineMark& mark : s.timeline)
    if (mark.line > 0) lines.insert(mark.line);
  return lines.empty() ? "" : fmt::format("lines {} to {} have executed instructions", *lines.begin(), *lines.rbegin());
}

Expected<When> parse_at(const results::Summary& s, const RenderOptions& o) {
  if (o.at.empty()) return by_default(s, o.view);
  std::string_view text = o.at;
  const bool step = text.starts_with("step:");
  if (step) text.remove_prefix(5);
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size() || number < 0)
    return failure(fmt::format("--at {} is neither a line nor step:N", o.at), "write --at 42 or --at step:17");
  if (step && number < static_cast<std::int64_t>(s.steps)) return When{number, -2};
  if (step)
    return failure({.file = s.file,
                    .message = fmt::format("there is no step {}", number),
                    .remedy = fmt::format("block {} has {} steps", s.recorded_block, s.steps)});
  if (const auto when = at_line(s, static_cast<int>(number), o.view)) return *when;
  return failure({.file = s.file,
                  .line = static_cast<int>(number),
                  .message = "no instruction of this line was executed",
                  .remedy = lines_that_run(s)});
}

bool holds_data(const results::RegisterGrid& grid) {
  return std::ranges::any_of(grid.cells, [](const results::Cell& c) { return c.kind != 0; });
}

/// The arrays named, or those that hold data, the last written ones first to stay.
Expected<std::vector<int>> choose_families(engine::Engine& engine, const results::Summary& s, const RenderOptions& o,
                                           const When& when) {
  std::vector<int> chosen;
  for (const std::string& name : o.families) {
    const auto found = std::ranges::find(s.families, name, &results::RegisterArray::name);
    if (found == s.families.end()) {
      std::vector<std::string> names;
      for (const auto& f : s.families) names.push_back(f.name);
      return failure({.file = s.file,
                      .message = fmt::format("there is no register array '{}'", name),
                      .remedy = fmt::format("the arrays are {}", fmt::join(names, ", "))});
    }
    chosen.push_back(static_cast<int>(found - s.families.begin()));
  }
  if (!o.families.empty()) return chosen;
  engine::MomentRequest all{.step = when.step, .families = {}, .first_warp = 0, .warp_count = 1};
  for (std::size_t i = 0; i < s.families.size(); ++i) all.families.push_back(static_cast<int>(i));
  const auto everything = engine.moment(all);
  if (!everything) return tl::unexpected(everything.error());
  for (const results::RegisterGrid& grid : everything->grids)
    if (holds_data(grid)) chosen.push_back(grid.family);
  if (chosen.size() > most_families) chosen.erase(chosen.begin(), chosen.end() - most_families);
  return chosen;
}

bool is_measured_view(std::string_view view) {
  return std::ranges::find(measured_view_names(), view) != measured_view_names().end();
}

/// Names that are wrong before anything runs.
Diagnostics wrong_names(const RenderOptions& o) {
  if (std::ranges::find(view_names(), o.view) == view_names().end() && !is_measured_view(o.view))
    return {{.file = {},
             .message = fmt::format("there is no view '{}'", o.view),
             .remedy = fmt::format("the views are {} and {}", fmt::join(view_names(), ", "),
                                   fmt::join(measured_view_names(), ", "))}};
  Diagnostics wrong = wrong_picture(o.output, o.theme);
  if (const auto what_if = parse_what_if(o.what_if); !what_if)
    wrong.insert(wrong.end(), what_if.error().begin(), what_if.error().end());
  return wrong;
}

/// Of this kernel: from a file, or what the GPU that ran it said. Absent where none was asked.
Expected<std::optional<results::Measured>> measurement(const RenderOptions& o, const engine::RunResult& result) {
  if (!shows_a_measurement(o.view)) return std::nullopt;
  if (o.measured.empty()) return o.engine == "gpu" ? std::optional(result.measured) : std::nullopt;
  auto file = read_measured(o.measured.front());
  if (!file) return tl::unexpected(file.error());
  if (file->kernel != result.summary.kernel)
    return failure(Diagnostic{
        .file = o.measured.front(),
        .message = fmt::format("the measurement file belongs to {}, not to {}", file->kernel, result.summary.kernel),
        .remedy = "measure this kernel"});
  return std::optional(std::move(file->measured));
}

int line_of_step(const results::Summary& s, std::int64_t step) {
  return step >= 0 && static_cast<std::size_t>(step) < s.timeline.size()
             ? s.timeline[static_cast<std::size_t>(step)].line
             : 0;
}

/// What one run shows, and the picture of it. `refused`: the status of an error; an engine that is lost is no bad input.
struct Picture {
  results::Moment moment;
  Drawn drawn;
};
Expected<Picture> picture_of(engine::Engine& engine, const engine::RunResult& result, const std::string& text,
                             const RenderOptions& options, Status& refused) {
  const results::Summary& summary = result.summary;
  refused = bad_input;
  const auto measured = measurement(options, result);
  if (!measured) return tl::unexpected(measured.error());
  const auto when = parse_at(summary, options);
  if (!when) return tl::unexpected(when.error());
  const auto families = choose_families(engine, summary, options, *when);
  if (!families) return tl::unexpected(families.error());
  if (options.view == "shared" && summary.shared_bytes == 0)
    return failure(
        {.file = summary.file, .message = "this kernel has no shared memory", .remedy = "choose another view"});
  const auto moment = engine.moment({.step = when->step,
                                     .families = *families,
                                     .first_warp = options.warp,
                                     .warp_count = options.warps,
                                     .moves_from = when->from,
                                     .totals_line = totals_line(options.view, line_of_step(summary, when->step))});
  if (!moment) return refused = not_here, tl::unexpected(moment.error());
  auto drawn = options.view == "buffers" ? draw_buffers(engine, result, *moment, options)
                                         : draw(summary, *moment, text, options, *measured ? &**measured : nullptr);
  if (!drawn) return tl::unexpected(drawn.error());
  return Picture{*moment, std::move(*drawn)};
}

Answer render_answer(const RenderOptions& options) {
  Diagnostics wrong = wrong_names(options);
  Opened opened = wrong.empty() ? open(options) : refuse(std::move(wrong));
  Answer answer = refused_answer(opened, options.file);
  answer.json["view"] = options.view;
  if (opened.refused) return answer;
  engine::RunRequest& request = opened.request;
  request.record_block = options.block;
  request.measure = request.on_gpu && options.measured.empty() && shows_a_measurement(options.view);
  const auto engine = engine_for(options);
  const engine::RunResult result = engine->run(request);
  const results::Summary& summary = result.summary;
  answer.status = status_of(result.ending);
  answer.json["faults"] = faults_json(result.faults);
  const auto add = [&](const Diagnostics& more) {
    answer.diagnostics.insert(answer.diagnostics.end(), more.begin(), more.end());
  };
  add(summary.diagnostics);
  add(result.measured.refused);
  if (!summary.ok || summary.steps == 0) return answer;
  Status refused = all_good;
  const auto picture = picture_of(*engine, result, request.text, options, refused);
  if (!picture) {
    add(picture.error());
    answer.status = refused;
    return answer;
  }
  if (auto written = write_picture(picture->drawn, options.output, options.theme, options.scale); !written) {
    add(written.error());
    answer.status = not_here;
    return answer;
  }
  answer.json["step"] = picture->moment.step;
  answer.json["line"] = picture->moment.line;
  answer.json["output"] = options.output;
  answer.json["width"] = picture->drawn.scene.width;
  answer.json["height"] = picture->drawn.scene.height;
  return answer;
}

}  // namespace

int render(const RenderOptions& options) {
  // Views of a measurement need no run.
  const bool measured = is_measured_view(options.view) && wrong_names(options).empty();
  return print(measured ? render_measured(options) : render_answer(options), options.json);
}

}  // namespace lanescope::cli
