// Shared memory of another block of the cluster: whether the block has begun, and waits before it ends.

#include "kernels/base/set_bits.h"
#include "profiling/races/races.h"

namespace lanescope::races {

void RaceObserver::begins(const Now& now, std::size_t lane) {
  const Record& r = now.record;
  if (order_.begun(now.owner, *now.block, r.warp, lane)) return;
  const Side side{r.block, r.warp, static_cast<std::uint32_t>(lane), static_cast<std::uint32_t>(r.pc), r.step,
                  r.touch, r.value};
  report({.first = side,
          .second = side,
          .missing = Missing::begin,
          .shared = true,
          .owner = now.owner,
          .byte = now.byte,
          .bytes = r.bytes});
}

void RaceObserver::reaches(const Now& now, std::size_t lane) {
  const Record& r = now.record;
  if (!order_.is_agent(r.warp)) begins(now, lane);
  Reach& reach = reaches_[now.owner][order_.thread(r.block, r.warp, lane)];
  reach.record = r;
  reach.record.lanes = 1u << lane;
  reach.byte = now.byte;
}

void RaceObserver::exits(const trace::Where& where) {
  const auto at = reaches_.find(where.block);
  if (at == reaches_.end()) return;
  const Order::Block& block = order_.block(where.block);
  const Order::Warp& warp = block.warps[where.warp];
  Known last, last_unrelaxed;
  bool first = true;
  for (const std::size_t lane : set_bits(where.active)) {
    const Known known = warp.kept == nullptr ? nullptr : warp.kept->known[lane];
    const Known unrelaxed = warp.kept == nullptr ? nullptr : warp.kept->unrelaxed[lane];
    if (!first && known == last && unrelaxed == last_unrelaxed) continue;
    first = false, last = known, last_unrelaxed = unrelaxed;
    std::erase_if(at->second, [&](const auto& entry) {
      const Record& r = entry.second.record;
      const std::size_t from = first_bit(r.lanes);
      // A load has happened where its thread waits, relaxed or not.
      return order_.before(r.block, r.warp, from, r.step, block, where.warp, lane) ||
             (!writes(r.touch) && order_.before_unrelaxed(r.block, r.warp, from, r.step, block, where.warp, lane));
    });
    if (at->second.empty()) break;
  }
}

void RaceObserver::ended(const trace::Where& where) {
  const Side exit{.block = where.block,
                  .warp = where.warp,
                  .lane = static_cast<std::uint32_t>(first_bit(where.active)),
                  .pc = where.pc,
                  .step = where.step};
  const auto late = [&](const Side& side, std::uint64_t byte, std::uint8_t bytes) {
    report({.first = side,
            .second = exit,
            .missing = Missing::end,
            .shared = true,
            .owner = where.block,
            .byte = byte,
            .bytes = bytes});
  };
  for (const Copy& c : copies_.into_block(where.block))
    late({c.block, c.warp, c.lane, c.pc, c.step, c.touch, 0}, c.word % (std::uint64_t{1} << 30) * 4, c.bytes);
  const auto at = reaches_.find(where.block);
  if (at == reaches_.end()) return;
  for (const auto& [thread, reach] : at->second) {
    const Record& r = reach.record;
    Side side{r.block, r.warp, static_cast<std::uint32_t>(first_bit(r.lanes)), static_cast<std::uint32_t>(r.pc), r.step,
              r.touch, r.value};
    if (order_.is_agent(r.warp)) {
      side.block = order_.block_of_rank(r.block, r.value >> 10);
      side.warp = r.value / 32 % 32, side.lane = r.value % 32, side.value = 0;
    }
    late(side, reach.byte, r.bytes);
  }
  reaches_.erase(at);
}

}  // namespace lanescope::races
