// How blocks begin: which one is next, with those of its cluster, and what its memory and registers begin with.

#include "kernels/emulator/machine/block.h"

#include <algorithm>
#include <cstring>
#include <memory>

#include "kernels/emulator/machine/machine.h"
#include "kernels/emulator/machine/schedule.h"
#include "kernels/trace/reserved_shared.h"

namespace lanescope::emulator {

void Running::reset(Block& b) {
  const Program& p = *program;
  const bool is_new = b.warps.empty();
  if (is_new) {
    b.warps.resize(p.launch.warps_per_block());
    b.shared.name = "shared memory";
    b.shared.is_shared = true;
    b.shared.base = p.first_shared;
    b.shared.bytes = p.shared_bytes;
    b.reserved.name = "reserved shared memory";
    b.reserved.base = p.first_shared - trace::reserved_shared_bytes;  // of 32 bits
    b.reserved.bytes = p.uses_reserved ? trace::reserved_shared_bytes : 0;
    for (u32 i = 0; i < b.warps.size(); ++i) {
      Warp& w = b.warps[i];
      w.index = i;
      const u64 threads = p.launch.block.count() - u64{i} * 32;
      w.exists = threads >= 32 ? all_lanes : (1u << threads) - 1;
      w.registers = p.image;
      if (tags()) {
        w.tags.resize(p.image.size());
        w.tagged.resize(p.image.size() / 128 + 1);
      }
      w.local.name = "local memory";
      w.local.bytes = u64{p.local_bytes} * lanes;
    }
  }
  b.shared.own.assign((p.shared_bytes + 7) / 8 * 8, 0);
  b.shared.data = b.shared.own.data();
  b.shared.tags.clear();
  const bool unwritten = tags() && options.unwritten != nullptr;
  if (unwritten) {
    const auto& ranges = options.tags->space.buffers;
    const std::size_t shared = ranges.size() - 4;  // unwritten_space()
    b.shared.identified = true;
    b.shared.first_word = ranges[shared].first_word;
    for (Warp& w : b.warps) {
      w.local.identified = true;
      w.local.first_word = ranges[shared + 1].first_word;
    }
  }
  b.reserved.own.assign(b.reserved.bytes, 0);
  b.reserved.data = b.reserved.own.data();
  b.reserved.tags.clear();
  b.barriers = {};
  b.warp = 0;
  b.turn_left = 0;
  b.turn_open = false;
  b.steps = 0;
  b.random = options.seed ^ (u64{b.index} << 20);
  for (Warp& w : b.warps) {
    std::memset(w.registers.data() + p.registers_begin, 0, p.registers_end - p.registers_begin);
    std::ranges::fill(w.tags, u8{0});
    std::ranges::fill(w.tagged, u8{0});
    w.local.own.assign(w.local.bytes, 0);
    w.local.data = w.local.own.data();
    w.local.tags.clear();
    w.groups.clear();
    w.groups.push_back({.mask = w.exists, .frames = {}});
    w.blocked = w.polling = false;
    w.cluster_arrived = w.cluster_owed = 0;
    set_specials(b, w, is_new);
  }
}

std::unique_ptr<Block> Running::blank_block(const BlockProgress& at) {
  auto b = std::make_unique<Block>();
  b->index = at.index, b->cluster = at.cluster, b->rank = at.rank;
  reset(*b);
  static_cast<BlockProgress&>(*b) = at;
  return b;
}

/// The n-th block in the order of the seed. Blocks of a cluster follow each other.
u32 Running::block_at(u64 n) const {
  const u64 together = cluster_blocks();
  if (together == 1) return static_cast<u32>(block_in_order(n, blocks, options.seed));
  const trace::Dim3 &k = program->cluster, &g = program->launch.grid;
  const u64 cluster = block_in_order(n / together, blocks / together, options.seed), rank = n % together;
  const u64 across = g.x / k.x, down = g.y / k.y;
  const u64 x = cluster % across * k.x + rank % k.x, y = cluster / across % down * k.y + rank / k.x % k.y,
            z = cluster / across / down * k.z + rank / k.x / k.y;
  return static_cast<u32>(x + y * g.x + z * g.x * g.y);
}

/// A block, with those of its cluster.
void Running::start_blocks() {
  const u64 together = cluster_blocks();
  u64 n = 0;
  if (is_cut()) {
    n = samples.back() / together * together;
    std::erase_if(samples, [&](u64 s) { return s / together == n / together; });
  } else {
    n = next_block;
    next_block += together;
    result.coverage.in_order += together;
  }
  current = resident.size();
  for (u64 rank = 0; rank < together; ++rank) {
    if (tags()) ++result.identified_blocks;
    std::unique_ptr<Block> b;
    if (spare.empty()) {
      b = std::make_unique<Block>();
    } else {
      b = std::move(spare.back());
      spare.pop_back();
    }
    b->index = block_at(n + rank);
    b->cluster = static_cast<u32>(n / together);
    b->rank = static_cast<u32>(rank);
    if (is_cut()) result.coverage.others.push_back(b->index);
    reset(*b);
    resident.push_back(std::move(b));
  }
}

}  // namespace lanescope::emulator
