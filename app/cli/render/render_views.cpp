// One view of a run as a scene and as a table.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

#include "app/cli/render/render.h"
#include "app/engine/summary/occupancy_info.h"
#include "kernels/base/text.h"
#include "kernels/source/offsets/pointer_offsets.h"
#include "results/journey.h"
#include "viz/views/base/csv.h"
#include "viz/views/base/theme.h"
#include "viz/views/buffers/buffers.h"
#include "viz/views/costs/grid.h"
#include "viz/views/costs/heat.h"
#include "viz/views/costs/occupancy.h"
#include "viz/views/costs/timeline.h"
#include "viz/views/costs/timeline_bands.h"
#include "viz/views/costs/warps.h"
#include "viz/views/journey/journey.h"
#include "viz/views/launches/launch_tree.h"
#include "viz/views/measured/compare.h"
#include "viz/views/memory/banks.h"
#include "viz/views/memory/global.h"
#include "viz/views/movement/movement.h"
#include "viz/views/offsets/offsets.h"
#include "viz/views/registers/block.h"
#include "viz/views/registers/claim_states.h"
#include "viz/views/registers/registers.h"
#include "viz/views/tooltips.h"
#include "viz/views/values/value_tree.h"

namespace lanescope::cli {
namespace {

constexpr std::string_view run_views[] = {
    "registers", "global", "shared",     "timeline",  "assignment", "traffic",  "traffic-line", "traffic-run",
    "heat",      "ptx",    "divergence", "occupancy", "roofline",   "buffers",  "grid",         "block",
    "lanes",     "tree",   "journey",    "movement",  "offsets",    "launches", "barriers",     "claims"};

/// The inputs of every view.
struct Context {
  const results::Summary& summary;
  const results::Moment& moment;
  const RenderOptions& options;
  const views::Theme& theme;
  views::Selection selection{};
  const results::Measured* measured = nullptr;

