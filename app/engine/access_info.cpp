#include "app/engine/access_info.h"

#include "profiling/access/access.h"
#include "viz/views/traffic.h"

namespace lanescope::engine {

int line_of(const trace::Trace& t, std::uint64_t step) {
  const std::uint32_t pc = t.steps[step].pc;
  return pc < t.code.size() ? t.code[pc].line : 0;
}

std::optional<views::AccessInfo> access_info(const trace::Trace& t, const trace::AccessRecord& record) {
  if (record.space != trace::MemorySpace::global && record.space != trace::MemorySpace::shared) return std::nullopt;
  views::AccessInfo info{.space = record.space,
                         .kind = record.kind,
                         .width_bytes = record.width_bytes,
                         .line = line_of(t, record.step),
                         .warp = static_cast<int>(t.steps[record.step].warp),
                         .mask = record.mask,
                         .offsets = record.addresses};
  access::Pattern pattern{
      .direction = record.kind == trace::AccessKind::load ? access::Direction::load : access::Direction::store,
      .width_bytes = record.width_bytes,
      .mask = record.mask,
      .addresses = record.addresses};
  const access::GlobalCost global = access::global_cost(pattern);
  info.requests = global.requests;
  info.lines = global.lines;
  info.bytes_wanted = global.bytes_wanted;
  if (record.space == trace::MemorySpace::shared) {
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
    if (!(record.mask >> lane & 1))
      info.offsets[l] = 0;
    else if (const auto place = t.locate(record.addresses[l])) {
      if (info.buffer < 0) info.buffer = place->first;
      info.offsets[l] = record.addresses[l] - t.buffer_addresses[static_cast<std::size_t>(info.buffer)];
    }
  }
  return info;
}

views::AccessTotals access_totals(const trace::Trace& t, int buffer, int code_line) {
  views::AccessTotals totals{.buffer = buffer, .code_line = code_line};
  for (std::size_t i = 0; i < t.accesses.size(); ++i) {
    if (t.accesses.space(i) != trace::MemorySpace::global) continue;
    if (code_line > 0 && line_of(t, t.accesses.step(i)) != code_line) continue;
    if (const auto info = access_info(t, t.accesses[i])) views::accumulate(totals, *info);
  }
  return totals;
}

}  // namespace lanescope::engine
