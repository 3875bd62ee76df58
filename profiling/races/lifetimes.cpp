// Shared memory of another block of the cluster: whether the block has begun, and waits before it ends.

#include <algorithm>
#include <numeric>

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
          .bytes = r.bytes},
         now.counts);
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

// Shared memory of blocks that run beside each other.

bool RaceObserver::parts_are_possible() const {
  const auto only_exits = [](const Instruction& i) { return !i.acts || (i.exits && i.copies == CopyGroup::none); };
  return judged_ && !in_parts_ && !clusters_ && !with_ && without_.empty() && first_blocks_.empty() &&
         std::ranges::all_of(instructions_, [&](const Instruction& i) {
           return only_exits(i) && i.fence == Scope::none && !i.fences_inits && !i.of_warp && !i.object;
         });
}

RaceObserver::RaceObserver(const RaceObserver& whole, const trace::Launch& launch, OfSharedMemory)
    : instructions_(whole.instructions_),
      budget_(whole.budget_),
      order_(launch),
      narrow_(whole.narrow_),
      least_row_lanes_(whole.least_row_lanes_) {}

void RaceObserver::take_shared(const RaceObserver& part, std::uint64_t first_step) {
  unwatched_ += part.unwatched_;
  dropped_ += part.dropped_;
  if (part.races_.empty()) return;
  const auto later = [&](Side& side) { side.step += first_step; };
  for (const auto& [key, number] : part.race_of_) {
    Race theirs = part.races_[number];
    later(theirs.first), later(theirs.second);
    std::ranges::for_each(theirs.own_reads, later);
    const auto [at, fresh] = race_of_.try_emplace(key, races_.size());
    if (fresh) {
      races_.push_back(std::move(theirs));
      first_at_.push_back(part.first_at_[number] + first_step);
      continue;
    }
    Race& known = races_[at->second];
    const std::uint64_t times = known.times + theirs.times;
    // As in add_pair(): shown is the first pair, or the first whose reads are known.
    if (known.own_reads.empty() && !theirs.own_reads.empty())
      known = std::move(theirs);
    else if (known.own_reads.empty())
      known.updates = known.updates || theirs.updates;
    known.times = times;
  }
  // In the order of their first occurrence, those in global memory among them.
  std::vector<std::size_t> order(races_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  // Of one step, in the order of the part.
  std::vector<std::size_t> place(races_.size());
  for (const auto& [key, number] : race_of_) {
    const auto theirs = part.race_of_.find(key);
    place[number] = theirs != part.race_of_.end() ? theirs->second : 0;
  }
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
    if (first_at_[a] != first_at_[b]) return first_at_[a] < first_at_[b];
    return first_at_[a] >= first_step && place[a] != place[b] ? place[a] < place[b] : a < b;
  });
  std::vector<Race> races;
  std::vector<std::uint64_t> first_at;
  std::vector<std::size_t> now(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    races.push_back(std::move(races_[order[i]]));
    first_at.push_back(first_at_[order[i]]);
    now[order[i]] = i;
  }
  races_ = std::move(races);
  first_at_ = std::move(first_at);
  for (auto& [key, number] : race_of_) number = now[number];
}

}  // namespace lanescope::races
