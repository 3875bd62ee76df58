#pragma once
// From the record buffer of a traced launch to the same Trace that the emulator's recorder makes, and the comparison of
// the two.
//
// The contents of a decoded trace: a step for every record (accesses, shuffles, barriers; nothing for instructions that do not
// record), accesses with their real addresses, lanes and order, and the lanes that shuffles read. It has no values, no
// identities and no probes: words of its accesses are 0. Addresses in shared memory count from the lowest shared
// variable, as in the emulator.

#include <cstdint>
#include <optional>
#include <string>

#include "kernels/base/diagnostic.h"
#include "kernels/instrument/records.h"
#include "kernels/trace/trace.h"

namespace lanescope::instrument {

struct Decoded {
  trace::Trace trace;  ///< `code` is left to the caller
  Choice choice;
  std::uint64_t records = 0, dropped = 0;
  std::uint64_t needed_bytes = 0;  ///< capacity with which none would have been dropped
};

/// `launch` and `buffers` as they were before the record buffer was added; `buffers` holds the contents before the run.
/// `buffer_addresses` of the trace are those that the launch really had; 0 where no argument is the buffer's address.
Expected<Decoded> decode(const trace::Buffer& records, const Description& description, const trace::Launch& launch,
                         const std::vector<trace::Buffer>& buffers);

/// The first access or shuffle in which two traces of a launch differ.
struct Difference {
  std::uint32_t block = 0, warp = 0;
  std::uint64_t index = 0;  ///< n-th access, or n-th shuffle, of the warp, from 0; of `lane` since the warp waited
  std::uint32_t pc = 0;     ///< of the expected one; of the found one where there is none
  int line = 0;             ///< of `pc` in the user's file, if the traces have it
  int lane = -1;            ///< first lane that differs; -1 if the difference is not in lanes
  std::string words;        ///< one sentence
  /// Indices into `accesses` of the two traces; -1 where that side has none, and both of a shuffle.
  std::int64_t expected_access = -1, found_access = -1;
};

/// `expected`: recorded by the emulator. Warps that `found` did not choose, and accesses to local, constant and
/// parameter memory, are left out. Global addresses are compared by buffer and offset; outside of all buffers
/// (variables of the module) the two machines place things differently, and only the lanes are compared. Where records
/// were dropped, what is there must be a beginning of what is expected. Loads by which a warp waits (`ld.acquire`,
/// `ld.relaxed` or `ld.volatile` of the same words, one after another) are one access of all their lanes, however many
/// there are, where `expected` has its `code`; from the first of them on the warp's lanes are compared one by one,
/// since lanes that waited may continue apart from the others. nullopt: equal.
std::optional<Difference> compare(const trace::Trace& expected, const Decoded& found);

}  // namespace lanescope::instrument
