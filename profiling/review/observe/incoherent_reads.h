#pragma once
// Loads through the read-only path (ld.global.nc: __ldg, or a pointer that is const and __restrict__) of memory that
// the same launch writes. PTX ISA, ld: the memory must be read-only for the lifetime of the kernel; the cache of this
// path sees no writes, so that such a load may give the old or the new value, also with barriers between.

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "kernels/ptx/program.h"
#include "kernels/trace/observer.h"
#include "kernels/trace/trace.h"
#include "profiling/review/observe/launch_review.h"

namespace lanescope::review {

class IncoherentReads {
 public:
  /// One load and one instruction that writes the same memory.
  struct Found {
    std::uint32_t load_pc = 0, write_pc = 0;
    int buffer = -1;
    std::uint64_t byte = 0;   ///< of the first such piece, from the buffer's start
    trace::Where later;       ///< the second access
    bool load_first = false;  ///< then it is the write
    int lane = 0;
    std::uint64_t times = 0;
  };

  /// Needs as many bytes as the buffers that are loaded this way have, at most `budget_bytes`; nothing where no
  /// instruction of the kernel is such a load.
  IncoherentReads(const LaunchReview& launch, std::size_t budget_bytes);
  explicit IncoherentReads(const LaunchReview& launch)
      : launch_(launch), budget_bytes_(0) {}  ///< which receives no events
  /// Of global memory; `buffer` of the launch, or -1.
  void access(const trace::AccessEvent& event, int buffer);
  /// By load and writing instruction.
  const std::map<std::pair<std::uint32_t, std::uint32_t>, Found>& found() const { return found_; }
  /// Buffers that are loaded this way and written, of which not every piece could be compared.
  std::vector<int> not_compared() const;

 private:
  /// Pieces of a buffer: which instruction loaded and which wrote each, counted from 1; 0: none.
  struct Pieces {
    std::vector<std::uint16_t> loaded, written;
    bool any_loaded = false, any_written = false, given_up = false;
  };
  bool make_room(Pieces& pieces, std::uint64_t buffer_bytes);

  const LaunchReview& launch_;
  std::vector<bool> loads_;  ///< by pc; empty: the kernel has none
  std::vector<Pieces> buffers_;
  std::size_t budget_bytes_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, Found> found_;
};

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
