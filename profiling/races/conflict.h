#pragma once
// Which accesses are a race where nothing orders them, and which of two accesses stands for the other. Private to this folder.

#include <cstdint>

#include "profiling/races/instruction.h"

namespace lanescope::races {

/// A piece of memory whose words are found together.
inline constexpr std::uint64_t words_per_page = 1024;

constexpr bool is_strong(Touch t) { return !is_plain(t); }

/// Whether two accesses that nothing orders are a race. `scope`: only because of the scope of atomics.
inline bool conflict(Touch a, Scope a_scope, Touch b, Scope b_scope, bool same_block, bool same_warp, bool& scope) {
  if (!writes(a) && !writes(b)) return false;
  if (!is_strong(a) || !is_strong(b)) return true;
  if (is_volatile(a) && is_volatile(b)) return same_warp;
  scope = !same_block && (a_scope == Scope::block || b_scope == Scope::block);
  return scope;
}

/// Whoever races with `a`, which happens before `b`, races with `b` as well.
inline bool covers(Touch b, Scope b_scope, Touch a, Scope a_scope, bool same_block, bool same_warp) {
  if (b == Touch::write || (b == Touch::read && !writes(a))) return true;
  if (a != b) return false;
  return is_volatile(a) ? same_warp : a_scope == b_scope && (a_scope != Scope::block || same_block);
}

}  // namespace lanescope::races
