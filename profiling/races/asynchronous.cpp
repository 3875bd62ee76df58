// Copies that happen later than the instruction that issues them, and the barrier objects that wait for them.

#include <algorithm>
#include <bit>

#include "kernels/base/set_bits.h"
#include "kernels/trace/reserved_shared.h"
#include "profiling/races/conflict.h"
#include "profiling/races/races.h"

namespace lanescope::races {

void RaceObserver::compare_with_copies(const Now& now) {
  const std::vector<Copy>* const under_way = copies_.at(key_of(now));
  if (under_way == nullptr) return;
  for (const Copy& c : *under_way) {
    if ((c.bytes & now.record.bytes) == 0) continue;
    // A bulk reduction is made of atomics.
    bool scope = false;
    const bool conflicts = conflict(c.touch, instructions_[c.pc].scope, now.record.touch, now.record.scope,
                                    near(c.block, c.warp, now.record.block, now.record.warp), scope);
    if (!conflicts && !strong_by_volatile(c.touch, now.record.touch)) continue;
    Race race{
        .first = {c.block, c.warp, c.lane, c.pc, c.step, c.touch, 0},
        .second = {now.record.block, now.record.warp, static_cast<std::uint32_t>(first_bit(now.record.lanes)),
                   static_cast<std::uint32_t>(now.record.pc), now.record.step, now.record.touch, now.record.value},
        .missing = Missing::completion,
        .shared = now.shared,
        .owner = now.owner,
        .buffer = now.shared ? -1 : now.buffer,
        .byte = (now.byte & ~std::uint64_t{3}) +
                static_cast<std::uint64_t>(std::countr_zero(static_cast<unsigned>(c.bytes & now.record.bytes))),
        .bytes = static_cast<std::uint8_t>(c.bytes & now.record.bytes)};
    if (conflicts)
      report(race, now.counts);
    else
      add_volatile_pair(std::move(race), now.counts ? 1 : 0);
  }
}

void RaceObserver::report(Race race, bool counts) {
  occurred(race);
  const auto [low, high] = std::minmax({race.first.pc, race.second.pc});
  const auto [at, fresh] = race_of_.try_emplace({low, high, race.missing, false, race.shared ? 1 : 0}, races_.size());
  if (fresh) {
    // Nothing is known of another block, which may have ended.
    const bool known = race.missing == Missing::completion;
    if (known && race.first.block == race.second.block) race.first_epoch = epoch_of(race.first.block, race.first.step);
    if (known) race.second_epoch = epoch_of(race.second.block, race.second.step);
    races_.push_back(race);
    first_at_.push_back(race.second.step);
  }
  races_[at->second].times += counts ? 1 : 0;
}

Copy RaceObserver::copy_of(const Now& now, const trace::Where& where, std::size_t lane) const {
  return {.word = key_of(now),
          .step = where.step,
          .thread = order_.thread(where.block, where.warp, lane),
          .block = where.block,
          .warp = where.warp,
          .lane = static_cast<std::uint32_t>(lane),
          .pc = where.pc,
          .value = now.record.value,
          .touch = now.record.touch,
          .bytes = now.record.bytes};
}

void RaceObserver::settle(const Copy& c, std::uint32_t block, std::uint32_t warp, std::uint32_t lane,
                          std::uint64_t step) {
  const bool of_agent = order_.is_agent(warp);
  Now now{.record = {.step = step,
                     .pc = c.pc,
                     .block = block,
                     .lanes = 1u << lane,
                     .value = of_agent ? order_.rank_of(c.block) << 10 | c.warp * 32 | c.lane : c.value,
                     .warp = static_cast<std::uint8_t>(warp),
                     .bytes = c.bytes,
                     .touch = c.touch,
                     .scope = instructions_[c.pc].scope},
          .shared = (c.word >> 63) != 0};
  if (now.shared) now.owner = static_cast<std::uint32_t>(c.word >> 30);
  constexpr std::uint64_t word_mask = (std::uint64_t{1} << 30) - 1, global_mask = (std::uint64_t{1} << 44) - 1;
  now.byte = (c.word & (now.shared ? word_mask : global_mask)) * 4;
  if (!now.shared) now.buffer = static_cast<int>(c.word >> 44);
  if (now.shared && now.owner != c.block) reaches(now, lane);
  std::uint32_t* const head = cell(now);
  if (head == nullptr) return;
  // The record that was made when it was issued is dropped: the copy may have happened at any time since. Its races are
  // reported.
  std::size_t records = 0;
  bool merged = false;
  for (std::uint32_t* link = head; *link != 0;) {
    Record& kept = pool_->records[*link];
    ++records;
    // Of its bytes others may have been accessed since.
    const bool same = kept.pc == c.pc && kept.block == c.block && kept.touch == c.touch && (kept.bytes & ~c.bytes) == 0;
    if (same && kept.step == c.step && kept.warp == c.warp) kept.lanes &= ~(1u << c.lane);
    const bool settled = kept.pc == c.pc && kept.block == block && kept.touch == c.touch && kept.bytes == c.bytes &&
                         kept.step == step && kept.warp == now.record.warp;
    if (settled && (kept.value == now.record.value || !of_agent)) kept.lanes |= now.record.lanes, merged = true;
    if (kept.lanes == 0) {
      const std::uint32_t dropped = *link;
      *link = kept.next;
      kept.next = pool_->spare;
      pool_->spare = dropped;
      continue;
    }
    link = &kept.next;
  }
  if (merged) return;
  if (records >= most_records)
    ++dropped_;
  else
    append(*head, now.record);
}

void RaceObserver::groups(const trace::Where& where, const Instruction& how) {
  if (how.copies == CopyGroup::matrix_commit || how.copies == CopyGroup::matrix_wait) {
    const std::uint64_t warp = order_.thread(where.block, where.warp, 0);
    if (how.copies == CopyGroup::matrix_commit) return copies_.commit(warp, Copies::By::matrix_group);
    for (const Copy& c : copies_.wait(warp, Copies::By::matrix_group, how.kept_groups, false, false))
      settle(c, where.block, where.warp, 0, where.step);
    return;
  }
  for (const std::size_t lane : set_bits(where.active)) {
    const std::uint64_t thread = order_.thread(where.block, where.warp, lane);
    if (how.copies == CopyGroup::commit || how.copies == CopyGroup::bulk_commit) {
      copies_.commit(thread, how.copies == CopyGroup::commit ? Copies::By::group : Copies::By::bulk_group);
      continue;
    }
    const bool all = how.copies == CopyGroup::wait_all;
    const Copies::By by = all || how.copies == CopyGroup::wait ? Copies::By::group : Copies::By::bulk_group;
    for (const Copy& c :
         copies_.wait(thread, by, all ? 0 : how.kept_groups, all, how.copies == CopyGroup::bulk_wait_read)) {
      if (c.object == Copy::none) {
        settle(c, where.block, where.warp, static_cast<std::uint32_t>(lane), where.step);
        continue;
      }
      // Others will see it complete by the object.
      const auto owner = static_cast<std::uint32_t>(c.object >> 32);
      Order::Block& block = order_.block(owner);
      const std::size_t agent_lane = order_.agent_lane(block, c.object & 0xffffffffu);
      settle(c, owner, order_.agent(), static_cast<std::uint32_t>(agent_lane), where.step);
      order_.know_agent(block, where, lane, agent_lane);
      if (with_) {
        Order::Block& other = with_->block(owner);
        with_->know_agent(other, where, lane, with_->agent_lane(other, c.object & 0xffffffffu));
      }
    }
  }
}

void RaceObserver::on_barrier_object(const trace::BarrierObjectEvent& event) {
  using Kind = trace::BarrierObjectEvent::Kind;
  if (!judged_ || event.where.active == 0 || trace::is_reserved_shared(event.address)) return;
  Order::Block& block = order_.block(event.block);  // the object's
  const std::size_t lane = first_bit(event.where.active);
  const std::uint64_t object = std::uint64_t{event.block} << 32 | event.address;
  const bool plain = event.kind == Kind::init || event.kind == Kind::inval;
  Order::Block* const other = with_ ? &with_->block(event.block) : nullptr;
  const Instruction& how = instructions_[event.where.pc];
  const bool elsewhere = event.block != event.where.block;
  const bool sees = event.passes && !how.relaxed;
  if (sees) order_.see_phase(block, event.where, lane, event.address, how);
  if (sees && other != nullptr) with_->see_phase(*other, event.where, lane, event.address, how);
  if (how.unscoped &&
      ((event.kind == Kind::arrive && elsewhere) || (event.passes && order_.phase_had_others(block, event.address))))
    unscoped_.try_emplace(event.where.pc, event.where);
  for (std::uint64_t offset = 0; offset < 8; offset += 4) {
    const Touch strong = event.kind == Kind::test ? Touch::strong_read : Touch::strong_write;
    Now now{.record = record_of(event.where, plain ? Touch::write : strong),
            .block = &order_.block(event.where.block),
            .shared = true,
            .owner = event.block,
            .byte = event.address + offset};
    now.record.lanes = event.where.active;
    if (elsewhere) how.relaxed || how.to_block ? begins(now, lane) : reaches(now, lane);
    word(now);
  }
  if (event.copies)
    for (const Copies::Done& d : copies_.attach(order_.thread(event.where.block, event.where.warp, lane), object)) {
      order_.arrive_knowing(block, event.address, {d.agent, d.agent + 1, d.before});
      if (other != nullptr) with_->arrive_knowing(*other, event.address, {d.agent, d.agent + 1, d.before});
    }
  if (event.kind == Kind::arrive || event.copies) {
    order_.arrive(block, event.where, lane, event.address, how);
    if (other != nullptr) with_->arrive(*other, event.where, lane, event.address, how);
  }
  if (!event.completes) return;
  const auto agent_lane = static_cast<std::uint32_t>(order_.phase_over(block, event.address, event.where.step));
  if (other != nullptr) with_->phase_over(*other, event.address, event.where.step);
  const Copies::Done done{order_.thread(event.block, order_.agent(), agent_lane), event.where.step + 1};
  for (const Copy& c : copies_.phase_over(object, done))
    settle(c, event.block, order_.agent(), agent_lane, event.where.step);
}

void RaceObserver::bulk_range(const trace::BulkCopyEvent& event, const trace::BulkCopyEvent::Range& range,
                              Touch touch) {
  const bool shared = range.space == trace::MemorySpace::shared;
  const std::size_t lane = first_bit(event.where.active);
  Now now{.record = record_of(event.where, touch),
          .block = &order_.block(event.where.block),
          .shared = shared,
          .owner = range.block};
  now.record.lanes = event.where.active, now.record.scope = instructions_[event.where.pc].scope;
  for (std::uint64_t offset = 0; offset < event.bytes; offset += 4) {
    if (!locate(range.address + offset, shared, now)) continue;
    compare_with_copies(now);
    if (shared && range.block != event.where.block) begins(now, lane);
    word(now);
    now.counts = false;
    const Copy copy = copy_of(now, event.where, lane);
    if (event.has_object)
      copies_.add_to_object(copy, std::uint64_t{event.object_block} << 32 | event.object);
    else
      copies_.add(copy, Copies::By::bulk_group);
  }
}

void RaceObserver::on_matrix_read(const trace::MatrixReadEvent& event) {
  if (!judged_ || event.where.pc >= instructions_.size()) return;
  Now now{.record = record_of(event.where, Touch::read),
          .block = &order_.block(event.where.block),
          .shared = true,
          .owner = event.where.block};
  now.record.lanes = 1;
  for (const std::uint64_t address : event.words) {
    if (!locate(address, true, now)) continue;
    if (!copies_.none()) compare_with_copies(now);
    word(now);
    now.counts = false;
    copies_.add(copy_of(now, event.where, 0), Copies::By::matrix_group);
  }
}

void RaceObserver::on_bulk_copy(const trace::BulkCopyEvent& event) {
  if (!judged_ || event.where.pc >= instructions_.size()) return;
  if (event.reads) bulk_range(event, event.from, Touch::read);
  bulk_range(event, event.to, event.reduces ? Touch::strong_write : Touch::write);
  // Accesses before the instruction come before the copy, and so before any thread that sees it complete, in the whole
  // cluster (PTX ISA, st.async, cp.async.bulk: complete-tx has .release semantics at .cluster scope).
  if (event.has_object)
    for (Order* o : {&order_, with_ ? &*with_ : nullptr})
      if (o != nullptr)
        o->arrive(o->block(event.object_block), event.where, first_bit(event.where.active), event.object, {});
}

}  // namespace lanescope::races
