#pragma once
// The schedule: blocks in the order of a seed, warps of a block in turns, groups of a warp where they can reconverge
// again. Every choice is a function of the seed and of the run so far, so that a run with the same options is the same
// run. Nothing is executed here. Functions called for each instruction are inline.

#include <algorithm>

#include "kernels/emulator/machine/block.h"
#include "kernels/emulator/machine/run.h"

namespace lanescope::emulator {

/// Blocks that may run at the same time, because each waits for another.
inline constexpr std::size_t most_resident_blocks = 8192;
inline constexpr u32 polls_to_yield = 16;  ///< reads of the same value after which another thread must run
/// Rounds over all running blocks in which each of them only read the same values again: a deadlock.
inline constexpr u64 idle_rounds_to_stop = 2048;
inline constexpr u32 run_to_yield = 4096;  ///< instructions of one group while others of its warp wait
inline constexpr u64 most_polls_after_refusal = 1u << 14;
inline constexpr u32 longest_turn = 1u << 16;  ///< with slice 0: until a barrier, but other warps are not starved

/// The n-th block in the order of a seed; of seed 1, the n-th.
u64 block_in_order(u64 n, u64 blocks, u64 seed);
/// Where a block is in that order.
u64 place_in_order(u64 block, u64 blocks, u64 seed);
/// The same where blocks of a cluster follow each other.
u64 place_in_order(u32 block, const trace::Dim3& grid, const trace::Dim3& cluster, u64 seed);

/// Warp instructions of a turn.
inline u32 turn_length(const Options& options) { return options.slice == 0 ? longest_turn : options.slice; }

inline bool can_run(const Warp& w) { return !w.groups.empty() && !w.blocked; }
bool pick_random_warp(Block& block);

/// Gives the turn to a warp that can run; false when there is none. With seed 1 they take turns.
inline bool pick_warp(Block& b, u64 seed) {
  if (seed != 1) return pick_random_warp(b);
  const u32 n = static_cast<u32>(b.warps.size());
  for (u32 i = 0; i < n; ++i) {
    b.warp = b.warp + 1 < n ? b.warp + 1 : 0;
    if (can_run(b.warps[b.warp])) return true;
  }
  return false;
}

int pick_group_of_several(const Warp& warp);

/// The group that runs next; -1: all wait, or there is none.
inline int pick_group(const Warp& w) {
  if (w.groups.size() == 1) return w.groups[0].wait == Wait::none ? 0 : -1;
  return pick_group_of_several(w);
}

/// After a group has run: it yields to others of its warp if it only polls memory, or has run very long while they
/// wait. True if it polls: then its warp ends its turn.
inline bool gives_way(Warp& w, Group& g) {
  const bool polls = g.polls >= polls_to_yield;
  if (w.groups.size() > 1 && (g.run > run_to_yield || polls)) {
    ++g.penalty;
    g.run = 0;
  }
  if (!polls) return false;
  g.polls = 0;
  w.polling = true;
  return true;
}

/// All warps that could run only poll memory: they wait for another block.
inline bool everybody_polls(const Block& block) {
  return std::ranges::all_of(block.warps, [](const Warp& w) { return !can_run(w) || w.polling; });
}

}  // namespace lanescope::emulator
