#include "viz/views/tooltips.h"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "results/problems.h"
#include "viz/views/base/elements.h"
#include "viz/views/costs/grid.h"
#include "viz/views/costs/heat.h"
#include "viz/views/costs/timeline.h"
#include "viz/views/costs/warps.h"
#include "viz/views/launches/launch_tree.h"
#include "viz/views/memory/global.h"
#include "viz/views/movement/movement.h"
#include "viz/views/registers/block.h"
#include "viz/views/registers/places.h"
#include "viz/views/values/value_tree.h"

namespace lanescope::views {
namespace {

using scene::Id;
using TagKind = trace::ElementTag::Kind;

std::string cell_text(const Summary& summary, const Moment& moment, const Cell& cell, int bits) {
  if (!cell.defined) return "no value yet";
  const BufferInfo* buffer = buffer_of(summary, cell.buffer);
  std::string value = value_and_bits(buffer == nullptr ? "" : buffer->element_type, bits, cell.value);
  switch (static_cast<TagKind>(cell.kind)) {
    case TagKind::none:
      return fmt::format("value {}; holds no element of a buffer", value);
    case TagKind::exact:
      return fmt::format("{} = {}", element_text(summary, cell.buffer, cell.element), value);
    case TagKind::computed:
      return fmt::format("{}, computed from {}", value, element_text(summary, cell.buffer, cell.element));
    case TagKind::partial:
      return fmt::format("{}, part of {}", value, element_text(summary, cell.buffer, cell.element));
    case TagKind::mixed:
      return fmt::format("{}, depends on {}", value, depends_words(summary, moment, cell));
  }
  return value;
}

int bits_at(const Moment& moment, const PlaceRef& place) {
  const RegisterGrid* grid = grid_of(moment, place);
  return grid == nullptr ? 32 : grid->element_bits;
}

PlaceRef place_of(const Id& id) { return {.family = id.group, .warp = id.b, .reg = id.a, .part = id.d, .lane = id.c}; }

std::string register_tooltip(const Summary& summary, const Moment& moment, const Id& id) {
  const PlaceRef place = place_of(id);
  const Cell* cell = cell_at(moment, place);
  if (cell == nullptr) return {};
  std::string text =
      place_text(summary, moment, place) + ": " + cell_text(summary, moment, *cell, bits_at(moment, place));
  if (cell->changed) text += "; written in this step";
  return text;
}

std::string problem_tooltip(const Summary& summary, const Id& id) {
  const auto problems = results::problems_of(summary);
  if (id.a < 0 || id.a >= static_cast<int>(problems.size())) return {};
  const results::Problem& p = problems[static_cast<std::size_t>(id.a)];
  return p.title + ": " + p.message;
}

std::string lanes_text(std::uint32_t lanes) {
  const int count = std::popcount(lanes);
  if (count == 0) return "not accessed in this step";
  if (count == 1) return fmt::format("accessed by lane {}", std::countr_zero(lanes));
  std::string list;
  for (int lane = 0, written = 0; lane < 32; ++lane) {
    if (!(lanes >> lane & 1)) continue;
    if (written++ == 8) return fmt::format("accessed by {} lanes: {} …", count, list);
    list += fmt::format("{}{}", list.empty() ? "" : ", ", lane);
  }
  return fmt::format("accessed by {} lanes: {}", count, list);
}

std::uint32_t lanes_at(const Moment& moment, bool shared, int buffer, std::uint64_t first_word, std::uint64_t words) {
  if (!moment.access || (moment.access->space == trace::MemorySpace::shared) != shared) return 0;
  if (!shared && moment.access->buffer != buffer) return 0;
  const AccessedWords touched = accessed_words(*moment.access);
  std::uint32_t lanes = 0;
  for (auto word = touched.lower_bound(first_word); word != touched.end() && word->first < first_word + words; ++word)
    lanes |= word->second.lanes;
  return lanes;
}

}  // namespace

std::uint32_t accessing_lanes(const Moment& moment, const Id& id) {
  const auto a = static_cast<std::uint64_t>(id.a), b = static_cast<std::uint64_t>(id.b);
  switch (id.kind) {
    case Id::Kind::memory_line:
      return lanes_at(moment, false, id.a, b * 32, 32);
    case Id::Kind::memory_sector:
      return lanes_at(moment, false, id.a, b * 32 + static_cast<std::uint64_t>(id.c) * 8, 8);
    case Id::Kind::memory_word:
      return lanes_at(moment, false, id.a, b, 1);
    case Id::Kind::shared_word:
      return lanes_at(moment, true, -1, a, 1);
    default:
      return 0;
  }
}

namespace {

std::string memory_tooltip(const Summary& summary, const Moment& moment, const Id& id) {
  const BufferInfo* buffer = buffer_of(summary, id.a);
  if (buffer == nullptr) return {};
  const auto b = static_cast<std::uint64_t>(id.b);
  if (id.kind == Id::Kind::memory_line)
    return fmt::format("{} + {}: a line of 128 bytes, {}", buffer->name, counted(b * 128, "byte"),
                       lanes_text(accessing_lanes(moment, id)));
  if (id.kind == Id::Kind::memory_sector) {
    const std::uint64_t word = b * 32 + static_cast<std::uint64_t>(id.c) * 8;
    return fmt::format("{} + {}: a sector of 32 bytes, {}", buffer->name, counted(word * 4, "byte"),
                       lanes_text(accessing_lanes(moment, id)));
  }
  const auto bits = static_cast<std::uint64_t>(std::max(buffer->element_bits, 1));
  const std::uint64_t first = b * 32 / bits, last = std::max(first, (b * 32 + 31) / bits);
  std::string elements = element_text(summary, id.a, first);
  if (last > first)
    elements += " … " + element_text(summary, id.a, std::min(last, std::max<std::uint64_t>(buffer->elements, 1) - 1));
  std::string words = fmt::format("{} + {}: {}, {}", buffer->name, counted(b * 4, "byte"), elements,
                                  lanes_text(accessing_lanes(moment, id)));
  for (const results::ArrivedCell* c : arrived_in_word(moment, id.a, b)) {
    const std::uint64_t to = c->byte * 8 / static_cast<std::uint64_t>(c->bits);
    words +=
        fmt::format("\n{} now holds {}", tag_text(summary, id.a, to), cell_text(summary, moment, c->cell, c->bits));
  }
  return words;
}

std::string shared_tooltip(const Summary& summary, const Moment& moment, const Id& id) {
  const auto word = static_cast<std::uint64_t>(id.a);
  std::string text = fmt::format("shared + {}: bank {}, row {}", counted(word * 4, "byte"), word % 32, word / 32);
  if (word < moment.shared_cells.size()) text += ", " + cell_text(summary, moment, moment.shared_cells[word], 32);
  return text + ", " + lanes_text(accessing_lanes(moment, id));
}

/// The first mark of the timeline at or after a step; its end where there is none.
auto mark_at(const Summary& summary, int step) {
  return std::lower_bound(summary.timeline.begin(), summary.timeline.end(), static_cast<std::uint32_t>(step),
                          [](const TimelineMark& m, std::uint32_t s) { return m.step < s; });
}

/// "4 sectors", "32 wavefronts, 1 needed".
std::string cost_text(const StepAccess& access) {
  const bool shared = access.space == trace::MemorySpace::shared;
  std::string text = counted(access.cost, shared ? "wavefront" : "sector");
  if (access.costly()) text += fmt::format(", {} needed", spaced(access.least));
  return text;
}

std::string step_tooltip(const Summary& summary, const Id& id) {
  const auto step = static_cast<std::uint32_t>(id.a);
  const auto mark = mark_at(summary, id.a);
  if (mark == summary.timeline.end() || mark->step != step) return {};
  const bool other = mark->kind == trace::StepKind::other;
  std::string text = fmt::format("step {} of {}: {} in warp {}", spaced(step + summary.first_step),
                                 spaced(std::max(summary.block_steps, summary.first_step + summary.steps)),
                                 other ? "instruction" : mark_kind_name(mark_kind(summary, *mark)), mark->warp);
  if (mark->line > 0) text += ", " + summary.lines.words(mark->line);
  const auto access = std::ranges::lower_bound(summary.accesses, step, {}, &StepAccess::step);
  for (auto a = access; a != summary.accesses.end() && a->step == step; ++a) text += "; " + cost_text(*a);
  const auto n = static_cast<std::size_t>(mark - summary.timeline.begin());
  if (n < summary.active_masks.size() && summary.active_masks[n] != ~0u)
    text += fmt::format("; {} of 32 lanes active: {}", std::popcount(summary.active_masks[n]),
                        lanes_words(summary.active_masks[n]));
  return text + apart_words(summary, id.a);
}

/// Many steps of one warp in one column of pixels: how many of each kind.
std::string span_tooltip(const Summary& summary, const Id& id) {
  MarkCounts counts;
  for (auto mark = mark_at(summary, id.a); mark != summary.timeline.end() && std::int64_t{mark->step} <= id.b; ++mark)
    if (mark->warp == id.c) ++counts.of_kind[static_cast<std::size_t>(mark_kind(summary, *mark))];
  const auto from = std::ranges::lower_bound(summary.accesses, static_cast<std::uint32_t>(id.a), {}, &StepAccess::step);
  for (auto a = from; a != summary.accesses.end() && std::int64_t{a->step} <= id.b; ++a) {
    const auto mark = mark_at(summary, static_cast<int>(a->step));
    counts.costly += a->costly() && mark != summary.timeline.end() && mark->warp == id.c;
  }
  std::string text = fmt::format("steps {} to {} of {}, warp {}: {}", spaced(static_cast<std::uint64_t>(id.a)),
                                 spaced(static_cast<std::uint64_t>(id.b)), spaced(summary.steps), id.c,
                                 counted(counts.all(), "instruction"));
  for (int kind = 0; kind < mark_kind_count; ++kind) {
    const std::uint32_t count = counts.of_kind[static_cast<std::size_t>(kind)];
    if (count > 0) text += fmt::format("; {} {}", spaced(count), mark_kind_name(kind));
  }
  if (counts.costly > 0)
    text += fmt::format("; {} {} with more wavefronts or sectors than needed", spaced(counts.costly),
                        counts.costly == 1 ? "access" : "accesses");
  return text;
}

std::string claim_tooltip(const Summary& summary, int n) {
  if (n < 0 || n >= static_cast<int>(summary.claims.size())) return {};
  const ClaimInfo& info = summary.claims[n];
  return fmt::format("claim about {} at {}: {}", info.claim.variable, summary.lines.words(info.claim.first_line),
                     verdict_text(info.result));
}

std::string chip_tooltip(const Moment& moment, const Id& id) {
  if (id.a < 0 || id.a >= layout::place_count) return {};
  const auto place = static_cast<layout::Place>(id.a);
  const layout::PhysicalBit bit{place, id.b};
  const auto held = [&](const std::optional<layout::Assignment>& a) -> std::string {
    if (!a || !a->row(place) || id.b < 0 || id.b >= a->bits(place)) return {};
    return layout::print((*a->row(place))[id.b]);
  };
  const std::string claimed = held(moment.claimed), real = held(moment.real);
  std::string text = fmt::format("{} ({} bit {})", layout::to_string(bit), layout::row_name(place), id.b);
  if (!claimed.empty() && claimed == real) return text + fmt::format(" is {}, as claimed", real);
  if (!real.empty()) text += " holds " + real;
  if (!claimed.empty()) text += (real.empty() ? " is claimed to be " : ", claimed ") + claimed;
  return text;
}

std::string arrow_tooltip(const Summary& summary, const Moment& moment, const Id& id) {
  if (id.a < 0 || id.a >= static_cast<int>(moment.moves.size())) return {};
  const Move& move = moment.moves[id.a];
  std::string text = place_text(summary, moment, move.from) + " → " + place_text(summary, moment, move.to);
  if (id.b > 1)
    text += fmt::format("; {} like it: lane xor {}", counted(static_cast<std::uint64_t>(id.b) - 1, "more move"),
                        move.from.lane ^ move.to.lane);
  return text;
}

std::string what_if_tooltip(const Id& id) {
  return fmt::format("what-if: shared + {}: bank {}, row {}", counted(static_cast<std::uint64_t>(id.a) * 4, "byte"),
                     id.a % 32, id.a / 32);
}

std::string ptx_tooltip(const Summary& summary, int pc) {
  const std::vector<trace::CodeSite>& code = ptx_code(summary);
  if (pc < 0 || pc >= static_cast<int>(code.size())) return {};
  const trace::CodeSite& site = code[pc];
  std::string text = fmt::format("pc {}: {}", pc, site.text);
  if (text.ends_with(';')) text.pop_back();
  if (site.line > 0) text += "; " + summary.lines.words(site.line);
  if (pc < static_cast<int>(summary.pc_counters.size())) {
    text += "; run by " + counted(summary.pc_counters[pc].instructions, "warp");
    text += fmt::format(", {}", counted(summary.pc_counters[pc].thread_instructions, "thread"));
  }
  return text;
}

std::string heat_tooltip(const Summary& summary, int line) {
  for (const LineCounters& c : summary.counters) {
    if (c.line != line) continue;
    return fmt::format("{}: {}, {}, {}", summary.lines.words(line), counted(c.instructions, "warp instruction"),
                       counted(c.global_sectors, "sector"), counted(c.shared_wavefronts, "wavefront"));
  }
  return {};
}

std::string divergence_tooltip(const Summary& summary, int line) {
  for (const LineDivergence& d : summary.divergence) {
    if (d.line != line) continue;
    const DivergenceSums sums = sums_of(d);
    return fmt::format("{}: {} with {:.1f} of 32 lanes; {} of {} divergent", summary.lines.words(line),
                       counted(sums.instructions, "warp instruction"), sums.mean_lanes(), spaced(d.divergent_branches),
                       counted(d.branches, "branch run"));
  }
  return {};
}

std::string lanes_tooltip(const Summary& summary, const Id& id) {
  const auto mark = mark_at(summary, id.b);
  const auto n = static_cast<std::size_t>(mark - summary.timeline.begin());
  if (mark == summary.timeline.end() || n >= summary.active_masks.size()) return {};
  const bool all = summary.active_masks[n] == ~0u;
  return step_tooltip(summary, {.kind = Id::Kind::timeline_step, .a = id.b}) + (all ? ": 32 of 32 lanes active" : "");
}

/// Shapes that show costs.
std::string cost_tooltip(const Summary& summary, const Id& id) {
  switch (id.kind) {
    case Id::Kind::what_if_word:
      return what_if_tooltip(id);
    case Id::Kind::wavefront:
      return fmt::format("{}wavefront {}", id.b == 1 ? "what-if: " : "", id.a + 1);
    case Id::Kind::calculator_lane:
      return fmt::format("lane {}", id.a);
    case Id::Kind::calculator_width:
      return fmt::format("{} a lane", counted(static_cast<std::uint64_t>(id.a), "byte"));
    case Id::Kind::heat_row:
      return heat_tooltip(summary, id.a);
    case Id::Kind::ptx_row:
      return ptx_tooltip(summary, id.a);
    case Id::Kind::divergence_row:
      return divergence_tooltip(summary, id.a);
    case Id::Kind::divergence_bar:
      return lanes_tooltip(summary, id);
    default:
      return {};
  }
}

}  // namespace

std::string verdict_text(const claims::ClaimResult& result) {
  const bool holds = result.verdict == claims::Verdict::holds, differs = result.verdict == claims::Verdict::differs;
  if (holds) return claims::verdict_words(result) + (result.for_this_input ? " for this input" : "");
  const std::string why = differs ? result.difference : result.reason.words();
  return (differs ? "differs" : "unchecked") + (why.empty() ? std::string() : ": " + why);
}

std::string tooltip_text(const Summary& summary, const Moment& moment, const Id& id) {
  switch (id.kind) {
    case Id::Kind::register_cell:
      return register_tooltip(summary, moment, id);
    case Id::Kind::register_row: {
      PlaceRef place = place_of(id);
      place.lane = -1;
      return place_text(summary, moment, place);
    }
    case Id::Kind::lane_heading:
      return thread_words(summary, moment, static_cast<int>(moment.warp), id.c);
    case Id::Kind::block_thread:
      return thread_words(summary, moment, id.a, id.b);
    case Id::Kind::warp_heading:
      return fmt::format("warp {}: threads {} to {} of the block", id.b, spaced(id.b * 32u), spaced(id.b * 32u + 31));
    case Id::Kind::memory_line:
    case Id::Kind::memory_sector:
    case Id::Kind::memory_word:
      return memory_tooltip(summary, moment, id);
    case Id::Kind::buffer_element:
      return id.b < 0 ? std::string() : element_place(summary, id.a, static_cast<std::uint64_t>(id.b));
    case Id::Kind::bank_heading:
      return fmt::format("bank {}: bytes {} to {} of every 128", id.a, id.a * 4, id.a * 4 + 3);
    case Id::Kind::shared_word:
      return shared_tooltip(summary, moment, id);
    case Id::Kind::timeline_step:
      return step_tooltip(summary, id);
    case Id::Kind::timeline_span:
      return span_tooltip(summary, id);
    case Id::Kind::wait:
    case Id::Kind::group_change:
    case Id::Kind::lane_row:
      return lane_group_tooltip(summary, id);
    case Id::Kind::movement_cell:
    case Id::Kind::movement_chip:
      return movement_tooltip(summary, moment, id);
    case Id::Kind::tree_node:
    case Id::Kind::tree_edge:
      return moment.tree ? tree_tooltip(summary, *moment.tree, id) : std::string();
    case Id::Kind::timeline_overview:
      return "the whole run; dragging moves the part that is shown below";
    case Id::Kind::timeline_row:
      return fmt::format("warp {}", id.a);
    case Id::Kind::timeline_claim:
      return claim_tooltip(summary, id.a);
    case Id::Kind::grid_block:
      return grid_words(summary, static_cast<std::uint32_t>(id.a), static_cast<std::uint32_t>(id.b));
    case Id::Kind::launched_grid:
      return launch_tree_tooltip(summary, id);
    case Id::Kind::timeline_problem:
      return problem_tooltip(summary, id);
    case Id::Kind::assignment_chip:
      return chip_tooltip(moment, id);
    case Id::Kind::move_arrow:
      return arrow_tooltip(summary, moment, id);
    default:
      return cost_tooltip(summary, id);
  }
}

Selection select(const Summary& summary, const Moment& moment, const Id& id, Selection before) {
  Selection s = std::move(before);
  const auto element_of = [&](const Cell* cell) {
    s.element.reset();
    if (cell == nullptr || !cell->defined || cell->buffer < 0) return;
    const auto kind = static_cast<TagKind>(cell->kind);
    if (kind == TagKind::exact || kind == TagKind::computed || kind == TagKind::partial)
      s.element = {{cell->buffer, cell->element}};
  };
  switch (id.kind) {
    case Id::Kind::register_cell:
      s.place = place_of(id), s.family = id.group, s.warp = id.b;
      s.address.reset();
      element_of(cell_at(moment, *s.place));
      break;
    case Id::Kind::block_thread:
      s.warp = id.a;
      s.place = PlaceRef{.family = moment.grids.empty() ? 0 : moment.grids.front().family, .warp = id.a, .lane = id.b};
      s.element.reset(), s.address.reset();
      break;
    case Id::Kind::warp_heading:
      s.warp = id.b;
      break;
    case Id::Kind::timeline_row:
      s.warp = id.a;
      break;
    case Id::Kind::memory_word:
      if (const BufferInfo* buffer = buffer_of(summary, id.a)) {
        const auto word = static_cast<std::uint64_t>(id.b);
        s.address = {{id.a, word * 4}};
        s.element = {{id.a, word * 32 / static_cast<std::uint64_t>(std::max(buffer->element_bits, 1))}};
        s.place.reset();
      }
      break;
    case Id::Kind::buffer_element:
      if (const BufferInfo* buffer = buffer_of(summary, id.a); buffer != nullptr && id.b >= 0) {
        const auto element = static_cast<std::uint64_t>(id.b);
        s.element = {{id.a, element}};
        s.address = {{id.a, element * static_cast<std::uint64_t>(std::max(buffer->element_bits, 1)) / 8}};
        s.place.reset();
      }
      break;
    case Id::Kind::shared_word:
      s.address = {{-1, static_cast<std::uint64_t>(id.a) * 4}};
      s.place.reset();
      element_of(static_cast<std::size_t>(id.a) < moment.shared_cells.size() ? &moment.shared_cells[id.a] : nullptr);
      break;
    case Id::Kind::movement_cell:
    case Id::Kind::movement_chip:
      if (moment.movement) select_of_movement(*moment.movement, id, s);
      break;
    case Id::Kind::timeline_step: {
      s.step = id.a;
      const auto mark = mark_at(summary, id.a);
      if (mark != summary.timeline.end()) s.warp = mark->warp, s.line = mark->line;
      break;
    }
    case Id::Kind::wait:
      if (const auto n = static_cast<std::size_t>(std::max(id.a, 0)); n < summary.waits.size())
        return select(summary, moment, {.kind = Id::Kind::timeline_step, .a = static_cast<int>(summary.waits[n].from)},
                      std::move(s));
      break;
    case Id::Kind::group_change:
      if (const auto n = static_cast<std::size_t>(std::max(id.a, 0)); n < summary.group_changes.size())
        return select(summary, moment,
                      {.kind = Id::Kind::timeline_step, .a = static_cast<int>(summary.group_changes[n].step)},
                      std::move(s));
      break;
    case Id::Kind::tree_node:
      if (moment.tree && id.a >= 0 && id.a < static_cast<int>(moment.tree->nodes.size())) {
        const std::int64_t step = moment.tree->nodes[static_cast<std::size_t>(id.a)].step;
        if (step >= 0)
          return select(summary, moment, {.kind = Id::Kind::timeline_step, .a = static_cast<int>(step)}, std::move(s));
      }
      break;
    case Id::Kind::timeline_span:
      return select(summary, moment, {.kind = Id::Kind::timeline_step, .a = id.a}, std::move(s));
    case Id::Kind::divergence_bar:
      return select(summary, moment, {.kind = Id::Kind::timeline_step, .a = id.b}, std::move(s));
    case Id::Kind::heat_row:
    case Id::Kind::divergence_row:
    case Id::Kind::stall_row:
    case Id::Kind::stall_bar:
      s.line = id.a;
      break;
    case Id::Kind::sass_row:
    case Id::Kind::metric_row:
      if (id.b > 0) s.line = id.b;
      break;
    case Id::Kind::ptx_row:
      if (const auto& code = ptx_code(summary);
          id.a >= 0 && id.a < static_cast<int>(code.size()) && code[id.a].line > 0)
        s.line = code[id.a].line;
      break;
    case Id::Kind::timeline_problem: {
      const auto problems = results::problems_of(summary);
      const auto n = static_cast<std::size_t>(std::max(id.a, 0));
      const std::int64_t step = n < problems.size() ? problems[n].step : -1;
      if (step >= 0)
        return select(summary, moment, {.kind = Id::Kind::timeline_step, .a = static_cast<int>(step)}, std::move(s));
      break;
    }
    case Id::Kind::timeline_claim:
      if (id.a >= 0 && id.a < static_cast<int>(summary.claims.size())) s.line = summary.claims[id.a].claim.first_line;
      break;
    default:
      break;
  }
  return s;
}

}  // namespace lanescope::views
