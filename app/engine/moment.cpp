#include <algorithm>

#include "app/engine/cells.h"
#include "app/engine/moves.h"
#include "app/engine/session_state.h"
#include "profiling/access/access.h"

namespace lanescope::engine {
namespace {

using views::Moment;

void fill_step(const trace::Trace& t, Moment& m) {
  if (m.step < 0 || t.steps.empty()) return;
  const trace::StepRecord& step = t.steps[static_cast<std::size_t>(m.step)];
  m.block = step.block;
  m.warp = step.warp;
  m.active = step.active;
  m.pc = static_cast<int>(step.pc);
  if (step.pc < t.code.size()) m.line = t.code[step.pc].line;
}

int line_of(const trace::Trace& t, std::uint64_t step) {
  const std::uint32_t pc = t.steps[step].pc;
  return pc < t.code.size() ? t.code[pc].line : 0;
}

/// Of this step, or the last one of the same warp and line.
std::optional<trace::AccessRecord> access_for(const trace::Trace& t, const Moment& m) {
  for (std::size_t i = t.accesses.count_until(m.step); i-- > 0;) {
    const std::uint64_t step = t.accesses.step(i);
    if (static_cast<std::int64_t>(step) == m.step) return t.accesses[i];
    if (t.steps[step].warp == m.warp && m.line > 0 && line_of(t, step) == m.line) return t.accesses[i];
  }
  return std::nullopt;
}

std::optional<views::AccessInfo> describe(const trace::Trace& t, const std::optional<trace::AccessRecord>& record) {
  const bool drawn =
      record && (record->space == trace::MemorySpace::global || record->space == trace::MemorySpace::shared);
  if (!drawn) return std::nullopt;
  views::AccessInfo info{.space = record->space,
                         .kind = record->kind,
                         .width_bytes = record->width_bytes,
                         .line = line_of(t, record->step),
                         .warp = static_cast<int>(t.steps[record->step].warp),
                         .mask = record->mask,
                         .offsets = record->addresses};
  access::Pattern pattern{
      .direction = record->kind == trace::AccessKind::load ? access::Direction::load : access::Direction::store,
      .width_bytes = record->width_bytes,
      .mask = record->mask,
      .addresses = record->addresses};
  const access::GlobalCost global = access::global_cost(pattern);
  info.requests = global.requests;
  info.lines = global.lines;
  info.bytes_wanted = global.bytes_wanted;
  if (record->space == trace::MemorySpace::shared) {
    const access::SharedCost shared = access::shared_cost(pattern);
    info.wavefronts = shared.wavefronts;
    info.ideal_wavefronts = shared.ideal_wavefronts;
    info.bank_conflicts = shared.bank_conflicts;
    info.bytes_moved = std::uint64_t{shared.wavefronts} * 128;
    return info;
  }
  info.sectors = global.sectors;
  info.bytes_moved = global.bytes_moved;
  for (int lane = 0; lane < 32; ++lane) {
    const auto l = static_cast<std::size_t>(lane);
    if (!(record->mask >> lane & 1))
      info.offsets[l] = 0;
    else if (const auto place = t.locate(record->addresses[l])) {
      if (info.buffer < 0) info.buffer = place->first;
      info.offsets[l] = record->addresses[l] - t.buffer_addresses[static_cast<std::size_t>(info.buffer)];
    }
  }
  return info;
}

}  // namespace

Moment Session::moment(const MomentRequest& request) const {
  Moment m;
  const State& s = *state_;
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
  std::vector<views::RegisterGrid> before;
  for (const int family : request.families) {
    if (family < 0 || static_cast<std::size_t>(family) >= s.families.size()) continue;
    const Family& f = s.families[static_cast<std::size_t>(family)];
    GridQuestion question{.step = m.step,
                          .block = block,
                          .first_warp = request.first_warp,
                          .warp_count = request.warp_count,
                          .element_bits = {}};
    m.grids.push_back(register_grid(t, f, family, source, question));
    question.step = m.moves_from;
    question.element_bits = m.grids.back().element_bits;
    if (m.moves_from < m.step) before.push_back(register_grid(t, f, family, source, question));
  }
  if (m.moves_from < m.step) m.moves = moves_between(t, before, m.grids, m.moves_from, m.step);

  m.access = describe(t, access_for(t, m));
  if (t.shared_bytes > 0) {
    m.shared = t.shared_at(m.step, block);
    m.shared_cells = shared_cells(t, m.shared);
  }

  fill_assignment(s, request, m);
  return m;
}

}  // namespace lanescope::engine
