#pragma once
// A recorded access as a pattern of addresses, which is what costs are computed from.

#include <algorithm>

#include "kernels/trace/observer.h"
#include "profiling/access/access.h"

namespace lanescope::counters {

inline access::Pattern pattern_of(const trace::AccessEvent& event) {
  access::Pattern pattern;
  pattern.direction = event.kind == trace::AccessKind::load ? access::Direction::load : access::Direction::store;
  pattern.width_bytes = event.width_bytes;
  pattern.mask = event.where.active;
  std::copy_n(event.addresses.begin(), std::min<std::size_t>(event.addresses.size(), 32), pattern.addresses.begin());
  return pattern;
}

}  // namespace lanescope::counters
