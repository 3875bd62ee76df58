#pragma once
// One launch of the plain program for the review.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/ptx/program.h"
#include "kernels/source/source.h"
#include "kernels/trace/trace.h"

namespace lanescope::review {

struct LaunchReview {
  const ptx::Entry* entry = nullptr;
  std::vector<trace::CodeSite> code;  ///< by pc, lines of the user's file
  trace::Launch launch;
  const source::LaunchSpec* spec = nullptr;
  struct Buffer {
    std::string name;
    std::uint64_t address = 0, bytes = 0;
    int element_bits = 32;
    bool library = false;  ///< a table of the compiler's libraries, whose accesses are not those of the kernel
    bool heap = false;     ///< the device heap: checked for races, but it is no array
  };
  /// Memory of the device heap, also after it was freed.
  struct Allocation {
    std::uint64_t at = 0, bytes = 0;  ///< from the beginning of the heap
    int line = 0;                     ///< the user's; 0 unknown
    bool freed = false;
  };
  /// A variable of shared memory, of this kernel or of others of the module.
  struct SharedVariable {
    std::string name;  ///< in the PTX
    std::uint64_t address = 0, alignment = 1;
    std::uint64_t offset = 0, bytes = 0;  ///< as accesses count
  };
  std::vector<SharedVariable> shared{};
  std::vector<std::string_view> shared_bases{};  ///< ptx::shared_bases of the entry
  std::vector<Buffer>
      buffers;  ///< those of the launch, in its order; the heap, if kernels allocate; the module's variables
  /// A call of printf whose format has a conversion that only the host's printf has.
  struct HostPrint {
    trace::Where where;
    std::string conversion;     ///< "%zu"
    bool string_after = false;  ///< a string is printed after it
  };
  std::vector<HostPrint> host_prints{};   ///< the first of each instruction
  std::vector<Allocation> allocations{};  ///< when the launch has ended; ascending
};

/// Unwritten elements after the last launch: of a buffer that the launch header calls uninitialised, or of what the host code
/// copies back from a buffer that it does not set.
struct LeftUnwritten {
  int buffer = -1;                           ///< in the launches' order
  const source::CopyBack* copied = nullptr;  ///< the first unwritten element; nullptr: the header states the buffer
  std::uint64_t elements = 0, unwritten = 0;
  std::uint64_t first = 0, last = 0;  ///< unwritten elements
};

}  // namespace lanescope::review
