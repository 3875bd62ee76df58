#pragma once
// Conflicts: pairs of accesses that race if nothing orders them, and pairs of which one represents the other. For this
// folder and the review.

#include <cstdint>

#include "profiling/races/instruction.h"

namespace lanescope::races {

/// Words of a page, the unit of look-up.
inline constexpr std::uint64_t words_per_page = 1024;

constexpr bool is_strong(Touch t) { return !is_plain(t); }

/// How near two threads are to each other.
struct Near {
  bool same_cluster = true, same_block = true, same_warp = true;
  /// An operation of this scope by one of them is strong for the other.
  bool within(Scope scope) const {
    return scope == Scope::device || (scope == Scope::cluster && same_cluster) || same_block;
  }
};

/// Whether two accesses that nothing orders are a race. `scope`: only because of the scope of atomics.
inline bool conflict(Touch a, Scope a_scope, Touch b, Scope b_scope, const Near& near, bool& scope) {
  if (!writes(a) && !writes(b)) return false;
  if (!is_strong(a) || !is_strong(b)) return true;
  if (is_volatile(a) && is_volatile(b)) return near.same_warp;
  scope = !near.within(a_scope) || !near.within(b_scope);
  return scope;
}

/// Two that conflict and are strong, at least one of them only by being volatile.
constexpr bool strong_by_volatile(Touch a, Touch b) {
  return (writes(a) || writes(b)) && is_strong(a) && is_strong(b) && (is_volatile(a) || is_volatile(b));
}

/// An access that races with `a`, which happens before `b`, races with `b` as well. `narrow`: some strong accesses have
/// a scope of a block or a cluster; one of those may be within its scope for `b` and not for `a`.
inline bool covers(Touch b, Scope b_scope, Touch a, Scope a_scope, const Near& near, bool narrow) {
  if (b == Touch::write || (b == Touch::read && !writes(a))) return true;
  if (a != b) return false;
  return is_volatile(a) ? near.same_warp : a_scope == b_scope && (narrow ? near.same_block : near.within(a_scope));
}

}  // namespace lanescope::races
