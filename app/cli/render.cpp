#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "app/cli/commands.h"
#include "app/cli/report.h"
#include "app/document/file_io.h"
#include "viz/paint/paint.h"
#include "viz/views/views.h"

namespace lanescope::cli {
namespace {

constexpr std::string_view view_names[] = {"registers", "global", "shared", "timeline", "assignment"};
/// Arrays shown when nobody names any; more do not fit a picture.
constexpr std::size_t most_families = 4;

bool is_access(trace::StepKind kind) {
  return kind == trace::StepKind::load || kind == trace::StepKind::store || kind == trace::StepKind::atomic;
}

/// The state to show and the one that moves start from.
struct When {
  std::int64_t step = -1, from = -2;
};

/// Memory views look at the first access of the line; the others at the state after it, in all warps.
std::optional<When> at_line(const views::Summary& s, int line, bool memory) {
  std::optional<When> when;
  for (const views::TimelineMark& mark : s.timeline) {
    if (mark.line != line) continue;
    if (memory && is_access(mark.kind)) return When{mark.step, -2};
    if (!when) when = When{mark.step, static_cast<std::int64_t>(mark.step) - 1};
    when->step = mark.step;
  }
  return when;
}

When by_default(const views::Summary& s, bool memory) {
  if (memory)
    for (const views::TimelineMark& mark : s.timeline)
      if (is_access(mark.kind) && mark.line > 0) return {mark.step, -2};
  return {static_cast<std::int64_t>(s.steps) - 1, -2};
}

std::string lines_that_run(const views::Summary& s) {
  std::set<int> lines;
  for (const views::TimelineMark& mark : s.timeline)
    if (mark.line > 0) lines.insert(mark.line);
  return lines.empty() ? "" : fmt::format("code runs between lines {} and {}", *lines.begin(), *lines.rbegin());
}

std::optional<When> parse_at(const views::Summary& s, const RenderOptions& o, bool memory) {
  if (o.at.empty()) return by_default(s, memory);
  std::string_view text = o.at;
  const bool step = text.starts_with("step:");
  if (step) text.remove_prefix(5);
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size() || number < 0) {
    report("", fmt::format("--at {} is neither a line nor step:N", o.at), "write --at 42 or --at step:17");
    return std::nullopt;
  }
  if (step && number < static_cast<std::int64_t>(s.steps)) return When{number, -2};
  if (step) {
    report(s.file, fmt::format("there is no step {}", number),
           fmt::format("block {} has {} steps", s.recorded_block, s.steps));
    return std::nullopt;
  }
  const auto when = at_line(s, static_cast<int>(number), memory);
  if (!when)
    report({{.file = s.file,
             .line = static_cast<int>(number),
             .message = "no instruction of this line runs",
             .remedy = lines_that_run(s)}});
  return when;
}

bool holds_data(const views::RegisterGrid& grid) {
  return std::ranges::any_of(grid.cells, [](const views::Cell& c) { return c.kind != 0; });
}

/// The arrays named, or those that hold data, the last written ones first to stay.
std::optional<std::vector<int>> choose_families(const engine::Session& session, const RenderOptions& o,
                                                const When& when) {
  const views::Summary& s = session.summary();
  std::vector<int> chosen;
  for (const std::string& name : o.families) {
    const auto found = std::ranges::find(s.families, name, &views::FamilyInfo::name);
    if (found == s.families.end()) {
      std::vector<std::string> names;
      for (const auto& f : s.families) names.push_back(f.name);
      report(s.file, fmt::format("there is no register array '{}'", name),
             fmt::format("the arrays are {}", fmt::join(names, ", ")));
      return std::nullopt;
    }
    chosen.push_back(static_cast<int>(found - s.families.begin()));
  }
  if (!o.families.empty()) return chosen;
  engine::MomentRequest all{.step = when.step, .families = {}, .first_warp = 0, .warp_count = 1};
  for (std::size_t i = 0; i < s.families.size(); ++i) all.families.push_back(static_cast<int>(i));
  for (const views::RegisterGrid& grid : session.moment(all).grids)
    if (holds_data(grid)) chosen.push_back(grid.family);
  if (chosen.size() > most_families) chosen.erase(chosen.begin(), chosen.end() - most_families);
  return chosen;
}

scene::Scene draw(const views::Summary& s, const views::Moment& m, const RenderOptions& o, const views::Theme& theme) {
  views::Selection selection{.step = m.step,
                             .line = m.line,
                             .place = {},
                             .element = {},
                             .address = {},
                             .warp = static_cast<int>(m.warp),
                             .block = m.block};
  if (o.view == "global") {
    views::GlobalOptions options;
    options.width = o.width, options.color_by = o.colour;
    return views::global_view(s, m, selection, options, theme);
  }
  if (o.view == "shared") {
    views::SharedOptions options;
    options.width = o.width, options.color_by = o.colour;
    return views::shared_view(s, m, selection, options, theme);
  }
  if (o.view == "timeline") {
    views::TimelineOptions options;
    options.width = o.width, options.first_warp = o.warp;
    return views::timeline_view(s, m, selection, options, theme);
  }
  if (o.view == "assignment") {
    views::AssignmentOptions options;
    options.width = o.width;
    return views::assignment_view(s, m, selection, options, theme);
  }
  views::RegistersOptions options;
  options.width = o.width, options.color_by = o.colour;
  return views::registers_view(s, m, selection, options, theme);
}

Expected<std::vector<std::byte>> picture(const scene::Scene& scene, const views::Theme& theme, const RenderOptions& o) {
  const auto bytes_of = [](const std::string& text) {
    const auto raw = std::as_bytes(std::span(text));
    return std::vector<std::byte>(raw.begin(), raw.end());
  };
  const std::string kind = std::filesystem::path(o.output).extension().string();
  if (kind == ".json") return bytes_of(scene::to_json(scene));
  if (kind == ".svg") return bytes_of(paint::to_svg(scene, theme.paper()));
  return paint::to_png(scene, theme.paper(), o.scale);
}

/// Names that are wrong before anything runs.
std::optional<Status> check_names(const RenderOptions& o) {
  if (std::ranges::find(view_names, o.view) == std::end(view_names)) {
    report("", fmt::format("there is no view '{}'", o.view),
           fmt::format("the views are {}", fmt::join(view_names, ", ")));
    return bad_input;
  }
  const std::string kind = std::filesystem::path(o.output).extension().string();
  if (kind != ".svg" && kind != ".png" && kind != ".json") {
    report(o.output, "a picture ends in .svg or .png", "name it so, or .json for the scene itself");
    return bad_input;
  }
  for (const views::Theme* theme : views::themes())
    if (theme->name == o.theme) return std::nullopt;
  std::vector<std::string_view> names;
  for (const views::Theme* theme : views::themes()) names.push_back(theme->name);
  report("", fmt::format("there is no theme '{}'", o.theme), fmt::format("the themes are {}", fmt::join(names, ", ")));
  return bad_input;
}

}  // namespace