  std::string table(std::string_view view) const { return views::to_csv(view, summary, moment); }
};

Expected<Drawn> draw_shared(const Context& c) {
  const auto what_if = LS_TRY(parse_what_if(c.options.what_if));
  views::SharedOptions options;
  options.width = c.options.width, options.color_by = c.options.colour;
  options.wavefront = was_given(c.options, "--wavefront") ? c.options.wavefront : -1, options.what_if = what_if;
  const bool compared = what_if.kind != views::WhatIf::Kind::none && c.moment.access;
  return Drawn{.scene = views::shared_view(c.summary, c.moment, c.selection, options, c.theme),
               .csv = compared ? views::to_csv(*c.moment.access, what_if) : c.table("shared")};
}

Expected<Drawn> draw_traffic(const Context& c) {
  engine::ShownMemory shown = engine::shown_memory(c.summary.arch, c.options.gpu);
  const views::TrafficOptions options{
      .width = c.options.width, .arch = std::move(shown.arch), .memory = std::move(shown.memory)};
  if (c.options.view == "traffic" || !c.moment.totals)
    return Drawn{.scene = views::traffic_view(c.summary, c.moment, c.selection, options, c.theme),
                 .csv = c.table("global")};
  return Drawn{.scene = views::traffic_totals_view(c.summary, *c.moment.totals, c.selection, options, c.theme),
               .csv = views::to_csv(c.summary, *c.moment.totals, options.memory.half_warps)};
}

Expected<std::string> counter_of(const RenderOptions& o) {
  std::vector<std::string_view> known;
  for (const views::HeatCounter& c : views::heat_counters()) known.push_back(c.name);
  if (std::ranges::find(known, o.counter) != known.end()) return o.counter;
  return failure(fmt::format("there is no counter '{}'", o.counter),
                 fmt::format("the counters are {}", fmt::join(known, ", ")));
}

Expected<Drawn> draw_heat(const Context& c, const std::string& text) {
  return counter_of(c.options).map([&](const std::string& counter) {
    const views::HeatColumn column = views::heat(c.summary, counter, c.theme);
    const views::HeatOptions options{.width = c.options.width};
    const std::vector<std::string_view> split = split_lines(text);
    const std::vector<std::string> lines(split.begin(), split.end());
    return Drawn{.scene = views::heat_view(column, lines, c.selection, options, c.theme), .csv = views::to_csv(column)};
  });
}

Expected<Drawn> draw_ptx(const Context& c) {
  return counter_of(c.options).map([&](const std::string& counter) {
    const views::PtxOptions options{.width = c.options.width, .counter = counter};
    return Drawn{.scene = views::ptx_view(c.summary, c.moment, c.selection, options, c.theme), .csv = c.table("ptx")};
  });
}

/// As a GPU measured it, where one did: it is drawn on that GPU, for a point stands under the roofs of its own.
Expected<results::OccupancyInfo> occupancy_of(const Context& c) {
  const std::string device = c.measured ? c.measured->device : "", name = engine::table_name(device);
  auto info = engine::occupancy_info(c.summary, {.gpu = c.options.gpu.empty() ? name : c.options.gpu});
  if (!info || !c.measured) return info;
  if (name == info->gpu) {
    views::put_measured(*info, *c.measured, c.summary.work);
  } else if (!c.options.measured.empty()) {
    return failure(Diagnostic{.file = c.options.measured.front(),
                              .message = fmt::format("the measurement was made on {}, but {} is drawn",
                                                     device.empty() ? "no GPU" : device, info->gpu),
                              .remedy = "omit --gpu, or measure on that GPU"});
  }
  return info;
}

Expected<Drawn> draw_occupancy(const Context& c) {
  return occupancy_of(c).map([&](const results::OccupancyInfo& info) {
    const views::OccupancyOptions options{.width = c.options.width};
    if (c.options.view == "roofline")
      return Drawn{views::roofline_view(info, options, c.theme), views::roofline_csv(info)};
    return Drawn{views::occupancy_view(info, options, c.theme), views::to_csv(info)};
  });
}

Expected<Drawn> draw_launches(const Context& c) {
  if (c.summary.grids.empty()) return failure("no kernel of this run launches kernels");
  return Drawn{.scene = views::launch_tree_view(c.summary, {.width = c.options.width}, c.theme),
               .csv = views::launch_tree_csv(c.summary)};
}

/// The pointer offset at the line that is requested, else the first one with a comment.
Expected<Drawn> draw_offsets(const Context& c, const std::string& text) {
  const auto source = source::read(c.options.file, text, {.watch_probes = false});
  if (!source) return tl::unexpected(source.error());
  std::vector<source::PointerOffsets> all;
  for (const source::LaunchSpec& launch : source->header.launches)
    if (all.empty() && launch.kernel == c.summary.kernel) all = source::pointer_offsets(*source, launch);
  if (all.empty())
    return failure(
        "no comment states the shape of a pointer before and after an offset",
        "write above it: // before: shape (64, 128), contiguous, and // after: shape (32, 32), strides (128, 1)");
  const source::PointerOffsets* shown = &all.front();
  int step = -1, line = 0;
  std::from_chars(c.options.at.data(), c.options.at.data() + c.options.at.size(), line);
  for (const source::PointerOffsets& o : all)
    if (step < 0 && line > 0 && (step = source::step_at_line(o, line)) >= 0) shown = &o;
  if (step < 0 && line > 0)
    return failure(fmt::format("there is no pointer offset at line {}", line),
                   "name the line of the statement or of its comment");
  for (std::size_t n = 0; step < 0; ++n)
    if (shown->steps[n].comment_line > 0) step = static_cast<int>(n);
  const std::uint32_t warp =
      was_given(c.options, "--warp") ? static_cast<std::uint32_t>(c.options.warp) : c.moment.warp;
  const views::OffsetsOptions options{.width = c.options.width, .thread = {.block = c.moment.block, .warp = warp}};
  const auto shown_step = static_cast<std::size_t>(step);
  return Drawn{.scene = views::offsets_view(*shown, shown_step, options, c.theme),
               .csv = views::offsets_csv(*shown, shown_step, options.thread)};
}

Drawn draw_plain(const Context& c) {
  const RenderOptions& o = c.options;
  if (o.view == "global") {
    views::GlobalOptions options{.width = o.width, .color_by = o.colour};
    return {views::global_view(c.summary, c.moment, c.selection, options, c.theme), c.table("global")};
  }
  if (o.view == "grid") {
    const views::GridOptions options{.width = o.width, .height = o.width};
    return {views::grid_view(c.summary, results::problems_of(c.summary), options, c.theme), c.table("grid")};
  }
  if (o.view == "block") {
    const views::BlockOptions options{
        .width = o.width, .label = views::block_label(o.label).value_or(views::BlockLabel::place), .tile = o.tile};
    return {views::block_view(c.summary, c.moment, c.selection, options, c.theme), c.table("block")};
  }
  if (o.view == "timeline") {
    views::TimelineOptions options{.width = o.width, .first_warp = o.warp, .most_warps = warps_shown(c.summary, o)};
    const std::vector<views::TimelineProblem> problems = views::problem_marks(c.summary);
    options.problems = problems;
    return {views::timeline_view(c.summary, c.moment, c.selection, options, c.theme), c.table("timeline")};
  }
  if (o.view == "assignment") {
    views::AssignmentOptions options{.width = o.width};
    return {views::assignment_view(c.summary, c.moment, c.selection, options, c.theme), c.table("assignment")};
  }
  if (o.view == "lanes") {
    const views::LanesOptions options{.width = o.width, .warp = o.warp, .most_events = 40};
    return {views::lanes_view(c.summary, c.moment, c.selection, options, c.theme), c.table("lanes")};
  }
  if (o.view == "claims")
    return {views::claim_states_view(c.summary, c.selection, {.width = o.width}, c.theme), c.table("claims")};
  if (o.view == "barriers") {
    views::Selection shown = c.selection;
    shown.step = c.moment.step;
    return {views::barriers_view(c.summary, shown, {.width = o.width}, c.theme),
            views::barriers_csv(c.summary, shown.step)};
  }
  if (o.view == "movement") {
    const views::MovementOptions options{
        .width = o.width > 0 ? o.width : 1180, .height = o.height, .color_by = o.colour};
    return {views::movement_view(c.summary, c.moment, c.selection, options, c.theme), c.table("movement")};
  }
  if (o.view == "tree" && c.moment.tree) {
    const views::ValueTreeOptions options{.width = o.width};
    return {views::value_tree_view(c.summary, *c.moment.tree, c.selection, options, c.theme), c.table("tree")};
  }
  if (o.view == "divergence") {
    const views::DivergenceOptions options{
        .width = o.width, .first_warp = o.warp, .most_warps = warps_shown(c.summary, o)};
    return {views::divergence_view(c.summary, c.moment, c.selection, options, c.theme), c.table("divergence")};
  }
  views::RegistersOptions options{.width = o.width, .color_by = o.colour};
  return {views::registers_view(c.summary, c.moment, c.selection, options, c.theme), c.table("registers")};
}

// Contents of a buffer before and after the launches, beside those that a GPU left in it.

/// -1 where none is named: the engine shows the one that shows most.
Expected<int> buffer_named(const results::Summary& summary, const std::string& name) {
  if (name.empty()) return -1;
  const auto found = std::ranges::find(summary.buffers, name, &results::BufferInfo::name);
  if (found != summary.buffers.end()) return static_cast<int>(found - summary.buffers.begin());
  std::vector<std::string> names;
  for (const results::BufferInfo& b : summary.buffers) names.push_back(b.name);
  return failure(Diagnostic{.file = summary.file,
                            .message = fmt::format("there is no buffer '{}'", name),
                            .remedy = fmt::format("the buffers are {}", fmt::join(names, ", "))});
}

Expected<results::Measured> compared(const engine::RunResult& result, const RenderOptions& o) {
  return o.measured.empty() ? result.hardware : measured_kernel(o.measured.front(), result.summary);
}

}  // namespace

std::span<const std::string_view> view_names() { return run_views; }

bool shows_a_measurement(std::string_view view) { return view == "occupancy" || view == "roofline"; }

bool shows_an_access(std::string_view view) {
  return view == "global" || view == "shared" || view == "traffic" || view == "traffic-line";
}

int totals_line(std::string_view view, int line) {
  if (view == "traffic-run") return 0;
  return view == "traffic-line" && line > 0 ? line : -1;
}

Expected<Drawn> draw(const results::Summary& summary, const results::Moment& moment, const std::string& text,
                     const RenderOptions& options, const results::Measured* measured) {
  const Context c{.summary = summary,
                  .moment = moment,
                  .options = options,
                  .theme = theme_of(options.theme),
                  .selection = {.step = moment.step,
                                .share = options.share,
                                .line = moment.line,
                                .warp = static_cast<int>(moment.warp),
                                .block = moment.block},
                  .measured = measured};
  if (options.view == "shared") return draw_shared(c);
  if (options.view.starts_with("traffic")) return draw_traffic(c);
  if (options.view == "heat") return draw_heat(c, text);
  if (options.view == "ptx") return draw_ptx(c);
  if (options.view == "offsets") return draw_offsets(c, text);
  if (options.view == "launches") return draw_launches(c);
  if (shows_a_measurement(options.view)) return draw_occupancy(c);
  return draw_plain(c);
}

Expected<Drawn> draw_buffers(engine::Engine& engine, const engine::RunResult& result, const results::Moment& moment,
                             const RenderOptions& o) {
  const results::Summary& summary = result.summary;
  const auto buffer = LS_TRY(buffer_named(summary, o.buffer));
  const auto measured = LS_TRY(compared(result, o));
  const auto contents =
      LS_TRY(engine.ask<engine::ask::Contents>({.buffer = buffer, .first = o.from, .count = o.count}));
  if (contents.buffer >= 0 && o.from >= contents.elements)
    return failure(Diagnostic{.file = summary.file,
                              .message = fmt::format("{} has no element {}", contents.name, o.from),
                              .remedy = fmt::format("it has {} elements, from 0", contents.elements)});
  // Without --at the moment is the end of the block, whose last access is of no interest here.
  const results::Moment shown = o.at.empty() ? results::Moment{} : moment;
  return Drawn{
      .scene = views::buffers_view(summary, shown, contents, measured, {}, {.width = o.width}, theme_of(o.theme)),
      .csv = views::buffers_csv(summary, contents)};
}

Expected<engine::JourneyRequest> wanted_journeys(const results::Summary& s, const std::vector<std::string>& elements) {
  engine::JourneyRequest wanted;
  for (const std::string& text : elements) {
    const results::NamedElements named = results::read_elements(text);
    const auto buffer = std::ranges::find(s.buffers, named.buffer, &results::BufferInfo::name);
    if (named.buffer.empty() || buffer == s.buffers.end()) {
      std::vector<std::string> names;
      for (const auto& b : s.buffers) names.push_back(b.name + "[0]");
      return failure(
          {.file = s.file,
           .message = fmt::format("there is no element '{}'", text),
           .remedy = fmt::format("elements are written {}, or {}[0..7]; at most {} of them", fmt::join(names, ", "),
                                 s.buffers.empty() ? "p" : s.buffers.front().name, results::most_pins)});
    }
    if (named.last >= buffer->elements)
      return failure({.file = s.file,
                      .message = fmt::format("there is no element {}: `{}` has {} elements", named.last, buffer->name,
                                             buffer->elements),
                      .remedy = fmt::format("the last one is {}[{}]", buffer->name, buffer->elements - 1)});
    for (std::uint64_t e = named.first; e <= named.last; ++e)
      wanted.elements.push_back({static_cast<int>(buffer - s.buffers.begin()), e});
  }
  if (wanted.elements.empty() || wanted.elements.size() > results::most_pins)
    return failure({.file = s.file,
                    .message = fmt::format("{} elements are to be followed", wanted.elements.size()),
                    .remedy = fmt::format("name 1 to {}", results::most_pins)});
  return wanted;
}

Expected<Drawn> draw_journeys(engine::Engine& engine, const results::Summary& summary, const results::Moment& moment,
                              const RenderOptions& o) {
  std::vector<std::string> elements;
  for (std::size_t at = 0; at < o.of.size();) {
    const std::size_t end = std::min(o.of.find(',', at), o.of.size());
    elements.push_back(o.of.substr(at, end - at));
    at = end + 1;
  }
  const auto wanted = LS_TRY(wanted_journeys(summary, elements));
  const auto journeys = LS_TRY(engine.ask<engine::ask::Journeys>(wanted));
  const views::JourneyOptions options{.width = o.width, .color_by = o.colour};
  views::Selection at;
  at.step = o.at.empty() ? -2 : moment.step;  // without --at none of the places is that of a moment
  return Drawn{.scene = views::journey_view(summary, journeys, at, options, theme_of(o.theme)),
               .csv = views::journey_csv(summary, journeys, options)};
}

}  // namespace lanescope::cli
