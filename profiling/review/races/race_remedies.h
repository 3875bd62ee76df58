#pragma once
// Remedies for two unordered accesses. Their kinds decide which remedy is named:
//
//   lanes of a warp                  __syncwarp()
//   warps of a block                 __syncthreads()
//   blocks of a cluster              cluster.sync()
//   blocks                           atomics with fences, grid.sync(), another launch
//   threads that hold a lock         the lock lets one in at a time, and orders no memory without fences
//   a read before a compare-and-swap the loop changes the location at any time: a barrier cannot help, a strong read does

#include <string>

#include "profiling/races/races.h"
#include "profiling/review/races/flag_reads.h"

namespace lanescope::review {

/// How the two accesses are to one another in the text.
struct Relation {
  bool one_instruction = false, one_line = false;
  bool lone_flags = false;    ///< the code has volatile or relaxed accesses, or atomics, and no fence
  bool same_cluster = false;  ///< of different blocks
  bool swapped = false;       ///< a plain read of a location that a compare-and-swap changes
  int lock_line = 0;          ///< of the lock that both hold; 0: none
  int release_line = 0;       ///< where it is released
  Lock lock{};
  races::Scope fence = races::Scope::none;  ///< the widest one of the code
  bool loses_update = false;  ///< both threads read the location, compute and write it: an order alone does not help
};

/// Empty: that of the rule.
std::string remedy_of(const races::Race& race, const Relation& relation);

}  // namespace lanescope::review
