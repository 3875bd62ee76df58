#include "kernels/emulator/machine/schedule.h"

namespace lanescope::emulator {

namespace {

u64 next_random(u64& state) {
  state += 0x9e3779b97f4a7c15u;
  u64 z = state;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

/// Those that have waited for each other first, so that all of them do what they waited for before one goes on: a shuffle in
/// a function that lanes called from different places reads what the others brought along. Then deepest in calls first,
/// then lowest in the code, among those that gave way least.
bool runs_before(const Group& a, const Group& b) {
  if (a.forced != b.forced) return a.forced;
  if (a.penalty != b.penalty) return a.penalty < b.penalty;
  if (a.frames.size() != b.frames.size()) return a.frames.size() > b.frames.size();
  return a.pc < b.pc;
}

}  // namespace

// A permutation by a small Feistel network, walked until it falls into range.
u64 block_in_order(u64 n, u64 blocks, u64 seed) {
  if (seed == 1) return n;
  u32 half = 1;
  while ((u64{1} << (2 * half)) < blocks) ++half;
  const u64 mask = (u64{1} << half) - 1;
  u64 x = n;
  do {
    u64 left = x >> half, right = x & mask;
    for (u64 round = 0; round < 4; ++round) {
      u64 state = right ^ seed * 0xd1342543de82ef95u ^ round << 40;
      const u64 fresh = left ^ (next_random(state) & mask);
      left = right;
      right = fresh;
    }
    x = left << half | right;
  } while (x >= blocks);
  return x;
}

bool pick_random_warp(Block& b) {
  u32 runnable = 0;
  for (const Warp& w : b.warps) runnable += can_run(w) ? 1 : 0;
  if (runnable == 0) return false;
  u64 nth = next_random(b.random) % runnable;
  for (u32 w = 0; w < b.warps.size(); ++w)
    if (can_run(b.warps[w]) && nth-- == 0) {
      b.warp = w;
      return true;
    }
  return false;
}

int pick_group_of_several(const Warp& w) {
  int best = -1;
  for (std::size_t i = 0; i < w.groups.size(); ++i)
    if (w.groups[i].wait == Wait::none &&
        (best < 0 || runs_before(w.groups[i], w.groups[static_cast<std::size_t>(best)])))
      best = static_cast<int>(i);
  return best;
}

}  // namespace lanescope::emulator
