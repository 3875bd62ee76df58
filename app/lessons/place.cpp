#include "app/lessons/moments_file.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/lessons/notation.h"
#include "kernels/base/text.h"
#include "results/step_index.h"
#include "viz/views/base/theme.h"

namespace lanescope::lessons {
namespace {

/// Without blanks at all: a formatter may have moved them.
std::string bare(std::string_view line) {
  std::string out;
  for (const char c : line)
    if (!is_blank(c)) out += c;
  return out;
}

std::vector<int> lines_like(std::string_view text, std::string_view line) {
  std::vector<int> out;
  const std::string wanted = bare(line);
  int number = 0;
  for (const std::string_view each : split_lines(text))
    if (++number; bare(each) == wanted) out.push_back(number);
  return out;
}

std::string_view line_text(std::string_view text, int line) {
  const auto lines = split_lines(text);
  return line >= 1 && line <= static_cast<int>(lines.size()) ? trimmed(lines[static_cast<std::size_t>(line) - 1])
                                                             : std::string_view();
}

/// Marks of the warp in one visit, ascending; of a moment's instruction.
std::vector<std::int64_t> steps_of(const results::Summary& summary, const results::LineVisit& visit, int warp) {
  std::vector<std::int64_t> out;
  auto at = std::ranges::lower_bound(summary.timeline, visit.first, {},
                                     [](const results::TimelineMark& m) { return static_cast<std::int64_t>(m.step); });
  for (; at != summary.timeline.end() && at->step <= visit.last; ++at)
    if (at->warp == warp) out.push_back(at->step);
  return out;
}

/// Places of registers with this name, in the order of the summary.
std::vector<std::pair<int, int>> registers_named(const results::Summary& summary, std::string_view name) {
  std::vector<std::pair<int, int>> out;
  for (std::size_t f = 0; f < summary.families.size(); ++f) {
    const auto& registers = summary.families[f].registers;
    for (std::size_t r = 0; r < registers.size(); ++r)
      if (registers[r] == name) out.emplace_back(static_cast<int>(f), static_cast<int>(r));
  }
  return out;
}

Expected<int> buffer_named(const results::Summary& summary, std::string_view name) {
  for (std::size_t b = 0; b < summary.buffers.size(); ++b)
    if (summary.buffers[b].name == name) return static_cast<int>(b);
  std::vector<std::string> names;
  for (const auto& b : summary.buffers) names.push_back(b.name);
  return failure(fmt::format("there is no buffer `{}`", name), fmt::format("there are {}", fmt::join(names, ", ")));
}

/// The first element that is meant, with its buffer.
Expected<std::pair<int, std::uint64_t>> element_of(const results::Summary& summary, const ElementText& e) {
  const auto buffer = LS_TRY(buffer_named(summary, e.buffer));
  const results::BufferInfo& info = summary.buffers[static_cast<std::size_t>(buffer)];
  std::uint64_t number = e.indices.front();
  if (e.indices.size() > 1) {
    if (e.indices.size() != info.axes.size())
      return failure(fmt::format("{} has {} axes, not {}", info.name, info.axes.size(), e.indices.size()),
                     "write the number of the element, or an index for each axis");
    number = 0;
    for (std::size_t a = 0; a < info.axes.size(); ++a) {
      if (e.indices[a] >= info.axes[a].extent)
        return failure(fmt::format("{} of {} has {} elements, so there is no index {}", info.axes[a].name, info.name,
                                   info.axes[a].extent, e.indices[a]));
      number += e.indices[a] * info.axes[a].stride_elements;
    }
  }
  if (std::max(number, e.last.value_or(0)) >= info.elements)
    return failure(fmt::format("{} has {} elements, so there is no element {}", info.name, info.elements,
                               std::max(number, e.last.value_or(0))));
  return std::pair{buffer, number};
}

constexpr std::uint64_t most_pins = 4096;

Diagnostics put_selection(const SavedMoment& m, const results::Summary& summary, views::Selection& s) {
  const auto selected = parse_selection(m.select);
  if (!selected) return selected.error();
  if (const auto& place = selected->place) {
    const auto named = registers_named(summary, place->name);
    if (named.empty() || place->number > static_cast<int>(named.size()))
      return failure(fmt::format("there is no register `{}`{}", place->name,
                                 named.empty() ? "" : fmt::format(" #{}", place->number)),
                     "select one that the registers of this run have")
          .value();
    const auto [family, reg] = named[static_cast<std::size_t>(place->number) - 1];
    const int warp = place->warp < 0 ? m.warp : place->warp;
    if (warp >= static_cast<int>(summary.warps))
      return failure(fmt::format("the block has {} warps, so there is no warp {}", summary.warps, warp)).value();
    s.place = results::PlaceRef{.family = family, .warp = warp, .reg = reg, .part = place->part, .lane = place->lane};
    s.family = family;
  }
  if (selected->element) {
    const auto element = element_of(summary, *selected->element);
    if (!element) return element.error();
    s.element = *element;
  }
  if (const auto& address = selected->address) {
    int buffer = -1;
    std::uint64_t bytes = summary.shared_bytes;
    if (!address->buffer.empty()) {
      const auto named = buffer_named(summary, address->buffer);
      if (!named) return named.error();
      buffer = *named;
      bytes = summary.buffers[static_cast<std::size_t>(buffer)].bytes;
    }
    if (address->byte >= bytes)
      return failure(fmt::format("{} has {} bytes, so there is no byte {}",
                                 buffer < 0 ? "shared memory of the block" : address->buffer, bytes, address->byte))
          .value();
    s.address = std::pair{buffer, address->byte};
  }
  for (const std::string& pin : m.pins) {
    const auto text = parse_elements(pin);
    if (!text) return text.error();
    const auto first = element_of(summary, *text);
    if (!first) return first.error();
    const std::uint64_t last = text->last.value_or(first->second);
    if (last - first->second >= most_pins)
      return failure(fmt::format("`{}` is more than {} elements", pin, most_pins), "pin fewer").value();
    for (std::uint64_t e = first->second; e <= last; ++e) s.pins.emplace_back(first->first, e);
  }
  return {};
}

/// Consecutive elements of one buffer become a range.
std::vector<std::string> pins_text(const results::Summary& summary, const views::Selection& s) {
  std::vector<std::string> out;
  for (std::size_t i = 0; i < s.pins.size();) {
    const auto [buffer, first] = s.pins[i];
    std::uint64_t last = first;
    while (++i < s.pins.size() && s.pins[i] == std::pair{buffer, last + 1} && last - first + 2 < most_pins) ++last;
    const std::string& name = summary.buffers[static_cast<std::size_t>(buffer)].name;
    out.push_back(last == first ? fmt::format("{}[{}]", name, first) : fmt::format("{}[{}..{}]", name, first, last));
  }
  return out;
}

bool names_buffer(const results::Summary& summary, int buffer) {
  return buffer >= 0 && buffer < static_cast<int>(summary.buffers.size());
}

}  // namespace

std::string element_words(const results::Summary& summary, int buffer, std::uint64_t element) {
  if (!names_buffer(summary, buffer)) return {};
  return fmt::format("{}[{}]", summary.buffers[static_cast<std::size_t>(buffer)].name, element);
}

Expected<LinePlace> line_of(const SavedMoment& m, std::string_view text) {
  const int count = static_cast<int>(split_lines(text).size());
  if (m.text.empty()) {
    if (m.line <= count) return LinePlace{.line = m.line};
    return failure(fmt::format("the kernel has {} lines, so there is no line {}", count, m.line));
  }
  const std::vector<int> same = lines_like(text, m.text);
  if (same.empty())
    return failure(fmt::format("line {} was changed or is gone: it was `{}`", m.line, m.text),
                   "bookmark the moment again, or write the new line into `text`");
  const auto moved = [&](int line) {
    return LinePlace{.line = line, .remark = line == m.line ? "" : fmt::format("line {} is now line {}", m.line, line)};
  };
  if (same.size() == 1) return moved(same.front());
  if (m.nth >= 0 && m.nth < static_cast<int>(same.size())) return moved(same[static_cast<std::size_t>(m.nth)]);
  const int nearest = *std::ranges::min_element(same, {}, [&](int line) { return std::abs(line - m.line); });
  LinePlace place = moved(nearest);
  if (nearest != m.line || m.nth >= 0)
    place.remark = fmt::format("`{}` is in {} lines; line {} is taken", m.text, same.size(), nearest);
  return place;
}

Expected<MomentPlace> resolve(const SavedMoment& m, std::string_view text, const results::Summary& summary) {
  const auto line = LS_TRY(line_of(m, text));
  if (!summary.ok) return failure("the kernel did not run", "see its problems");
  if (m.launch >= 0 && m.launch != summary.recorded_launch)
    return failure(fmt::format("launch {} is not the one that is shown", m.launch),
                   summary.launches.size() > 1 ? fmt::format("launches are 0 to {}", summary.launches.size() - 1)
                                               : "leave out `launch`");
  if (m.block != summary.recorded_block)
    return failure(fmt::format("block {} is not recorded", m.block), "the launch may have fewer blocks");
  if (summary.first_step > 0)
    return failure("only a part of the block is recorded, so visits of lines cannot be counted",
                   "choose a moment of a shorter run");
  if (m.warp >= static_cast<int>(summary.warps))
    return failure(fmt::format("the block has {} warps, so there is no warp {}", summary.warps, m.warp));
  MomentPlace out;
  const auto warn = [&](std::string words) {
    out.remarks.push_back({.message = std::move(words), .severity = Severity::warning});
  };
  if (!line.remark.empty()) warn(line.remark);
  std::vector<results::LineVisit> visits;
  for (const results::LineVisit& v : results::line_visits(summary, m.warp))
    if (v.line == line.line) visits.push_back(v);
  if (visits.empty()) return failure(fmt::format("warp {} never executes line {}", m.warp, line.line));
  if (m.visit >= static_cast<int>(visits.size()))
    return failure(fmt::format("warp {} executes line {} {} times, so there is no visit {}", m.warp, line.line,
                               visits.size(), m.visit),
                   "visits are counted from 0");
  const results::LineVisit& visit = visits[static_cast<std::size_t>(m.visit)];
  views::Selection& s = out.selection;
  s.step = visit.last;
  if (m.instruction >= 0) {
    const auto steps = steps_of(summary, visit, m.warp);
    if (m.instruction < static_cast<int>(steps.size()))
      s.step = steps[static_cast<std::size_t>(m.instruction)];
    else
      warn(fmt::format("line {} has {} instructions now, and its last one is shown", line.line, steps.size()));
  }
  s.line = line.line;
  s.warp = m.warp;
  s.block = m.block;
  s.share = m.share;
  if (Diagnostics wrong = views::wrong_color_words(summary, m.colour); !wrong.empty())
    return tl::unexpected(std::move(wrong));
  if (Diagnostics wrong = put_selection(m, summary, s); !wrong.empty()) return tl::unexpected(std::move(wrong));
  return out;
}

Expected<SavedMoment> bookmark(const views::Selection& s, std::string_view text, const results::Summary& summary) {
  const auto mark = std::ranges::lower_bound(
      summary.timeline, s.step, {}, [](const results::TimelineMark& m) { return static_cast<std::int64_t>(m.step); });
  if (s.step < 0 || mark == summary.timeline.end() || mark->step != s.step)
    return failure("there is no step to bookmark", "run the kernel and choose a step");
  if (summary.first_step > 0)
    return failure("only a part of the block is recorded, so this step has no lasting name",
                   "choose a step near the beginning of the block");
  SavedMoment out{
      .launch = summary.recorded_launch, .warp = mark->warp, .block = summary.recorded_block, .share = s.share};
  int number = 0;
  std::vector<int> numbers;
  for (const results::LineVisit& v : results::line_visits(summary, out.warp)) {
    if (v.last < s.step) {
      numbers.push_back(v.line);
      continue;
    }
    out.line = v.line;
    number = static_cast<int>(std::ranges::count(numbers, v.line));
    const auto steps = steps_of(summary, v, out.warp);
    if (s.step != v.last) out.instruction = static_cast<int>(std::ranges::lower_bound(steps, s.step) - steps.begin());
    break;
  }
  if (out.line <= 0) return failure("no line of the source is known for this step", "choose a step that has a line");
  if (summary.lines.in_header(out.line))
    return failure(
        fmt::format("{} is in a header, and moments are lines of the kernel's own file", summary.lines.words(out.line)),
        "choose a step of the kernel's own file");
  out.visit = number;
  out.text = std::string(line_text(text, out.line));
  if (const auto same = lines_like(text, out.text); same.size() > 1)
    out.nth = static_cast<int>(std::ranges::find(same, out.line) - same.begin());
  SelectionText selected;
  if (s.place) {
    const auto& family = summary.families.at(static_cast<std::size_t>(s.place->family));
    const std::string& name = family.registers.at(static_cast<std::size_t>(s.place->reg));
    const auto named = registers_named(summary, name);
    const auto at = std::ranges::find(named, std::pair{s.place->family, s.place->reg});
    selected.place = RegisterText{.name = name,
                                  .lane = s.place->lane,
                                  .part = s.place->part,
                                  .warp = s.place->warp == out.warp ? -1 : s.place->warp,
                                  .number = static_cast<int>(at - named.begin()) + 1};
  }
  if (s.element && names_buffer(summary, s.element->first))
    selected.element = ElementText{.buffer = summary.buffers[static_cast<std::size_t>(s.element->first)].name,
                                   .indices = {s.element->second}};
  if (s.address && (s.address->first < 0 || names_buffer(summary, s.address->first)))
    selected.address =
        ByteText{.buffer = s.address->first < 0 ? "" : summary.buffers[static_cast<std::size_t>(s.address->first)].name,
                 .byte = s.address->second};
  out.select = to_text(selected);
  out.pins = pins_text(summary, s);
  return out;
}

}  // namespace lanescope::lessons
