#include "app/engine/summary/moment.h"

#include <algorithm>
#include <utility>

#include "app/engine/summary/access_info.h"
#include "app/engine/summary/cells.h"
#include "kernels/base/set_bits.h"
#include "results/problems.h"

namespace lanescope::engine {
namespace {

using results::Moment;

void fill_step(const trace::Trace& t, Moment& m) {
  if (m.step < 0 || t.steps.empty()) return;
  const trace::StepRecord& step = t.steps[static_cast<std::size_t>(m.step)];
  m.block = step.block;
  m.warp = step.warp;
  m.active = step.active;
  m.pc = static_cast<int>(step.pc);
  if (step.pc < t.code.size()) m.line = t.code[step.pc].line;
}

/// Of this step, or the last one of the same warp and line.
std::optional<std::size_t> access_for(const trace::Trace& t, const Moment& m) {
  for (std::size_t i = t.accesses.count_until(m.step); i-- > 0;) {
    const std::uint64_t step = t.accesses.step(i);
    if (static_cast<std::int64_t>(step) == m.step) return i;
    if (t.steps[step].warp == m.warp && m.line > 0 && line_of(t, step) == m.line) return i;
  }
  return std::nullopt;
}

/// Cells of buffers that an access wrote.
std::vector<results::ArrivedCell> arrived_with(const trace::Trace& t, const trace::AccessRecord& r, ElementSets& sets) {
  std::map<std::pair<int, std::uint64_t>, results::ArrivedCell> cells;  // of lanes that write the same, the last counts
  if (r.space != trace::MemorySpace::global || r.kind == trace::AccessKind::load ||
      r.kind == trace::AccessKind::async_copy || r.tags.empty())
    return {};
  for (const std::size_t lane : set_bits(r.mask)) {
    const auto at = t.locate(r.addresses[lane]);
    if (!at) continue;
    const int element = t.buffers[static_cast<std::size_t>(at->first)].element_bits;
    const int bits = element == 8 || element == 16 || element == 64 ? element : 32, bytes = bits / 8;
    for (int byte = 0; byte + bytes <= r.width_bytes; byte += bytes) {
      if ((at->second + static_cast<unsigned>(byte)) % static_cast<unsigned>(bytes) != 0) break;
      const std::size_t w = static_cast<std::size_t>(byte / 4) * trace::lanes_per_warp + lane;
      const std::size_t high = w + (bits == 64 ? trace::lanes_per_warp : 0);
      if (high >= r.values.size() || high >= r.tags.size()) break;
      const results::Cell cell =
          bits == 64 ? wide_word_cell(t.tags, r.values[w], r.tags[w], r.values[high], r.tags[high], &sets)
                     : word_cell(t.tags, r.values[w], r.tags[w], byte % 4 * 8, bits, &sets);
      const std::uint64_t to = at->second + static_cast<unsigned>(byte);
      cells[{at->first, to}] = {.buffer = at->first, .byte = to, .bits = bits, .cell = cell};
    }
  }
  std::vector<results::ArrivedCell> out;
  for (const auto& [place, cell] : cells) out.push_back(cell);
  return out;
}

/// The cached sum that was requested.
std::optional<results::AccessTotals> totals_for(const RunState& s, const MomentRequest& request, const Moment& m) {
  if (request.totals_line < 0 || s.summary.buffers.empty()) return std::nullopt;
  const bool accessed = m.access && m.access->space == trace::MemorySpace::global && m.access->buffer >= 0;
  const int buffer = request.totals_buffer >= 0 ? request.totals_buffer : accessed ? m.access->buffer : 0;
  const auto key = std::pair(buffer, request.totals_line);
  auto known = s.totals.find(key);
  if (known == s.totals.end())
    known = s.totals.emplace(key, access_totals(s.recorded()->trace, s.seen, buffer, request.totals_line)).first;
  return known->second;
}

}  // namespace

Moment moment_of(const RunState& s, const MomentRequest& request) {
  Moment m;
  const ProbedLaunch* shown = s.recorded();
  if (!shown || !s.summary.ok) return m;
  const trace::Trace& t = shown->trace;
  const source::Source& source = *s.prepared.source;
  const std::uint32_t block = s.request.record_block;
  m.step = std::clamp<std::int64_t>(request.step, -1, static_cast<std::int64_t>(t.steps.size()) - 1);
  m.block = block;
  fill_step(t, m);

  m.moves_from = request.moves_from == -2 ? m.step - 1 : request.moves_from;
  m.moves_from = std::clamp<std::int64_t>(m.moves_from, -1, std::max<std::int64_t>(m.step, -1));
  std::vector<results::RegisterGrid> before;
  ElementSets sets(t.tags);
  for (const int family : request.families) {
    if (family < 0 || static_cast<std::size_t>(family) >= s.families.size()) continue;
    const Family& f = s.families[static_cast<std::size_t>(family)];
    GridQuestion question{
        .step = m.step, .block = block, .first_warp = request.first_warp, .warp_count = request.warp_count};
    question.sets = &sets;
    m.grids.push_back(register_grid(t, f, family, source, question));
    question.sets = nullptr;
    question.step = m.moves_from;
    question.element_bits = m.grids.back().element_bits;
    if (m.moves_from < m.step) before.push_back(register_grid(t, f, family, source, question));
  }
  if (m.moves_from < m.step) m.moves = moves_between(t, before, m.grids, m.moves_from, m.step);

  // A step that faults accessed nothing: an earlier access of its line would pass for its own.
  const bool faults = results::fault_at(s.summary, m.step) != nullptr;
  if (const auto index = faults ? std::nullopt : access_for(t, m)) {
    m.access = access_info(t, s.seen.at(t, *index));
    if (m.access) m.access->on_gpu = s.seen.on_gpu;
    m.arrived = arrived_with(t, t.accesses[*index], sets);
  }
  m.totals = totals_for(s, request, m);
  if (t.shared_bytes > 0) {
    m.shared = t.shared_at(m.step, block);
    m.shared_cells = shared_cells(t, m.shared, &sets);
  }
  m.sets = sets.take();

  fill_assignment(s, request, m);
  if (request.tree && request.tree->of == TreeRequest::Of::register_ && !request.tree->all_lanes &&
      (request.tree->step == -2 || request.tree->step == m.step))
    m.tree_place = {request.tree->family, request.tree->warp, request.tree->reg, request.tree->part,
                    request.tree->lane};
  if (request.tree) m.tree = tree_of(s, *request.tree, request.tree->step == -2 ? m.step : request.tree->step);
  return m;
}

}  // namespace lanescope::engine
