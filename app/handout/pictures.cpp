#include "app/handout/run_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "app/engine/summary/occupancy_info.h"
#include "kernels/base/enum_size.h"
#include "viz/views/base/elements.h"
#include "viz/views/costs/heat.h"
#include "viz/views/costs/occupancy.h"
#include "viz/views/costs/timeline.h"
#include "viz/views/costs/timeline_bands.h"
#include "viz/views/costs/warps.h"
#include "viz/views/journey/journey.h"
#include "viz/views/memory/banks.h"
#include "viz/views/memory/global.h"
#include "viz/views/movement/movement.h"
#include "viz/views/registers/registers.h"
#include "viz/views/tooltips.h"
#include "viz/views/values/value_tree.h"

namespace lanescope::handout {
namespace {

using results::Moment;
using results::Summary;
using scene::Id;

/// The lines that wrote registers of this warp last, up to the moment.
class Writers {
 public:
  Writers(const Summary& summary, const Moment& moment) : summary_(summary) {
    for (const results::RegisterWrite& write : summary.writes) {
      if (static_cast<std::int64_t>(write.step) > moment.step) break;
      for (const results::RegisterGrid& grid : moment.grids)
        if (grid.family == write.family) last_[{write.family, write.reg, warp_of(write.step)}].push_back(&write);
    }
  }
  int line(const Id& cell) const {
    const auto found = last_.find({cell.group, cell.a, cell.b});
    if (found == last_.end()) return 0;
    for (auto write = found->second.rbegin(); write != found->second.rend(); ++write)
      if ((*write)->lanes >> cell.c & 1) return line_of((*write)->step);
    return 0;
  }

 private:
  const results::TimelineMark* mark(std::uint32_t step) const {
    const auto at = std::ranges::lower_bound(summary_.timeline, step, {}, &results::TimelineMark::step);
    return at != summary_.timeline.end() && at->step == step ? &*at : nullptr;
  }
  int warp_of(std::uint32_t step) const { return mark(step) != nullptr ? mark(step)->warp : -1; }
  int line_of(std::uint32_t step) const { return mark(step) != nullptr ? mark(step)->line : 0; }

