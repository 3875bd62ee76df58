#pragma once
// A recorded access as a pattern of addresses, which is what costs are computed from.

#include <algorithm>

#include "kernels/trace/observer.h"
#include "kernels/trace/record_log.h"
#include "profiling/access/access.h"

namespace lanescope::counters {

inline bool is_atomic(trace::AccessKind kind) {
  return kind == trace::AccessKind::atomic || kind == trace::AccessKind::reduction;
}

inline access::Turns turns_of(trace::AtomicTurns turns) {
  switch (turns) {
    case trace::AtomicTurns::lanes:
      break;
    case trace::AtomicTurns::words:
      return access::Turns::words;
    case trace::AtomicTurns::one:
      return access::Turns::one;
  }
  return access::Turns::lanes;
}

/// Of an event or of a record of it.
template <class Access>
access::Pattern pattern_of(const Access& access, std::uint32_t mask) {
  const bool reads = access.kind == trace::AccessKind::load ||
                     (access.kind == trace::AccessKind::async_copy && access.space == trace::MemorySpace::global);
  access::Pattern pattern{.direction = reads ? access::Direction::load : access::Direction::store,
                          .width_bytes = access.width_bytes,
                          .mask = mask,
                          .addresses = {},
                          .matrices = access.matrix};
  if (is_atomic(access.kind)) pattern.atomic = turns_of(access.turns);
  std::copy_n(access.addresses.begin(), std::min<std::size_t>(access.addresses.size(), 32), pattern.addresses.begin());
  return pattern;
}
inline access::Pattern pattern_of(const trace::AccessEvent& event) { return pattern_of(event, event.where.active); }
inline access::Pattern pattern_of(const trace::AccessRecord& record) { return pattern_of(record, record.mask); }

}  // namespace lanescope::counters
