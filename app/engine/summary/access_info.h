#pragma once
// A recorded access as views show it, and what the accesses of a recorded block add up to.

#include <map>
#include <optional>

#include "kernels/instrument/decode.h"
#include "kernels/trace/trace.h"
#include "results/access.h"
#include "results/measured.h"

namespace lanescope::engine {

/// The accesses of a recorded block as they are to be shown: the emulator's, or where a GPU was watched and did otherwise,
/// the GPU's in the emulator's numbering and addresses.
struct SeenAccesses {
  bool on_gpu = false;                                     ///< a GPU was watched
  std::map<std::size_t, trace::AccessRecord> different{};  ///< by index in Trace::accesses
  trace::AccessRecord at(const trace::Trace& emulated, std::size_t index) const {
    const auto found = different.find(index);
    return found == different.end() ? emulated.accesses[index] : found->second;
  }
};
/// The difference of a traced launch from the emulator: the n-th access of each warp to global or shared memory against
/// the n-th. Warps and accesses that the GPU did not record stay the emulator's.
SeenAccesses seen_on_gpu(const trace::Trace& emulated, const instrument::Decoded& found);

/// The user's line of a recorded step; 0: not known.
int line_of(const trace::Trace& trace, std::uint64_t step);

/// An access to global memory, or to shared memory of the kernel's own.
bool is_shown(const trace::AccessRecord& record);

/// Absent: it is not shown.
std::optional<results::AccessInfo> access_info(const trace::Trace& trace, const trace::AccessRecord& record);

/// Of one buffer over one line of code (0: all lines), in the recorded block.
results::AccessTotals access_totals(const trace::Trace& trace, const SeenAccesses& seen, int buffer, int code_line);

// The first access in which a GPU and the emulator differ, lane by lane.

/// `expected`: the emulator's trace; `found`: the GPU's. nullopt where the difference is one of shuffles.
std::optional<results::AccessPair> access_pair(const trace::Trace& expected, const trace::Trace& found,
                                               const instrument::Difference& difference);

}  // namespace lanescope::engine
