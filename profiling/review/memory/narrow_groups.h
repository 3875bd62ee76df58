#pragma once
// Accesses of at most 32 bits that one wider access could replace: next to each other in each thread, or, row after row,
// across the lanes of a warp.

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "profiling/review/observe/collector.h"

namespace lanescope::review {

struct NarrowGroup {
  std::vector<const Neighbour*> members;  ///< 2 to 16, ascending by address
  bool own = true;  ///< adjacent in each thread; false: each member is a full row of a warp, and the rows are adjacent
  int width_bytes = 4, wide_bytes = 16;  ///< per lane, of a member and of the access that replaces all
  const Neighbour& first() const { return *members.front(); }
  bool in_shared() const { return first().buffer == Neighbour::in_shared; }
};

/// Groups do not overlap. An access of the other direction to the same buffer (to shared memory) between two members
/// keeps them apart: what it writes or reads might be theirs. Lines of an unrolled loop are several pieces of code: what
/// fits together in some of its rounds only (the last one of a reduction, whose distance is 1) cannot be one access of
/// those lines, and is left out. So are two addresses that other accesses use, too, and that are not always so far apart there:
/// what ran happened to be next to each other (the two that a sort exchanges). `line_of`: of a pc; `address_of`: the address
/// operand of its instruction, which names a register.
std::vector<NarrowGroup> narrow_groups(const AccessCollector& seen, const std::function<int(std::uint32_t)>& line_of,
                                       const std::function<std::string_view(std::uint32_t)>& address_of);

/// Wavefronts of a group in shared memory, in its first execution: of its members, and of the wide access. `own` only.
struct GroupWavefronts {
  std::uint64_t now = 0, then = 0;
};
GroupWavefronts wavefronts_of(const NarrowGroup& group);

}  // namespace lanescope::review
