#include "app/cli/render/render.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <set>

#include "kernels/base/numbers.h"
#include "kernels/base/text.h"
#include "results/step_index.h"
#include "viz/views/base/theme.h"

namespace lanescope::cli {
namespace {

/// Registers of more warps do not fit a readable picture.
constexpr int warps_of_registers = 4;

struct Belonging {
  std::string_view option;
  std::vector<std::string_view> views;
};
/// Options that some views do not have.
const std::vector<Belonging>& belongings() {
  static const std::vector<Belonging> all{
      {"--family", {"registers", "assignment"}},
      {"--warp", {"registers", "timeline", "divergence", "lanes", "tree", "movement", "offsets"}},
      {"--warps", {"registers", "timeline", "divergence"}},
      {"--colour", {"registers", "global", "shared", "journey", "movement"}},
      {"--share", {"movement"}},
      {"--statement", {"movement"}},
      {"--height", {"movement"}},
      {"--counter", {"heat", "ptx"}},
      {"--gpu", {"occupancy", "roofline", "traffic", "traffic-line", "traffic-run"}},
      {"--measured", {"metrics", "stalls", "compare", "sass", "host-calls", "occupancy", "roofline", "buffers"}},
      {"--baseline", {"metrics"}},
      {"--filter", {"metrics"}},
      {"--differences", {"metrics"}},
      {"--buffer", {"buffers"}},
      {"--from", {"buffers"}},
      {"--count", {"buffers"}},
      {"--of", {"tree", "journey"}},
      {"--lane", {"tree"}},
      {"--what-if", {"shared"}},
      {"--wavefront", {"shared"}},
      {"--tile", {"block"}},
      {"--label", {"block"}}};
  return all;
}

const std::vector<std::string_view>& views_of(std::string_view option) {
  return std::ranges::find(belongings(), option, &Belonging::option)->views;
}

/// Of the memory that the view shows.
bool is_access(const results::Summary& s, const results::TimelineMark& mark, std::string_view view) {
  using trace::StepKind;
  if (mark.kind != StepKind::load && mark.kind != StepKind::store && mark.kind != StepKind::atomic) return false;
  const std::string_view space = view == "shared" ? ".shared" : ".global";
  return mark.pc < 0 || static_cast<std::size_t>(mark.pc) >= s.code.size() ||
         s.code[static_cast<std::size_t>(mark.pc)].text.find(space) != std::string::npos;
}

std::optional<When> at_line(const results::Summary& s, int line, std::string_view view) {
  std::optional<When> when;
  for (const results::TimelineMark& mark : s.timeline) {
    if (mark.line != line) continue;
    if (shows_an_access(view) && is_access(s, mark, view)) return When{.step = mark.step};
    if (!when) when = When{.step = mark.step, .from = static_cast<std::int64_t>(mark.step) - 1};
    when->step = mark.step;
  }
  return when;
}

When by_default(const results::Summary& s, std::string_view view) {
  if (shows_an_access(view))
    for (const results::TimelineMark& mark : s.timeline)
      if (is_access(s, mark, view) && mark.line > 0) return {.step = mark.step};
  if (view == "block") return {};  // the lanes of no step: none was requested
  return {.step = static_cast<std::int64_t>(s.steps) - 1};
}

/// Lines with something to show: accesses of a memory view, where the block made any, else instructions.
std::vector<int> lines_to_show(const results::Summary& s, std::string_view view) {
  std::set<int> executed, accessing;
  for (const results::TimelineMark& mark : s.timeline) {
    if (mark.line <= 0) continue;
    executed.insert(mark.line);
    if (shows_an_access(view) && is_access(s, mark, view)) accessing.insert(mark.line);
  }
  const std::set<int>& lines = accessing.empty() ? executed : accessing;
  return {lines.begin(), lines.end()};
}

bool has_instructions(const results::Summary& s, int line) {
  const auto on_line = [line](const trace::CodeSite& site) { return site.line == line; };
  return std::ranges::any_of(s.code, on_line) || std::ranges::any_of(s.plain_code, on_line);
}

/// Lines of one file of the source that have something to show.
std::vector<int> lines_shown_of(const results::Summary& s, std::string_view view, std::size_t file) {
  std::vector<int> lines = lines_to_show(s, view);
  std::erase_if(lines, [&](int line) { return s.lines.place(line).file != file; });
  return lines;
}

std::string lines_that_run(const results::Summary& s, std::size_t file) {
  const std::vector<int> lines = lines_shown_of(s, "", file);
  return lines.empty() ? "" : s.lines.range(lines.front(), lines.back()) + " have executed instructions";
}

Expected<When> at_or_near(const results::Summary& s, int line, std::string_view view, std::size_t lines_in_file) {
  const SourceLines::Place at = s.lines.place(line);
  const std::string file = at.file > 0 ? s.lines.files[at.file].path : s.file;
  Diagnostic wrong{.file = file, .line = at.line, .remedy = lines_that_run(s, at.file)};
  if (at.file == 0 && (line < 1 || static_cast<std::size_t>(line) > lines_in_file)) {
    wrong.line = 0;
    wrong.message = fmt::format("there is no line {}: the file has {}", line, lines_in_file);
    return failure(std::move(wrong));
  }
  if (auto when = at_line(s, line, view)) return std::move(*when);
  const int near = nearest_line(lines_shown_of(s, view, at.file), line);
  if (near == 0 || has_instructions(s, line)) {
    wrong.message = fmt::format("no instruction of this line was executed in block {}", s.recorded_block);
    return failure(std::move(wrong));
  }
  When when = *at_line(s, near, view);
  when.remarks.push_back({.file = file,
                          .line = at.line,
                          .message = fmt::format("this line has no instruction; {}, the nearest one that has, is shown",
                                                 s.lines.words(near)),
                          .severity = Severity::note});
  return when;
}

/// --at device_part.hpp:4
Expected<When> in_header(const results::Summary& s, const RenderOptions& o, std::string_view name,
                         std::string_view number) {
  const int line = number_in<int>(number).value_or(0);
  const auto& files = s.lines.files;
  const auto file =
      std::ranges::find_if(files, [&](const SourceFileLines& f) { return f.name == name || f.path == name; });
  if (line < 1)
    return failure(fmt::format("--at {} is neither a line nor step:N", o.at), "write --at 42 or --at step:17");
  if (file == files.end())
    return failure(fmt::format("--at {}: the source has no file {}", o.at, name),
                   files.empty() ? "it has one file: write --at 42" : "");
  if (line > file->line_count)
    return failure(fmt::format("there is no line {}: {} has {}", line, name, file->line_count));
  return at_or_near(s, file->first_line + line - 1, o.view, static_cast<std::size_t>(files.front().line_count));
}

}  // namespace

bool was_given(const RenderOptions& options, std::string_view option) { return one_of(option, options.given); }

Diagnostics without_effect(const RenderOptions& o) {
  Diagnostics out;
  for (const Belonging& b : belongings()) {
    if (!was_given(o, b.option) || one_of(o.view, b.views)) continue;
    out.push_back({.message = fmt::format("{} has no effect on the view {}", b.option, o.view),
                   .remedy = fmt::format("it belongs to {}", fmt::join(b.views, ", ")),
                   .severity = Severity::warning});
  }
  if (o.measured.size() > 1 && o.view != "compare" && one_of(o.view, views_of("--measured")))
    out.push_back({.file = o.measured[1],
                   .message = fmt::format("the view {} shows one measurement, that of {}", o.view, o.measured.front()),
                   .remedy = "--view compare shows several",
                   .severity = Severity::warning});
  return out;
}

int nearest_line(const std::vector<int>& lines, int wanted) {
  int near = 0;
  for (const int line : lines)
    if (near == 0 || std::abs(line - wanted) < std::abs(near - wanted)) near = line;
  return near;
}

std::optional<std::uint64_t> step_wanted(const RenderOptions& o) {
  return o.at.starts_with("step:") ? number_in<std::uint64_t>(std::string_view(o.at).substr(5)) : std::nullopt;
}

Expected<When> when_shown(const results::Summary& s, const RenderOptions& o, std::size_t lines_in_file) {
  if (o.at.empty()) return by_default(s, o.view);
  std::string_view text = o.at;
  const bool step = text.starts_with("step:");
  if (step) text.remove_prefix(5);
  const std::int64_t number = number_in<std::int64_t>(text).value_or(-1);
  const std::size_t colon = text.rfind(':');
  if (!step && colon != std::string_view::npos) return in_header(s, o, text.substr(0, colon), text.substr(colon + 1));
  if (number < 0)
    return failure(fmt::format("--at {} is neither a line nor step:N", o.at), "write --at 42 or --at step:17");
  const auto first = static_cast<std::int64_t>(s.first_step);
  if (step && number >= first && number - first < static_cast<std::int64_t>(s.steps))
    return When{.step = number - first};
  if (step)
    return failure(
        {.file = s.file,
         .message = fmt::format("there is no step {}", number),
         .remedy = fmt::format("block {} has {} steps", s.recorded_block, std::max(s.block_steps, s.steps))});
  return at_or_near(s, static_cast<int>(std::min<std::int64_t>(number, INT32_MAX)), o.view, lines_in_file);
}

std::optional<std::int64_t> statement_shown(const results::Summary& s, const RenderOptions& o, std::int64_t step) {
  using trace::StepKind;
  int line = 0;
  if (!o.at.empty()) {
    const auto mark = std::ranges::lower_bound(
        s.timeline, step, {}, [](const results::TimelineMark& m) { return static_cast<std::int64_t>(m.step); });
    if (step_wanted(o) || mark == s.timeline.end()) return step;
    line = mark->line;
  }
  const auto of_parameter = [&](const results::TimelineMark& mark) {
    return mark.pc >= 0 && static_cast<std::size_t>(mark.pc) < s.code.size() &&
           s.code[static_cast<std::size_t>(mark.pc)].text.find(".param") != std::string::npos;
  };
  for (const StepKind kind : {StepKind::shuffle, StepKind::load, StepKind::store})
    for (const results::TimelineMark& mark : s.timeline)
      if (line == 0 && mark.warp == o.warp && mark.kind == kind && !of_parameter(mark)) line = mark.line;
  return results::first_statement_end(s, line, o.warp);
}

int warps_shown(const results::Summary& s, const RenderOptions& o) {
  const int rest = std::max(static_cast<int>(s.warps) - o.warp, 0);
  if (was_given(o, "--warps")) return std::min(o.warps, rest);
  return o.view == "registers" ? std::min(warps_of_registers, rest) : rest;
}

Diagnostics wrong_choice(const results::Summary& s, const RenderOptions& o) {
  const int warps = static_cast<int>(s.warps);
  const auto no_warps = [&](std::string what) {
    return Diagnostics{{.file = s.file,
                        .message = std::move(what),
                        .remedy = warps == 1 ? "the block has one warp, 0"
                                             : fmt::format("the block has {} warps, 0 to {}", warps, warps - 1)}};
  };
  Diagnostics notes;
  if (one_of(o.view, {"registers", "timeline", "divergence", "movement"})) {
    if (o.warp < 0 || o.warp >= warps) return no_warps(fmt::format("there is no warp {}", o.warp));
    const bool chosen = was_given(o, "--warps");
    if (chosen && o.warps < 1) return no_warps(fmt::format("--warps {} shows nothing", o.warps));
    const int shown = warps_shown(s, o);
    if (chosen && shown < o.warps) {
      notes = no_warps(fmt::format("{} warp{} shown, not {}", shown, shown == 1 ? " is" : "s are", o.warps));
      notes.front().severity = Severity::note;
    }
    if (!chosen && !was_given(o, "--warp") && shown < warps && o.view != "movement")
      notes.push_back({.file = s.file,
                       .message = fmt::format("warps 0 to {} of {} are shown", shown - 1, warps),
                       .remedy = "--warp and --warps choose others",
                       .severity = Severity::note});
  }
  if (one_of(o.view, {"registers", "global", "shared", "movement"}))
    if (Diagnostics wrong = views::wrong_color_words(s, o.colour); !wrong.empty()) return wrong;
  return notes;
}

Diagnostics wrong_wavefront(std::uint64_t wavefronts, int wanted) {
  if (wanted >= 0 && static_cast<std::uint64_t>(wanted) < wavefronts) return {};
  return {
      {.message = fmt::format("there is no wavefront {}", wanted),
       .remedy = wavefronts <= 1
                     ? fmt::format("this access has {} wavefront{}", wavefronts, wavefronts == 1 ? ", number 0" : "s")
                     : fmt::format("this access has {} wavefronts, 0 to {}", wavefronts, wavefronts - 1)}};
}

Diagnostics wrong_access(const results::Moment& moment, const RenderOptions& o) {
  if (o.view != "shared") return {};
  const bool played = was_given(o, "--wavefront"), changed = !o.what_if.empty();
  if (!played && !changed) return {};
  if (!moment.access || moment.access->space != trace::MemorySpace::shared)
    return {{.message = fmt::format("the step shown does not access shared memory, so {} has no effect",
                                    played ? "--wavefront" : "--what-if"),
             .remedy = "name the line of an access with --at"}};
  return played ? wrong_wavefront(moment.access->cost.wavefronts, o.wavefront) : Diagnostics{};
}

Expected<engine::TreeRequest> wanted_tree(const results::Summary& s, const RenderOptions& o) {
  using Of = engine::TreeRequest::Of;
  if (o.of.empty()) return engine::TreeRequest{};
  for (std::size_t f = 0; f < s.families.size(); ++f) {
    const auto& registers = s.families[f].registers;
    auto at = std::ranges::find(registers, o.of);
    if (at == registers.end() && s.families[f].name == o.of) at = registers.begin();
    if (at == registers.end()) continue;
    return engine::TreeRequest{.of = Of::register_,
                               .family = static_cast<int>(f),
                               .warp = o.warp,
                               .reg = static_cast<int>(at - registers.begin()),
                               .lane = o.lane,
                               .all_lanes = !was_given(o, "--lane")};
  }
  const std::size_t bracket = o.of.find('[');
  const auto buffer = std::ranges::find(s.buffers, o.of.substr(0, bracket), &results::BufferInfo::name);
  std::uint64_t element = 0;
  const char* first = o.of.data() + std::min(bracket + 1, o.of.size());
  const auto read = std::from_chars(first, o.of.data() + o.of.size(), element);
  const bool named = bracket != std::string::npos && read.ec == std::errc{} && std::string_view(read.ptr) == "]";
  if (buffer == s.buffers.end() || !named) {
    std::vector<std::string> names;
    for (const auto& f : s.families) names.push_back(f.name);
    for (const auto& b : s.buffers) names.push_back(b.name + "[0]");
    return failure({.file = s.file,
                    .message = fmt::format("there is no value '{}'", o.of),
                    .remedy = fmt::format("the values are {}", fmt::join(names, ", "))});
  }
  if (element >= buffer->elements)
    return failure({.file = s.file,
                    .message = fmt::format("there is no element {}: `{}` has {} elements", element, buffer->name,
                                           buffer->elements),
                    .remedy = fmt::format("the last one is {}[{}]", buffer->name, buffer->elements - 1)});
  return engine::TreeRequest{
      .of = Of::element, .buffer = static_cast<int>(buffer - s.buffers.begin()), .element = element};
}

}  // namespace lanescope::cli