  const Summary& summary_;
  std::map<std::array<int, 3>, std::vector<const results::RegisterWrite*>> last_;
};

/// All elements of a word of global memory, else the one that is selected with a shape.
std::string elements_of(const Summary& summary, const Moment& moment, const Id& id) {
  const views::Selection selected = views::select(summary, moment, id, {});
  if (!selected.element) return {};
  const auto [buffer, first] = *selected.element;
  const views::BufferInfo* info = views::buffer_of(summary, buffer);
  if (info == nullptr) return {};
  std::uint64_t count = 1;
  if (id.kind == Id::Kind::memory_word && info->element_bits > 0 && info->element_bits < 32)
    count = 32 / static_cast<std::uint64_t>(info->element_bits);
  std::string names;
  for (std::uint64_t n = first; n < std::min(first + count, std::max(info->elements, first + 1)); ++n)
    names += (names.empty() ? "" : " ") + views::tag_text(summary, buffer, n);
  return names;
}

/// "warp 0 · lane 3 · x0: p[0] = 1" is a place and what is there.
page::Mark mark_of(const Summary& summary, const Moment& moment, const Writers& writers, const Id& id) {
  page::Mark mark{.id = id, .elements = elements_of(summary, moment, id)};
  const std::string text = views::tooltip_text(summary, moment, id);
  const std::size_t colon = text.find(": ");
  mark.place = text.substr(0, colon);
  if (colon != std::string::npos) mark.words = text.substr(colon + 2);
  if (id.kind == Id::Kind::register_cell)
    mark.line = writers.line(id);
  else if (moment.access && views::accessing_lanes(moment, id) != 0)
    mark.line = moment.access->line;
  return mark;
}

page::Picture picture(std::string name, std::string title, const Summary& summary, const Moment& moment, auto draw) {
  page::Picture out{.name = std::move(name), .title = std::move(title)};
  out.scenes = {draw(views::light_theme()), draw(views::dark_theme())};
  const Writers writers(summary, moment);
  std::map<std::string, bool> seen;
  for (const scene::Box& box : out.scene(page::Look::light).boxes) {
    if (box.id.kind == Id::Kind::none || !seen.try_emplace(scene::to_string(box.id), true).second) continue;
    out.marks.push_back(mark_of(summary, moment, writers, box.id));
  }
  return out;
}

}  // namespace

views::Selection selection_of(const Moment& moment) {
  views::Selection selection;
  selection.step = moment.step, selection.line = moment.line;
  selection.warp = static_cast<int>(moment.warp), selection.block = moment.block;
  return selection;
}

page::Picture registers_picture(const Summary& summary, const Moment& moment, const views::Selection& selection,
                                const PictureOptions& o) {
  views::RegistersOptions options;
  options.width = o.width, options.height = o.height, options.color_by = o.color_by,
  options.label = enum_named<views::LabelMode>(o.label).value_or(views::LabelMode::element);
  return picture(
      "registers", fmt::format("Registers of warp {}", moment.warp), summary, moment,
      [&](const views::Theme& theme) { return views::registers_view(summary, moment, selection, options, theme); });
}

page::Picture global_picture(const Summary& summary, const Moment& moment, const views::Selection& selection,
                             const PictureOptions& o) {
  views::GlobalOptions options{.width = o.width, .color_by = o.color_by};
  const int line = moment.access ? moment.access->line : 0;
  return picture(
      "global", line > 0 ? "Global memory at " + summary.lines.words(line) : "Global memory", summary, moment,
      [&](const views::Theme& theme) { return views::global_view(summary, moment, selection, options, theme); });
}

page::Picture shared_picture(const Summary& summary, const Moment& moment, const views::Selection& selection,
                             const PictureOptions& o) {
  views::SharedOptions options{.width = o.width, .height = o.height, .color_by = o.color_by};
  return picture(
      "shared", fmt::format("Shared memory of block {}", moment.block), summary, moment,
      [&](const views::Theme& theme) { return views::shared_view(summary, moment, selection, options, theme); });
}

namespace {

/// A picture of the whole run, or of what no family of functions above draws.
std::optional<page::Picture> other_picture(const std::string& panel, const Summary& s, const Moment& m,
                                           const views::Selection& at, float width) {
  const auto of = [&](const char* title, auto draw) { return picture(panel, title, s, m, draw); };
  if (panel == "assignment")
    return of("Register assignment",
              [&](const views::Theme& theme) { return views::assignment_view(s, m, at, {.width = width}, theme); });
  if (panel == "timeline")
    return of("Timeline", [&](const views::Theme& theme) {
      views::TimelineOptions options{.width = width};
      const std::vector<views::TimelineProblem> problems = views::problem_marks(s);
      options.problems = problems;
      return views::timeline_view(s, m, at, options, theme);
    });
  if (panel == "lanes")
    return of("Lanes", [&](const views::Theme& theme) {
      return views::lanes_view(s, m, at, {.width = width, .warp = at.warp}, theme);
    });
  if (panel == "divergence")
    return of("Divergence",
              [&](const views::Theme& theme) { return views::divergence_view(s, m, at, {.width = width}, theme); });
  if (panel == "ptx")
    return of("PTX", [&](const views::Theme& theme) { return views::ptx_view(s, m, at, {.width = width}, theme); });
  if (panel == "tree" && m.tree && m.tree->refused.empty())
    return of("Tree of a value", [&](const views::Theme& theme) {
      return views::value_tree_view(s, *m.tree, at, {.width = width}, theme);
    });
  if (panel == "occupancy") {
    if (const auto info = engine::occupancy_info(s, {}))
      return of("Occupancy",
                [&](const views::Theme& theme) { return views::occupancy_view(*info, {.width = width}, theme); });
  }
  return std::nullopt;
}

}  // namespace

page::Picture journey_picture(const Summary& summary, const results::Journeys& all, const views::Selection& at,
                              const std::string& color_by) {
  page::Picture out{.name = "journey", .title = "Journey"};
  if (all.all.size() == 1)
    out.title += " of " + views::element_text(summary, all.all[0].buffer, all.all[0].element);
  else
    out.title += fmt::format(" of {} elements", all.all.size());
  const auto draw = [&](const views::Theme& theme) {
    return views::journey_view(summary, all, at, {.width = memory_look().width, .color_by = color_by}, theme);
  };
  out.scenes = {draw(views::light_theme()), draw(views::dark_theme())};
  std::map<std::string, bool> seen;
  for (const scene::Box& box : out.scene(page::Look::light).boxes) {
    const auto n = static_cast<std::size_t>(box.id.a);
    const bool station = box.id.kind == Id::Kind::journey_station, hop = box.id.kind == Id::Kind::journey_hop;
    if ((!station && !hop) || n >= all.all.size() || !seen.try_emplace(scene::to_string(box.id), true).second) continue;
    const results::Journey& j = all.all[n];
    const auto index = static_cast<std::size_t>(box.id.b);
    if (index >= j.stations.size()) continue;
    const results::Station& s = j.stations[index];
    page::Mark mark{.id = box.id, .elements = views::tag_text(summary, j.buffer, j.element), .line = s.line};
    mark.place = views::place_words(summary, j, s.place);
    mark.words = station ? views::value_words(s) : views::hops_words(summary, s);
    if (station && mark.words.empty()) mark.words = mark.elements;
    out.marks.push_back(std::move(mark));
  }
  return out;
}

std::optional<page::Picture> picture_of(const std::string& panel, const Summary& summary, const Moment& moment,
                                        const views::Selection& selection, const PictureOptions& options) {
  if (panel.empty() || panel == "registers") {
    if (moment.grids.empty()) return std::nullopt;
    return registers_picture(summary, moment, selection, options);
  }
  if (panel == "global") return global_picture(summary, moment, selection, options);
  if (panel == "shared") {
    if (summary.shared_bytes == 0) return std::nullopt;
    return shared_picture(summary, moment, selection, options);
  }
  if (panel == "movement") {
    if (!moment.movement || !moment.movement->refused.empty()) return std::nullopt;
    views::MovementOptions movement;
    movement.width = options.width, movement.height = options.height, movement.color_by = options.color_by;
    movement.values = options.label == "value";
    return picture("movement", "Movement", summary, moment, [&](const views::Theme& theme) {
      return views::movement_view(summary, moment, selection, movement, theme);
    });
  }
  return other_picture(panel, summary, moment, selection, options.width);
}

}  // namespace lanescope::handout
