#pragma once
// Arrays of structures whose fields are accessed one by one: savings of other layouts and accesses, in sectors of one
// warp's access to all fields. The three remedies are those of "GPU memory and shuffle" (KAUST), structures of
// non-native size; their sectors are counted from the addresses that occurred.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "profiling/review/observe/collector.h"

namespace lanescope::review {

struct StructureAccess {
  int structure_bytes = 0;      ///< distance of neighbouring lanes
  std::vector<int> fields{};    ///< bytes from the lowest accessed field, ascending
  std::uint64_t sectors = 0;    ///< of one warp, over all fields
  std::uint64_t of_arrays = 0;  ///< with each field in an array of its own
  std::uint64_t distinct = 0;   ///< different ones among `sectors`: what staging through shared memory or a cache needs
};

/// For an instruction of `totals` at whose worst access lanes are one structure apart: that structure with all fields
/// that the launch accesses in the same direction. Absent: no constant distance of 6 to 64 bytes; a single field where
/// the distance is a power of two, and less than a third of more than 32 bytes, which are as well columns.
std::optional<StructureAccess> structure_access(const AccessCollector& seen, const AccessTotals& of);

/// "structures of 12 bytes: ..."; of an array of numbers (`scalar`) "lanes 12 bytes apart: ..."; empty where nothing
/// would save a sector.
std::string structure_remedy(const StructureAccess& access, trace::AccessKind kind, bool scalar);

}  // namespace lanescope::review
