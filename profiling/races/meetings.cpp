// Two accesses to one word: whether anything orders them, and the report.

#include <algorithm>
#include <bit>

#include "kernels/base/set_bits.h"
#include "profiling/races/conflict.h"
#include "profiling/races/races.h"

namespace lanescope::races {

Near RaceObserver::near(std::uint32_t block, std::uint32_t warp, std::uint32_t other_block,
                        std::uint32_t other_warp) const {
  const bool same_block = block == other_block;
  return {.same_cluster = same_block || (clusters_ && order_.cluster_of(block) == order_.cluster_of(other_block)),
          .same_block = same_block,
          .same_warp = same_block && warp == other_warp};
}

bool RaceObserver::follows(const Record& kept, std::size_t kept_lane, const Now& now, std::size_t now_lane) const {
  if (kept.released == Scope::none) return false;
  if (with_ && is_strong(now.record.touch)) return false;  // the order of atomics by a barrier is judged separately
  std::uint64_t first = now.byte & ~std::uint64_t{3};
  if (!now.shared) first += areas_[static_cast<std::size_t>(now.buffer)].address;
  first += static_cast<std::uint64_t>(std::int64_t{kept.from});
  const std::uint64_t place = place_of(now.shared, now.owner, first);
  return order_.read_before(
      place, {.block = kept.block, .warp = kept.warp, .lane = kept_lane, .step = kept.step, .scope = kept.released},
      *now.block, now.record.warp, now_lane);
}

bool RaceObserver::unordered(const Record& kept, const Now& now, std::size_t& kept_lane, std::size_t& now_lane) const {
  const Record& r = now.record;
  const Order::Block& b = *now.block;
  if (kept.block == r.block && !order_.is_agent(kept.warp)) {
    if (kept.step < b.floor) return false;
    if (kept.warp == r.warp && kept.step < b.warps[r.warp].floor) return false;
    if (kept.warp == r.warp && kept.lanes == r.lanes && (r.lanes & (r.lanes - 1)) == 0) return false;
  }
  for (const std::size_t l : set_bits(kept.lanes))
    for (const std::size_t m : set_bits(r.lanes))
      if (!order_.before(kept.block, kept.warp, l, kept.step, b, r.warp, m) &&
          !(instructions_[kept.pc].initialises &&
            order_.made_before(kept.block, kept.warp, l, kept.step, b, r.warp, m)) &&
          !follows(kept, l, now, m)) {
        kept_lane = l, now_lane = m;
        return true;
      }
  return false;
}

std::uint64_t RaceObserver::unordered_pairs(const Record& kept, const Now& now) const {
  const Record& r = now.record;
  const bool same_warp = kept.block == r.block && kept.warp == r.warp;
  const Order::Warp& mine = now.block->warps[r.warp];
  const bool partly_known = mine.knows || (same_warp && mine.lanes != nullptr) || kept.released != Scope::none ||
                            instructions_[kept.pc].initialises;
  if (partly_known || order_.is_agent(kept.warp)) return 1;
  const auto count = [](std::uint32_t lanes) { return static_cast<std::uint64_t>(std::popcount(lanes)); };
  return count(kept.lanes) * count(r.lanes) - (same_warp ? count(kept.lanes & r.lanes) : 0);
}

/// Some pair of their lanes is in order only with the barriers that are left out.
bool RaceObserver::loses_order(const Record& kept, const Now& now) {
  if (now.block == nullptr) return false;  // lanes of one instruction
  const Record& r = now.record;
  const Order::Block& other = with_->block(r.block);
  for (const std::size_t l : set_bits(kept.lanes))
    for (const std::size_t m : set_bits(r.lanes)) {
      if (kept.block == r.block && kept.warp == r.warp && l == m) continue;
      if (!order_.before(kept.block, kept.warp, l, kept.step, *now.block, r.warp, m) &&
          with_->before(kept.block, kept.warp, l, kept.step, other, r.warp, m))
        return true;
    }
  return false;
}

std::uint32_t RaceObserver::known_lanes(const Record& kept, const Now& now) const {
  const Record& r = now.record;
  const bool same_block = kept.block == r.block, same_warp = same_block && kept.warp == r.warp;
  std::uint32_t known = same_warp ? kept.lanes & r.lanes : 0;
  if (same_block && !order_.is_agent(kept.warp) &&
      (kept.step < now.block->floor || (same_warp && kept.step < now.block->warps[r.warp].floor)))
    return kept.lanes;
  const Order::Warp& mine = now.block->warps[r.warp];
  if (!mine.knows && (!same_warp || mine.lanes == nullptr)) return known;
  for (const std::size_t l : set_bits(kept.lanes & ~known))
    for (const std::size_t m : set_bits(now.record.lanes))
      if (order_.before(kept.block, kept.warp, l, kept.step, *now.block, now.record.warp, m) ||
          follows(kept, l, now, m)) {
        known |= 1u << l;
        break;
      }
  return known;
}

int RaceObserver::epoch_of(std::uint32_t block, std::uint64_t step) {
  const std::vector<std::uint64_t>& floors = order_.block(block).floors;
  return static_cast<int>(std::ranges::upper_bound(floors, step) - floors.begin());
}

/// Where the lanes of `writer` are known to have read the word, in records that begin with `first`.
void RaceObserver::reads_of(std::uint32_t first, const Record& writer, std::vector<Side>& reads) const {
  for (std::uint32_t i = first; i != 0; i = pool_->records[i].next) {
    const Record& k = pool_->records[i];
    if (races::writes(k.touch) || k.block != writer.block || k.warp != writer.warp || (k.bytes & writer.bytes) == 0)
      continue;
    for (const std::size_t lane : set_bits(k.lanes & writer.lanes))
      reads.push_back({k.block, k.warp, static_cast<std::uint32_t>(lane), static_cast<std::uint32_t>(k.pc), k.step,
                       k.touch, k.value});
  }
}

void RaceObserver::add_pair(const Record& kept, const Now& now, std::size_t kept_lane, std::size_t now_lane,
                            bool same_value, const std::vector<Side>& reads, std::uint64_t pairs) {
  const Record& r = now.record;
  const Near how_near = near(kept.block, kept.warp, r.block, r.warp);
  const bool same_block = how_near.same_block, same_warp = how_near.same_warp;
  const bool same_grid = same_block || launch_of(kept.block) == launch_of(r.block);
  const bool of_agent = order_.is_agent(kept.warp);  // its value is the lane that has issued it
  bool scope = false;
  const bool objects = instructions_[kept.pc].object && instructions_[r.pc].object;  // they order threads themselves
  const bool strong_pair = with_ && !objects && (writes(kept.touch) || writes(r.touch));
  if (strong_pair && loses_order(kept, now)) ++lost_;
  const bool conflicts = conflict(kept.touch, kept.scope, r.touch, r.scope, how_near, scope);
  if (!conflicts && !strong_by_volatile(kept.touch, r.touch)) return;
  const bool narrow = kept.scope == Scope::block || r.scope == Scope::block;
  // Of an agent, which is one of the block with the object: the block that issued the copy, and its lane.
  const std::uint32_t first_block = of_agent ? order_.block_of_rank(kept.block, kept.value >> 10) : kept.block;
  const bool relaxed =
      now.shared && !same_block && !of_agent &&
      order_.before_unrelaxed(kept.block, kept.warp, kept_lane, kept.step, *now.block, r.warp, now_lane);
  Race race{.first = {first_block, of_agent ? kept.value / 32 % 32 : kept.warp,
                      of_agent ? kept.value % 32 : static_cast<std::uint32_t>(kept_lane),
                      static_cast<std::uint32_t>(kept.pc), kept.step, kept.touch, of_agent ? 0 : kept.value},
            .second = {r.block, r.warp, static_cast<std::uint32_t>(now_lane), static_cast<std::uint32_t>(r.pc), r.step,
                       r.touch, r.value},
            .missing = of_agent                    ? Missing::completion
                       : scope                     ? (narrow ? Missing::scope : Missing::cluster_scope)
                       : !same_grid                ? Missing::grid
                       : relaxed                   ? Missing::unrelaxed
                       : !same_block && now.shared ? Missing::cluster_barrier
                       : !same_block               ? Missing::order
                       : !same_warp                ? Missing::barrier
                       : kept.step == r.step       ? Missing::one_writer
                                                   : Missing::warp_sync,
            .same_value = same_value && !of_agent,
            .updates = !reads.empty() && writes(kept.touch),
            .shared = now.shared,
            .owner = now.owner,
            .buffer = now.shared ? -1 : now.buffer,
            .byte = (now.byte & ~std::uint64_t{3}) +
                    static_cast<std::uint64_t>(std::countr_zero(static_cast<unsigned>(kept.bytes & r.bytes))),
            .bytes = static_cast<std::uint8_t>(kept.bytes & r.bytes)};
  if (!conflicts) return add_volatile_pair(std::move(race), pairs);
  occurred(race);
  const auto [low, high] = std::minmax({static_cast<std::uint32_t>(kept.pc), static_cast<std::uint32_t>(r.pc)});
  const auto [at, fresh] = race_of_.try_emplace(
      {low, high, race.missing, same_value, (now.shared ? 1 : 0) + (same_grid ? 0 : 2)}, races_.size());
  if (fresh) {
    race.second_epoch = epoch_of(r.block, r.step);
    if (same_block) race.first_epoch = epoch_of(kept.block, kept.step);
    races_.push_back(race);
    first_at_.push_back(race.second.step);
  }
  Race& known = races_[at->second];
  known.times += pairs;
  if (!race.updates || !known.own_reads.empty()) return;
  // Shown is a pair whose reads are known, too.
  race.times = known.times;
  if (!fresh) {
    race.second_epoch = epoch_of(r.block, r.step);
    if (same_block) race.first_epoch = epoch_of(kept.block, kept.step);
  }
  for (const Side& read : reads)
    for (const Side* side : {&race.first, &race.second})
      if (read.block == side->block && read.warp == side->warp && read.lane == side->lane)
        race.own_reads.push_back(read);
  if (!race.own_reads.empty()) known = std::move(race);
  known.updates = true;
}

void RaceObserver::add_volatile_pair(Race race, std::uint64_t pairs) {
  occurred_volatile(race);
  const auto [low, high] = std::minmax({race.first.pc, race.second.pc});
  const auto [at, fresh] =
      volatile_pair_of_.try_emplace({low, high, race.missing, race.same_value, race.shared}, volatile_pairs_.size());
  if (fresh) {
    race.second_epoch = epoch_of(race.second.block, race.second.step);
    if (race.first.block == race.second.block) race.first_epoch = epoch_of(race.first.block, race.first.step);
    volatile_pairs_.push_back(std::move(race));
  }
  volatile_pairs_[at->second].times += pairs;
}

/// Lanes of one store at one byte: memory holds the value of the last of them.
void RaceObserver::lanes_of_one_store(const trace::AccessEvent& event, const Instruction& how,
                                      std::span<const std::uint32_t> owners) {
  if (how.touch == Touch::strong_write) return;
  std::array<std::pair<std::uint64_t, std::uint32_t>, 32> lanes;
  std::size_t count = 0;
  for (const std::size_t l : set_bits(event.where.active))  // an offset in shared memory has 32 bits
    lanes[count++] = {event.addresses[l] | (owners.empty() ? 0 : std::uint64_t{owners[l]} << 32),
                      static_cast<std::uint32_t>(l)};
  std::sort(lanes.begin(), lanes.begin() + static_cast<std::ptrdiff_t>(count));
  for (std::size_t i = 0; i + 1 < count; ++i) {
    if (lanes[i].first != lanes[i + 1].first) continue;
    std::size_t end = i + 1;
    // Copies happen later, in any order: their values are not compared.
    std::uint32_t differing =
        event.kind == trace::AccessKind::async_copy ? 1 : event.overwritten >> lanes[i].second & 1;
    std::size_t other = i;
    while (end < count && lanes[end].first == lanes[i].first) {
      if (differing == 0 && (event.overwritten >> lanes[end].second & 1) != 0) differing = 1, other = end;
      ++end;
    }
    Now now{.record = record_of(event.where, how.touch, 0),
            .shared = event.space == trace::MemorySpace::shared,
            .owner = owners.empty() ? event.where.block : owners[lanes[i].second]};
    const std::uint32_t last = lanes[end - 1].second;
    now.record.value = last < event.values.size() ? event.values[last] : 0;
    if (locate(event.addresses[lanes[i].second], now.shared, now)) {
      const auto width = static_cast<unsigned>(std::min(event.width_bytes, 4));
      now.record.bytes = static_cast<std::uint8_t>(((1u << width) - 1) << now.byte % 4);
      Record kept = now.record;
      kept.touch = now.record.touch = Touch::write;
      std::uint32_t one = lanes[other].second, two = last;
      for (std::size_t k = i; k < end; ++k) now.record.lanes |= 1u << lanes[k].second;
      reads_.clear();
      if (const std::uint32_t* const head = cell(now)) reads_of(*head, now.record, reads_);
      std::uint32_t readers = 0;
      for (const Side& read : reads_) readers |= 1u << read.lane;
      if (std::popcount(readers) < 2) {
        reads_.clear();  // one of them changes what it has read, the others write: nothing is lost of equal values
      } else if (differing == 0) {
        one = static_cast<std::uint32_t>(std::countr_zero(readers));
        two = static_cast<std::uint32_t>(31 - std::countl_zero(readers));
      }
      now.record.lanes = 1u << one | 1u << two;
      const std::uint64_t lanes_here = end - i;
      add_pair(kept, now, one, two, differing == 0, reads_, lanes_here * (lanes_here - 1) / 2);
    }
    i = end - 1;
  }
}

}  // namespace lanescope::races
