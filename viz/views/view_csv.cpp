#include "viz/views/tooltips.h"

#include <algorithm>
#include <bit>

#include "viz/views/base/csv.h"
#include "viz/views/base/elements.h"
#include "viz/views/costs/heat.h"
#include "viz/views/costs/timeline.h"
#include "viz/views/costs/warps.h"
#include "viz/views/movement/movement.h"
#include "viz/views/registers/block.h"
#include "viz/views/registers/places.h"
#include "viz/views/values/value_tree.h"

namespace lanescope::views {

namespace {

constexpr std::string_view kind_words[] = {"none", "exact", "computed", "partial", "mixed"};

struct CsvCell {
  std::string value, buffer, element, kind;
};
CsvCell words_of(const Summary& summary, const Cell& cell) {
  if (!cell.defined) return {};
  CsvCell words{.value = fmt::format("0x{:x}", cell.value),
                .buffer = buffer_name(summary, cell.buffer),
                .kind = std::string(kind_words[std::min<int>(cell.kind, 4)])};
  if (cell.buffer >= 0) words.element = std::to_string(cell.element);
  return words;
}

std::string row_of(const std::optional<layout::Assignment>& a, layout::Place place, int bit) {
  return a && a->row(place) && bit < a->bits(place) ? layout::print((*a->row(place))[bit]) : std::string();
}

}  // namespace

std::string registers_csv(const Summary& summary, const Moment& moment) {
  csv::Table table({"register", "warp", "lane", "part", "value", "buffer", "element", "kind", "written_in_this_step"});
  for (const RegisterGrid& g : moment.grids) {
    for (int warp = 0; warp < g.warps; ++warp)
      for (int reg = 0; reg < g.registers; ++reg)
        for (int part = 0; part < g.parts; ++part)
          for (int lane = 0; lane < 32; ++lane) {
            const Cell& cell = g.at(warp, reg, part, lane);
            const CsvCell w = words_of(summary, cell);
            table.row(register_name(summary, g.family, reg, part, g.parts), g.first_warp + warp, lane, part, w.value,
                      w.buffer, w.element, w.kind, cell.changed ? 1 : 0);
          }
  }
  return table.text();
}

std::string global_csv(const Summary& summary, const Moment& moment) {
  csv::Table table({"lane", "buffer", "offset_bytes", "width_bytes", "line_of_128_bytes", "sector_of_32_bytes"});
  if (!moment.access || moment.access->space != trace::MemorySpace::global) return table.text();
  const AccessInfo& a = *moment.access;
  for (int lane = 0; lane < 32; ++lane) {
    if (!(a.mask >> lane & 1)) continue;
    table.row(lane, buffer_name(summary, a.buffer), a.addresses[lane], a.width_bytes, a.addresses[lane] / 128,
              a.addresses[lane] / 32);
  }
  return table.text();
}

std::string shared_csv(const Summary& summary, const Moment& moment) {
  csv::Table table({"offset_bytes", "bank", "row", "value", "buffer", "element", "kind", "lanes_of_this_access"});
  const bool accessed = moment.access && moment.access->space == trace::MemorySpace::shared;
  const AccessedWords touched = accessed ? accessed_words(*moment.access) : AccessedWords{};
  std::size_t count = std::max(moment.shared.size(), moment.shared_cells.size());
  if (!touched.empty()) count = std::max<std::size_t>(count, touched.rbegin()->first + 1);
  for (std::size_t word = 0; word < count; ++word) {
    const CsvCell w = word < moment.shared_cells.size() ? words_of(summary, moment.shared_cells[word]) : CsvCell{};
    const auto found = touched.find(word);
    const std::uint32_t lanes = found == touched.end() ? 0 : found->second.lanes;
    std::string list;
    for (int lane = 0; lane < 32; ++lane)
      if (lanes >> lane & 1) list += (list.empty() ? "" : " ") + std::to_string(lane);
    table.row(word * 4, word % 32, word / 32, w.value, w.buffer, w.element, w.kind, list);
  }
  return table.text();
}

std::string grid_csv(const Summary& summary) {
  csv::Table table({"first_block", "blocks", "warp_instructions", "thread_instructions", "divergent_branches",
                    "global_sectors", "shared_wavefronts", "bank_conflicts"});
  for (std::size_t n = 0; n < summary.blocks.size(); ++n) {
    const results::BlockCounters& b = summary.blocks[n];
    const std::uint64_t first = n * summary.blocks_each;
    table.row(std::to_string(first),
              std::to_string(std::min<std::uint64_t>(summary.blocks_each, summary.grid.count() - first)),
              std::to_string(b.instructions), std::to_string(b.thread_instructions),
              std::to_string(b.divergent_branches), std::to_string(b.global_sectors),
              std::to_string(b.shared_wavefronts), std::to_string(b.bank_conflicts));
  }
  return table.text();
}

std::string timeline_csv(const Summary& summary) {
  csv::Table table({"step", "warp", "kind", "line", "active_lanes"});
  for (std::size_t n = 0; n < summary.timeline.size(); ++n) {
    const TimelineMark& mark = summary.timeline[n];
    table.row(mark.step, mark.warp, mark_kind_name(mark_kind(summary, mark)), summary.lines.number(mark.line),
              n < summary.active_masks.size() ? std::to_string(std::popcount(summary.active_masks[n])) : std::string());
  }
  return table.text();
}

std::string assignment_csv(const Summary&, const Moment& moment) {
  csv::Table table({"place", "bit", "claimed", "real"});
  for (int p = 0; p < layout::place_count; ++p) {
    const auto place = static_cast<layout::Place>(p);
    int bits = 0;
    for (const auto* a : {&moment.claimed, &moment.real})
      if (*a && (*a)->row(place)) bits = std::max(bits, (*a)->bits(place));
    for (int bit = 0; bit < bits; ++bit)
      table.row(layout::row_name(place), bit, row_of(moment.claimed, place, bit), row_of(moment.real, place, bit));
  }
  return table.text();
}

namespace {

void counters_row(csv::Table& table, const LineCounters& c, const SourceLines& lines, std::string_view first,
                  std::string_view text) {
  table.row(first, lines.number(c.line), c.instructions, c.thread_instructions, c.global_requests, c.global_sectors,
            c.shared_requests, c.shared_wavefronts, c.bank_conflicts, c.shuffles, c.barriers, text);
}

csv::Table counters_table() {
  return csv::Table({"pc", "line", "warp_instructions", "thread_instructions", "global_requests", "global_sectors",
                     "shared_requests", "shared_wavefronts", "bank_conflicts", "shuffles", "barriers", "text"});
}

}  // namespace

std::string counters_csv(const Summary& summary) {
  csv::Table table = counters_table();
  for (const LineCounters& c : summary.counters) counters_row(table, c, summary.lines, "", c.line == 0 ? "total" : "");
  return table.text();
}

std::string ptx_csv(const Summary& summary) {
  csv::Table table = counters_table();
  const std::vector<trace::CodeSite>& code = ptx_code(summary);
  for (std::size_t pc = 0; pc < code.size(); ++pc) {
    LineCounters c = pc < summary.pc_counters.size() ? summary.pc_counters[pc] : LineCounters{};
    c.line = code[pc].line;
    counters_row(table, c, summary.lines, std::to_string(pc), code[pc].text);
  }
  return table.text();
}

std::string divergence_csv(const Summary& summary) {
  csv::Table table({"line", "warp_instructions", "mean_active_lanes", "branches", "divergent_branches"});
  for (const LineDivergence& d : summary.divergence) {
    const DivergenceSums sums = sums_of(d);
    table.row(summary.lines.number(d.line), sums.instructions, sums.mean_lanes(), d.branches, d.divergent_branches);
  }
  return table.text();
}

std::string lanes_csv(const Summary& summary) {
  csv::Table table({"warp", "what", "from_step", "to_step", "lanes", "others", "line", "words"});
  for (const GroupChange& c : summary.group_changes)
    table.row(c.warp, c.meets ? "meet" : "part", c.step, c.step, fmt::format("0x{:08x}", c.part),
              fmt::format("0x{:08x}", c.lanes & ~c.part), "", change_words(summary, c));
  for (const Wait& w : summary.waits)
    table.row(w.warp, "wait", w.from, w.until, fmt::format("0x{:08x}", w.lanes), fmt::format("0x{:08x}", w.last_lanes),
              summary.lines.number(w.line), wait_words(summary, w));
  return table.text();
}

std::string claims_csv(const Summary& summary) {
  csv::Table table({"function", "line", "variable", "stated", "verdict", "words"});
  for (const results::ClaimInfo& c : summary.claims)
    table.row(c.claim.function, summary.lines.number(c.claim.first_line), c.claim.variable,
              source::stated_words(c.claim), claims::to_string(c.result.verdict),
              c.result.verdict == claims::Verdict::differs ? c.result.difference : c.result.reason.words());
  return table.text();
}

std::string to_csv(std::string_view view, const Summary& summary, const Moment& moment) {
  if (view == "registers") return registers_csv(summary, moment);
  if (view == "global") return global_csv(summary, moment);
  if (view == "shared") return shared_csv(summary, moment);
  if (view == "timeline") return timeline_csv(summary);
  if (view == "grid") return grid_csv(summary);
  if (view == "block") return block_csv(summary);
  if (view == "assignment") return assignment_csv(summary, moment);
  if (view == "claims") return claims_csv(summary);
  if (view == "counters" || view == "heat") return counters_csv(summary);
  if (view == "ptx") return ptx_csv(summary);
  if (view == "divergence") return divergence_csv(summary);
  if (view == "lanes") return lanes_csv(summary);
  if (view == "movement") return moment.movement ? to_csv(summary, *moment.movement) : std::string();
  if (view == "tree") return moment.tree ? to_csv(summary, *moment.tree) : std::string();
  return {};
}

}  // namespace lanescope::views
