#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/cli/answers/problems.h"
#include "app/cli/render/render.h"
#include "kernels/base/json_fields.h"
#include "kernels/base/text.h"

namespace lanescope::cli {
namespace {

/// Arrays shown when none is named; more do not fit a picture.
constexpr std::size_t most_families = 4;

bool holds_data(const results::RegisterGrid& grid) {
  return std::ranges::any_of(grid.cells, [](const results::Cell& c) { return c.kind != 0; });
}

/// The arrays named, or those that hold data, the last written ones first to stay.
Expected<std::vector<int>> choose_families(engine::Engine& engine, const results::Summary& s, const RenderOptions& o,
                                           std::int64_t step) {
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
  engine::MomentRequest all{.step = step, .first_warp = 0, .warp_count = 1};
  for (std::size_t i = 0; i < s.families.size(); ++i) all.families.push_back(static_cast<int>(i));
  const auto everything = LS_TRY(engine.ask<engine::ask::Moment>(all));
  for (const results::RegisterGrid& grid : everything.grids)
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
    return {{.message = fmt::format("there is no view '{}'", o.view),
             .remedy = fmt::format("the views are {} and {}", fmt::join(view_names(), ", "),
                                   fmt::join(measured_view_names(), ", "))}};
  if (o.view == "assignment" && o.families.size() > 1)
    return {{.message = fmt::format("the view assignment shows one register array, not {}", o.families.size()),
             .remedy = "name one with --family"}};
  Diagnostics wrong = wrong_picture(o.output, o.theme);
  std::vector<std::string> also = o.measured;
  also.push_back(o.baseline);
  const Diagnostics lost = overwritten(o, o.output, also);
  wrong.insert(wrong.end(), lost.begin(), lost.end());
  if (const auto what_if = parse_what_if(o.what_if); !what_if)
    wrong.insert(wrong.end(), what_if.error().begin(), what_if.error().end());
  return wrong;
}

/// Of this kernel: from a file, or what the GPU that ran it said. Absent where none was queried.
Expected<std::optional<results::Measured>> measurement(const RenderOptions& o, const engine::RunResult& result) {
  if (!shows_a_measurement(o.view)) return std::nullopt;
  if (o.measured.empty()) return o.engine == "gpu" ? std::optional(result.measured) : std::nullopt;
  auto own = LS_TRY(measured_kernel(o.measured.front(), result.summary));
  return std::optional(std::move(own));
}

int line_of_step(const results::Summary& s, std::int64_t step) {
  return step >= 0 && static_cast<std::size_t>(step) < s.timeline.size()
             ? s.timeline[static_cast<std::size_t>(step)].line
             : 0;
}

bool has_error(const Diagnostics& all) {
  return std::ranges::any_of(all, [](const Diagnostic& d) { return d.severity == Severity::error; });
}

/// The view of one run, and its picture. `refused`: the status of an error; an engine that is lost is no bad input.
struct Picture {
  results::Moment moment;
  Drawn drawn;
  Diagnostics remarks;
};
Expected<Picture> picture_of(engine::Engine& engine, const engine::RunResult& result, const std::string& text,
                             const RenderOptions& options, Status& refused) {
  const results::Summary& summary = result.summary;
  refused = bad_input;
  Diagnostics remarks = without_effect(options);
  const auto add = [&](const Diagnostics& more) { remarks.insert(remarks.end(), more.begin(), more.end()); };
  const Diagnostics choice = wrong_choice(summary, options);
  if (has_error(choice)) return tl::unexpected(choice);
  add(choice);
  const auto measured = LS_TRY(measurement(options, result));
  auto when = LS_TRY(when_shown(summary, options, split_lines(text).size()));
  if (options.view == "movement") {
    const auto step = statement_shown(summary, options, when.step);
    if (!step)
      return failure({.file = summary.file,
                      .message = fmt::format("warp {} does not execute {}", options.warp,
                                             summary.lines.words(line_of_step(summary, when.step))),
                      .remedy = "choose another with --warp"});
    when.step = *step;
  }
  add(when.remarks);
  const auto families = LS_TRY(choose_families(engine, summary, options, when.step));
  if (options.view == "shared" && summary.shared_bytes == 0)
    return failure(
        {.file = summary.file, .message = "this kernel has no shared memory", .remedy = "choose another view"});
  const bool one_family = options.view == "assignment" && !options.families.empty();
  std::optional<engine::TreeRequest> tree;
  if (options.view == "tree") tree = LS_TRY(wanted_tree(summary, options));
  const auto moment = engine.ask<engine::ask::Moment>(
      {.step = when.step,
       .families = families,
       .first_warp = options.warp,
       .warp_count = warps_shown(summary, options),
       .moves_from = when.from,
       .assignment_family = one_family ? families.front() : -1,
       .totals_line = totals_line(options.view, line_of_step(summary, when.step)),
       .tree = tree,
       .movement = options.view != "movement" ? engine::MomentRequest::MovementOf::nothing
                   : options.statement        ? engine::MomentRequest::MovementOf::statement
                                              : engine::MomentRequest::MovementOf::exchange});
  if (!moment) return refused = not_here, tl::unexpected(moment.error());
  if (moment->tree && !moment->tree->refused.empty())
    return failure({.file = summary.file, .message = moment->tree->refused, .remedy = "name another value with --of"});
  if (Diagnostics wrong = wrong_access(*moment, options); !wrong.empty()) return tl::unexpected(std::move(wrong));
  if (options.view == "journey") {
    auto drawn = LS_TRY(draw_journeys(engine, summary, *moment, options));
    return Picture{*moment, std::move(drawn), std::move(remarks)};
  }
  auto drawn =
      LS_TRY(options.view == "buffers" ? draw_buffers(engine, result, *moment, options)
                                       : draw(summary, *moment, text, options, measured ? &*measured : nullptr));
  return Picture{*moment, std::move(drawn), std::move(remarks)};
}

/// Of a run without a step of the block: the shown launch does not have it, or it stops at once.
Diagnostics nothing_recorded(const RenderOptions& o, const results::Summary& s, Status& status) {
  const std::uint64_t blocks = s.grid.count();
  if (o.block < blocks) {
    status = worse(status, not_here);
    return {{.file = s.file,
             .message = fmt::format("block {} executed no step that could be shown", o.block),
             .remedy = "choose another block"}};
  }
  status = bad_input;
  return {{.file = s.file,
           .message = fmt::format("there is no block {}: the launch of {} that is shown has {}", o.block, s.kernel,
                                  blocks == 1 ? "one" : std::to_string(blocks)),
           .remedy = blocks == 1 ? "its only block is 0" : fmt::format("choose a block from 0 to {}", blocks - 1)}};
}

Answer render_answer(const RenderOptions& options) {
  Diagnostics wrong = wrong_names(options);
  RenderOptions how = options;
  how.measures = shows_a_measurement(options.view);
  Opened opened = wrong.empty() ? open(how) : refuse(std::move(wrong));
  Answer answer = refused_answer(opened, options.file);
  answer.json["view"] = options.view;
  if (opened.refused) return answer;
  engine::RunRequest& request = opened.request;
  request.record_block = options.block;
  request.record_step = step_wanted(options).value_or(0);
  request.measure = request.on_gpu && options.measured.empty() && shows_a_measurement(options.view);
  const auto engine = engine_for(options);
  const engine::RunResult result = engine->run(request);
  const results::Summary& summary = result.summary;
  answer.status = status_of(result.ending);
  answer.json["faults"] = faults_json(result.faults, result.summary);
  answer.add(summary.diagnostics);
  answer.add(result.measured.refused);
  add_run(answer.json, summary);
  if (!summary.ok) return answer;
  if (summary.steps == 0) return answer.add(nothing_recorded(options, summary, answer.status)), answer;
  Status refused = all_good;
  const auto picture = picture_of(*engine, result, request.text, options, refused);
  if (!picture) return answer.refuse(picture.error(), refused);
  answer.add(picture->remarks);
  for (const results::Notice& notice : summary.notices)  // in JSON they are there as such
    report({{.file = summary.file, .message = notice.words(), .severity = Severity::note}});
  if (auto written = write_picture(picture->drawn, options.output, options.theme, options.scale); !written)
    return answer.refuse(written.error(), not_here);
  answer.json["step"] =
      picture->moment.step + (picture->moment.step < 0 ? 0 : static_cast<std::int64_t>(summary.first_step));
  put_line(answer.json, summary.lines, picture->moment.line, "line", "line_file");
  put_fields(answer.json, "output", options.output, "width", picture->drawn.scene.width, "height",
             picture->drawn.scene.height);
  return answer;
}

}  // namespace

int render(const RenderOptions& options) {
  // Views of a measurement need no run.
  const bool measured = is_measured_view(options.view) && wrong_names(options).empty();
  return print(measured ? render_measured(options) : render_answer(options), options.json);
}

}  // namespace lanescope::cli
