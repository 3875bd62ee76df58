#pragma once
// One access of a warp with its costs and the words that it touches, and the totals of a line of code or of a whole
// run.

#include <array>
#include <cstdint>
#include <map>
#include <vector>

#include "kernels/trace/trace.h"
#include "profiling/access/access.h"

namespace lanescope::results {

/// An access with its price. Its addresses count from the buffer's (or shared memory's) start.
struct AccessInfo : access::Access {
  access::Cost cost{};
  int line = 0, warp = 0, buffer = -1;
  bool on_gpu = false;  ///< lanes and addresses as recorded on a GPU; else those of the emulator
  static constexpr auto fields(auto& a) {
    return std::tie(access::base_of<access::Access>(a), a.cost, a.line, a.warp, a.buffer, a.on_gpu);
  }
};

/// Of no line and no buffer yet.
AccessInfo priced(const access::Access& access);

struct AccessedWord {
  std::uint32_t lanes = 0;
  std::array<std::uint32_t, 4> lanes_of_byte{};
  int bytes() const;
};
/// By word number from the start of buffer or shared memory.
using AccessedWords = std::map<std::uint64_t, AccessedWord>;
AccessedWords accessed_words(const access::Access& access);

/// Transfers of one line of 128 bytes on compute capability 1.x, which moves pieces of 32, 64 and 128 bytes for each
/// half of a warp.
struct HalfWarpMoves {
  std::uint64_t transactions = 0;          ///< that lie in the line
  std::array<std::uint64_t, 4> sectors{};  ///< how often each of its 32 bytes was moved
  bool operator==(const HalfWarpMoves&) const = default;
};
/// Transfers of one line of 128 bytes, summed over the accesses of a line of code or of a whole run.
struct LineTransfers {
  std::uint64_t line = 0;                  ///< from the buffer's start
  std::uint64_t transactions = 0;          ///< requests that access it: 128 bytes each where loads pass through L1
  std::array<std::uint64_t, 4> sectors{};  ///< requests that access each of its 32-byte sectors
  std::array<std::uint32_t, 4> used{};     ///< requested bytes of each, by bit
  std::uint64_t bytes_wanted = 0;          ///< distinct bytes of each request, summed
  /// By the rule of 1.0 and 1.1 and by that of 1.2 and 1.3 (profiling/access/traffic.h): access::HalfWarps, from 1.
  std::array<HalfWarpMoves, 2> half_warps{};
};
struct AccessTotals {
  int buffer = -1, code_line = 0;  ///< code_line 0: the whole run
  std::uint64_t requests = 0, loads = 0, stores = 0;
  std::vector<LineTransfers> lines{};  ///< ascending
  /// Compute capability 1.x, by the same rules: transactions of 32, 64 and 128 bytes.
  std::array<std::array<std::uint64_t, 3>, 2> half_warp_sizes{};
};

/// Adds one access; accesses of other buffers or spaces are ignored.
void accumulate(AccessTotals& totals, const AccessInfo& access);

}  // namespace lanescope::results
