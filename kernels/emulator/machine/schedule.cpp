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

/// Those that have waited for each other first, so that all of them do what they waited for before one continues: a shuffle in
/// a function that lanes called from different places reads what the others brought along. Then deepest in calls first,
/// then lowest in the code, among those that gave way least.
bool runs_before(const Group& a, const Group& b) {
  if (a.forced != b.forced) return a.forced;
  if (a.yields != b.yields) return b.yields;
  if (a.penalty != b.penalty) return a.penalty < b.penalty;
  if (a.frames.size() != b.frames.size()) return a.frames.size() > b.frames.size();
  return a.pc < b.pc;
}

struct Feistel {
  u32 half = 1;
  u64 mask = 1, seed = 1;
  Feistel(u64 blocks, u64 with_seed) : seed(with_seed) {
    while ((u64{1} << (2 * half)) < blocks) ++half;
    mask = (u64{1} << half) - 1;
  }
  u64 mixed(u64 right, u64 round) const {
    u64 state = right ^ seed * 0xd1342543de82ef95u ^ round << 40;
    return next_random(state) & mask;
  }
  u64 there(u64 x) const {
    u64 left = x >> half, right = x & mask;
    for (u64 round = 0; round < 4; ++round) {
      const u64 fresh = left ^ mixed(right, round);
      left = right;
      right = fresh;
    }
    return left << half | right;
  }
  u64 back(u64 x) const {
    u64 left = x >> half, right = x & mask;
    for (u64 round = 4; round-- > 0;) {
      const u64 before = right ^ mixed(left, round);
      right = left;
      left = before;
    }
    return left << half | right;
  }
};

}  // namespace

// A permutation by a small Feistel network, walked until it falls into range.
u64 block_in_order(u64 n, u64 blocks, u64 seed) {
  if (seed == 1) return n;
  const Feistel network(blocks, seed);
  u64 x = n;
  do x = network.there(x);
  while (x >= blocks);
  return x;
}

u64 place_in_order(u64 block, u64 blocks, u64 seed) {
  if (seed == 1) return block;
  const Feistel network(blocks, seed);
  u64 x = block;
  do x = network.back(x);
  while (x >= blocks);
  return x;
}

u64 place_in_order(u32 block, const trace::Dim3& g, const trace::Dim3& k, u64 seed) {
  const u64 x = block % g.x, y = block / g.x % g.y, z = block / g.x / g.y;
  const u64 across = g.x / k.x, down = g.y / k.y;
  const u64 cluster = x / k.x + y / k.y * across + z / k.z * across * down;
  const u64 rank = x % k.x + y % k.y * k.x + z % k.z * k.x * k.y;
  return place_in_order(cluster, g.count() / k.count(), seed) * k.count() + rank;
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
