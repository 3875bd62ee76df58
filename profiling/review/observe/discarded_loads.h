#pragma once
// Loads that the source makes in some threads only, and the compiled code in all of them: the compiler may read early
// where that is safe, and select afterwards.
//
//   if (threadIdx.x == 0) v = s[0];        setp.eq.s32 %p1, %tid, 0;
//                                          ld.shared.u32 %r6, [s];
//                                          selp.b32 %r7, %r6, %r4, %p1;
//
// A lane whose value is discarded does not count as reading: what another thread writes there at the time is no race of
// the source. Followed are values that pass through arithmetic into `selp` and nowhere else, by predicates that thread
// indices and constants alone decide; any other load counts in all lanes that execute it.

#include <cstdint>
#include <vector>

#include "kernels/ptx/program.h"
#include "kernels/trace/observer.h"

namespace lanescope::review {

class DiscardedLoads {
 public:
  DiscardedLoads(const ptx::Entry& entry, const trace::Launch& launch);

  /// Of the lanes that execute the load, those that keep the value.
  std::uint32_t kept(const trace::Where& where) const {
    if (where.pc >= lanes_.size() || lanes_[where.pc].empty()) return where.active;
    return where.active & lanes_[where.pc][where.warp];
  }

 private:
  std::vector<std::vector<std::uint32_t>> lanes_;  ///< by pc, then warp of a block; empty: all
};

}  // namespace lanescope::review
