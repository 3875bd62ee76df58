#pragma once
// Which reads of memory are there to decide something, as those of flags and locks, and which to get data; which lock
// the code takes, and how far its fences reach. From the code alone.
//
//   while (*flag == 0) {}                      // a poll: the same address again and again, until the value changes
//   if (*stop != 0) return;                    // compared with a constant
//   while (atomicCAS(lock, 0, 1) != 0) {}      // a lock: compare-and-swap or exchange of constants, compared with a constant
//   mine = atomicAdd(next, 1); while (*serving != mine) {}   // a ticket lock: the poll takes it
//
// A lock is released by a later write to the same place, whose address may have been recomputed
// (ptx/value_numbers.h). Locks in functions that are not inlined are not recognised.
//
//   if (*most < x) atomicMax(most, x);         // a guard: it saves an atomic, which compares again
//
// A value is followed through moves, conversions and masks to where it is compared. Of `sum += x[i]` nothing is
// compared: x is data, also where it is volatile.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "profiling/races/races.h"
#include "profiling/review/observe/launch_review.h"

namespace lanescope::review {

struct Lock {
  std::uint32_t takes = 0,
                gives_back = 0;  ///< pcs: the atomic or the poll that takes it, and the last write at the same address
  /// After taking it, and before releasing it: scope of the order of protected accesses, by the text.
  races::Scope after = races::Scope::none, before = races::Scope::none;
  bool global = true;        ///< false: in shared memory
  bool plain_store = false;  ///< released by a store that is neither volatile nor relaxed: it orders nothing
  bool protects = false;     ///< plain or volatile accesses to such memory while it is held
  bool holds(std::uint32_t pc) const { return takes < pc && pc < gives_back; }
};

/// Reaches the threads that compete for the lock: other blocks, where they can.
races::Scope scope_needed(const Lock& lock, const LaunchReview& launch);
/// "after taking it and before releasing it", as far as fences of this scope are missing; empty: none is.
std::string_view where_unfenced(const Lock& lock, races::Scope needed);

struct FlagReads {
  std::vector<bool> decides;                ///< by pc
  std::vector<bool> at_flag;                ///< by pc: an access at the address of such a read
  std::vector<bool> guards;                 ///< by pc: see below
  std::vector<Lock> locks;                  ///< by pc
  races::Scope fence = races::Scope::none;  ///< the widest fence or release of the code
  bool strong = false;                      ///< volatile or relaxed accesses, or atomics, which may be meant as flags
  /// That look as if they order threads, in code that has no fence and nothing that releases.
  bool lone() const { return strong && fence == races::Scope::none; }
};

FlagReads flag_reads(const LaunchReview& launch);

// Remedies for two unordered accesses. Their kinds decide which remedy is named:
//
//   lanes of a warp                  __syncwarp()
//   warps of a block                 __syncthreads()
//   blocks of a cluster              cluster.sync()
//   blocks                           atomics with fences, grid.sync(), another launch
//   threads that hold a lock         the lock lets one in at a time, and orders no memory without fences
//   a read before a compare-and-swap the loop changes the location at any time: a barrier cannot help, a strong read does

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
