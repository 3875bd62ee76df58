#pragma once
// The cost of loading or storing a register assignment: in sectors of global memory, and in wavefronts of shared memory
// under a padding or a swizzle. No kernel is needed: the addresses follow from the assignment and the order of the
// axes.

#include <cstdint>
#include <string>
#include <vector>

#include "app/design/design.h"
#include "profiling/access/access.h"

namespace lanescope::design {

/// Where the elements of an assignment lie in memory: axes one inside the other, each a power of two long.
struct MemoryOrder {
  std::vector<std::string> axes;       ///< the slowest first
  std::vector<std::string> names;      ///< logical bits
  std::vector<std::uint64_t> offsets;  ///< of the same, in elements
};
/// `axes` empty: by name, the last one fastest. Axes that `axes` leaves out are the slowest.
MemoryOrder memory_order(const layout::Assignment& assignment, const std::vector<std::string>& axes);

/// The accesses of warp 0, as wide as the registers of a thread allow, at most 16 bytes.
struct Accesses {
  int width_bytes = 0;                   ///< of one access of a thread
  std::vector<access::Access> accesses;  ///< one each
  std::string problem;                   ///< why there is none, a sentence without its full stop
};
Accesses accesses_of(const layout::Assignment& assignment, int element_bits, const MemoryOrder& order,
                     trace::AccessKind kind);

/// The price of all of them.
struct MemoryCost {
  trace::AccessKind kind = trace::AccessKind::load;
  int width_bytes = 0;
  access::Sum sum{};
  std::string problem;
};
MemoryCost global_cost(const layout::Assignment& assignment, int element_bits, const MemoryOrder& order,
                       trace::AccessKind kind);
MemoryCost shared_cost(const layout::Assignment& assignment, int element_bits, const MemoryOrder& order,
                       const SharedForm& form, trace::AccessKind kind);

/// "4 loads of 16 bytes: 64 sectors, 100 % used", "4 loads of 16 bytes: 16 wavefronts, ideal 16"; or the problem.
std::string words(const MemoryCost& cost);

}  // namespace lanescope::design
