// All facts about the selection, as titled rows of name and value.

#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "profiling/counters/metrics.h"
#include "viz/views/base/elements.h"
#include "viz/views/registers/block.h"
#include "viz/views/registers/places.h"
#include "viz/views/tooltips.h"

namespace lanescope::views {
namespace {

using TagKind = trace::ElementTag::Kind;

/// Every place of the grids shown that holds an element.
std::vector<PlaceRef> places_of(const Moment& moment, int buffer, std::uint64_t element) {
  std::vector<PlaceRef> places;
  for (const RegisterGrid& grid : moment.grids)
    for (std::size_t n = 0; n < grid.cells.size(); ++n) {
      const Cell& cell = grid.cells[n];
      if (!cell.defined || cell.buffer != buffer || cell.element != element ||
          cell.kind == static_cast<int>(TagKind::mixed))
        continue;
      const int lane = static_cast<int>(n % 32), part = static_cast<int>(n / 32 % grid.parts);
      const int reg = static_cast<int>(n / 32 / grid.parts % grid.registers);
      const int warp = grid.first_warp + static_cast<int>(n / 32 / grid.parts / grid.registers);
      places.push_back({grid.family, warp, reg, part, lane});
    }
  return places;
}

InspectorSection element_section(const Summary& summary, const Moment& moment, int buffer, std::uint64_t element) {
  InspectorSection section{.title = "Selected element"};
  const BufferInfo* info = buffer_of(summary, buffer);
  if (info == nullptr) return section;
  section.rows.push_back({"element", element_text(summary, buffer, element)});
  if (info->axes.size() > 1) section.rows.push_back({"number", tag_text(summary, buffer, element)});
  const std::vector<PlaceRef> places = places_of(moment, buffer, element);
  if (!places.empty()) {
    const Cell* cell = cell_at(moment, places.front());
    if (cell != nullptr && cell->kind == static_cast<int>(TagKind::exact))
      section.rows.push_back(
          {"value", value_and_bits(info->element_type, grid_of(moment, places.front())->element_bits, cell->value)});
  }
  const std::uint64_t bit = element * static_cast<std::uint64_t>(std::max(info->element_bits, 1));
  section.rows.push_back({"from byte", fmt::format("{} + {}", info->name, spaced(bit / 8)) +
                                           (bit % 8 == 0 ? std::string() : fmt::format(", bit {}", bit % 8))});
  constexpr std::size_t most_places = 4;
  for (std::size_t n = 0; n < std::min(places.size(), most_places); ++n)
    section.rows.push_back({n == 0 ? "now in" : "and in", place_text(summary, moment, places[n])});
  if (places.size() > most_places)
    section.rows.push_back({"and in", counted(places.size() - most_places, "more place")});
  if (places.empty() && !moment.grids.empty()) section.rows.push_back({"now in", "none of the registers shown"});
  for (const Move& move : moment.moves) {
    if (places.empty() || move.to != places.front()) continue;
    section.rows.push_back({"came from", place_text(summary, moment, move.from)});
    break;
  }
  return section;
}

/// The tree of the moment, where it is of this one register.
const ValueTree* tree_of(const Moment& moment, const PlaceRef& place) {
  if (!moment.tree || !moment.tree_place || *moment.tree_place != place || !moment.tree->refused.empty())
    return nullptr;
  return moment.tree->roots.size() == 1 ? &*moment.tree : nullptr;
}

/// A word of shared memory that is selected.
InspectorSection word_section(const Summary& summary, const Moment& moment, const Selection& selection) {
  InspectorSection section{.title = "Selected word"};
  if (!selection.address || selection.address->first >= 0) return section;
  const auto word = static_cast<std::size_t>(selection.address->second / 4);
  if (word >= moment.shared_cells.size()) return section;
  const Cell& cell = moment.shared_cells[word];
  section.rows.push_back({"place", fmt::format("shared memory, byte {}", word * 4)});
  if (!cell.defined) {
    section.rows.push_back({"value", "none yet"});
    return section;
  }
  section.rows.push_back({"value", value_and_bits("", 32, cell.value)});
  if (static_cast<TagKind>(cell.kind) == TagKind::mixed)
    section.rows.push_back({"depends on", depends_words(summary, moment, cell)});
  else if (cell.buffer >= 0)
    section.rows.push_back({"holds", element_text(summary, cell.buffer, cell.element)});
  return section;
}

InspectorSection place_section(const Summary& summary, const Moment& moment, const PlaceRef& place) {
  InspectorSection section{.title = "Selected register", .about = InspectorSection::About::selected_register};
  section.rows.push_back({"place", place_text(summary, moment, place)});
  const Cell* cell = cell_at(moment, place);
  const RegisterGrid* grid = grid_of(moment, place);
  if (cell == nullptr || grid == nullptr) return section;
  if (!cell->defined) {
    section.rows.push_back({"value", "none yet"});
    return section;
  }
  const BufferInfo* info = buffer_of(summary, cell->buffer);
  section.rows.push_back(
      {"value", value_and_bits(info == nullptr ? "" : info->element_type, grid->element_bits, cell->value)});
  switch (static_cast<TagKind>(cell->kind)) {
    case TagKind::none:
      section.rows.push_back({"holds", "no element of a buffer"});
      break;
    case TagKind::exact:
      break;  // the element's own section says it
    case TagKind::computed:
      section.rows.push_back({"holds", "a value computed from " + element_text(summary, cell->buffer, cell->element)});
      break;
    case TagKind::partial:
      section.rows.push_back({"holds", "part of " + element_text(summary, cell->buffer, cell->element)});
      break;
    case TagKind::mixed:
      if (const auto* tree = tree_of(moment, place))
        section.rows.push_back({"holds", meaning_of(summary, *tree)});
      else
        section.rows.push_back({"depends on", depends_words(summary, moment, *cell)});
      break;
  }
  if (cell->changed) section.rows.push_back({"written", "in this step"});
  return section;
}

/// Where the selected lane is; of the first active lane of the step where none is selected.
InspectorSection thread_section(const Summary& summary, const Moment& moment, const Selection& selection) {
  const int warp = selection.place ? selection.place->warp : static_cast<int>(moment.warp);
  const int lane = selection.place ? selection.place->lane : std::countr_zero(moment.active);
  InspectorSection section{.title = fmt::format("Thread of warp {}, lane {}", warp, lane)};
  if (lane > 31 || (!selection.place && moment.step < 0)) return section;
  for (ThreadRow& row : thread_rows(summary, moment, warp, lane))
    section.rows.push_back({std::move(row.name), std::move(row.value)});
  if (section.rows.empty()) section.rows.push_back({"idle", "the block has no thread for this lane"});
  return section;
}

InspectorSection statement_section(const Summary& summary, const Moment& moment) {
  InspectorSection section{.title = "Statement"};
  if (moment.line > 0) section.rows.push_back({"line", summary.lines.number(moment.line)});
  section.rows.push_back(
      {"step", moment.step < 0
                   ? fmt::format("0 of {}", spaced(summary.steps))
                   : fmt::format("{} of {}", spaced(static_cast<std::uint64_t>(moment.step) + 1 + summary.first_step),
                                 spaced(std::max(summary.block_steps, summary.first_step + summary.steps)))});
  section.rows.push_back({"warp", fmt::format("{} of {}, block {}", moment.warp, summary.warps, moment.block)});
  const int active = std::popcount(moment.active);
  section.rows.push_back(
      {"active lanes", fmt::format("{} of 32", active) +
                           (active == 0 || active == 32 ? std::string() : ": " + lanes_words(moment.active))});
  if (moment.pc >= 0 && moment.pc < static_cast<int>(summary.code.size())) {
    const trace::CodeSite& site = summary.code[moment.pc];
    const bool mark = site.kind == trace::StepKind::probe;  // its text is ours, not the compiler's
    section.rows.push_back({"PTX", mark ? "probe (no instruction)" : site.text});
  }
  if (!moment.statement_words.empty())
    section.rows.push_back(
        {"moves", moment.statement_first_line > 0
                      ? fmt::format("{}: {}", summary.lines.range(moment.statement_first_line, moment.line),
                                    moment.statement_words)
                      : moment.statement_words});
  return section;
}

InspectorSection access_section(const AccessInfo& access, const Summary& summary) {
  InspectorSection section{.title = "Access"};
  const bool shared = access.space == trace::MemorySpace::shared;
  const BufferInfo* info = buffer_of(summary, access.buffer);
  section.rows.push_back({"memory", shared ? "shared" : info == nullptr ? "global" : "global, " + info->name});
  section.rows.push_back({"width", counted(access.width_bytes, "byte") + " a lane"});
  if (shared) {
    section.rows.push_back({"wavefronts", fmt::format("{}, ideal {}", spaced(access.cost.wavefronts),
                                                      spaced(access.cost.ideal_wavefronts))});
  } else {
    section.rows.push_back({"sectors", spaced(access.cost.sectors)});
    section.rows.push_back({"lines", spaced(access.cost.lines)});
    section.rows.push_back(
        {"bytes used", fmt::format("{} of {}", spaced(access.cost.bytes_wanted), spaced(access.cost.bytes_moved))});
  }
  return section;
}

/// The counters that a row adds up: the hardware's name, the older one, and how it is counted.
std::string counter_hint(std::initializer_list<const char*> names) {
  std::string words;
  for (const char* name : names) {
    const counters::Metric* m = counters::find_metric(name);
    if (m == nullptr) continue;
    if (!words.empty()) words += "\n";
    words += std::string(m->name) + (m->legacy.empty() ? "" : " (" + std::string(m->legacy) + ")") + ": " +
             std::string(m->formula);
  }
  return words;
}

InspectorSection counters_section(const Summary& summary, int line) {
  InspectorSection section{.title = line == 0 ? "Counters, this kernel (predicted)"
                                              : fmt::format("Counters, {} (predicted)", summary.lines.words(line))};
  const auto found = std::find_if(summary.counters.begin(), summary.counters.end(),
                                  [&](const LineCounters& c) { return c.line == line; });
  if (found == summary.counters.end()) return section;
  const LineCounters& c = *found;
  const auto row = [&](std::string name, std::uint64_t value, std::initializer_list<const char*> counters = {}) {
    if (line == 0 || value > 0) section.rows.push_back({std::move(name), spaced(value), counter_hint(counters)});
  };
  row("warp instructions", c.instructions, {"smsp__sass_inst_executed.sum"});
  row("thread instructions", c.thread_instructions, {"smsp__sass_thread_inst_executed_pred_on.sum"});
  row("global requests", c.global_requests,
      {"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum"});
  row("global sectors", c.global_sectors,
      {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"});
  row("shared requests", c.shared_requests,
      {"smsp__sass_inst_executed_op_shared_ld.sum", "smsp__sass_inst_executed_op_shared_st.sum"});
  row("shared wavefronts", c.shared_wavefronts,
      {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum"});
  row("bank conflicts", c.bank_conflicts,
      {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum",
       "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum"});
  row("shuffles", c.shuffles, {"lanescope__inst_executed_op_shuffle.sum"});
  row("barriers", c.barriers, {"lanescope__inst_executed_op_barrier.sum"});
  if (line == 0 && summary.resources.registers >= 0)
    row("registers per thread", static_cast<std::uint64_t>(summary.resources.registers));
  return section;
}

InspectorSection claims_section(const Summary& summary) {
  InspectorSection section{.title = "Claims", .about = InspectorSection::About::claims};
  for (const ClaimInfo& info : summary.claims)
    section.rows.push_back({fmt::format("{}, {}", info.claim.variable, summary.lines.words(info.claim.first_line)),
                            verdict_text(info.result)});
  return section;
}

}  // namespace

std::vector<InspectorSection> inspector(const Summary& summary, const Moment& moment, const Selection& selection) {
  std::vector<InspectorSection> sections;
  const auto add = [&](InspectorSection section) {
    if (!section.rows.empty()) sections.push_back(std::move(section));
  };
  if (selection.element) add(element_section(summary, moment, selection.element->first, selection.element->second));
  if (selection.place) add(place_section(summary, moment, *selection.place));
  add(word_section(summary, moment, selection));
  if (moment.step >= 0 || moment.line > 0) add(statement_section(summary, moment));
  if (moment.access) add(access_section(*moment.access, summary));
  if (summary.block.count() > 0) add(thread_section(summary, moment, selection));
  if (selection.line > 0) add(counters_section(summary, selection.line));
  add(counters_section(summary, 0));
  add(claims_section(summary));
  return sections;
}

}  // namespace lanescope::views