int render(const RenderOptions& options) {
  if (const auto wrong = check_names(options)) return *wrong;
  auto [request, refused] = open(options);
  if (refused) return *refused;
  request.record_block = options.block;
  engine::Session session;
  const views::Summary& summary = session.run(request);
  report(summary.diagnostics);
  const Status status = status_of(session.ending());
  if (!summary.ok || summary.steps == 0) return status;

  const bool memory = options.view == "global" || options.view == "shared";
  const auto when = parse_at(summary, options, memory);
  if (!when) return bad_input;
  const auto families = choose_families(session, options, *when);
  if (!families) return bad_input;
  if (options.view == "shared" && summary.shared_bytes == 0) {
    report(summary.file, "this kernel has no shared memory", "choose another view");
    return bad_input;
  }
  const views::Moment moment = session.moment({.step = when->step,
                                               .families = *families,
                                               .first_warp = options.warp,
                                               .warp_count = options.warps,
                                               .moves_from = when->from});
  const views::Theme& theme = views::theme_named(options.theme);
  const scene::Scene scene = draw(summary, moment, options, theme);
  auto bytes = picture(scene, theme, options);
  if (!bytes) return report(bytes.error()), not_here;
  if (auto written = document::write_file(options.output, *bytes); !written) return report(written.error()), bad_input;
  if (options.json) {
    const nlohmann::json out = {{"file", summary.file},  {"view", options.view},     {"step", moment.step},
                                {"line", moment.line},   {"output", options.output}, {"width", scene.width},
                                {"height", scene.height}};
    fmt::print("{}\n", out.dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
  }
  return status;
}

}  // namespace lanescope::cli
