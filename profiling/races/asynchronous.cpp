// Copies that happen later than the instruction that issues them, and the barrier objects that wait for them.

#include <algorithm>
#include <bit>

#include "kernels/base/set_bits.h"
#include "kernels/trace/reserved_shared.h"
#include "profiling/races/races.h"

namespace lanescope::races {

void RaceObserver::meet_copies(const Now& now) {
  const std::vector<Copy>* const under_way = copies_.at(key_of(now));
  if (under_way == nullptr) return;
  for (const Copy& c : *under_way) {
    if ((c.bytes & now.record.bytes) == 0 || (!writes(c.touch) && !writes(now.record.touch))) continue;
    Race race{
        .first = {c.block, c.warp, c.lane, c.pc, c.step, c.touch, 0},
        .second = {now.record.block, now.record.warp, static_cast<std::uint32_t>(first_bit(now.record.lanes)),
                   static_cast<std::uint32_t>(now.record.pc), now.record.step, now.record.touch, now.record.value},
        .missing = Missing::completion,
        .shared = now.shared,
        .buffer = now.shared ? -1 : now.buffer,
        .byte = (now.byte & ~std::uint64_t{3}) +
                static_cast<std::uint64_t>(std::countr_zero(static_cast<unsigned>(c.bytes & now.record.bytes))),
        .bytes = static_cast<std::uint8_t>(c.bytes & now.record.bytes)};
    met(race);
    const auto [low, high] = std::minmax({c.pc, static_cast<std::uint32_t>(now.record.pc)});
    const auto [at, fresh] = race_of_.try_emplace({low, high, race.missing, false, now.shared ? 1 : 0}, races_.size());
    if (fresh) {
      race.first_epoch = epoch_of(c.block, c.step);
      race.second_epoch = epoch_of(now.record.block, now.record.step);
      races_.push_back(race);
    }
    ++races_[at->second].times;
  }
}

void RaceObserver::settle(const Copy& c, std::uint32_t warp, std::uint32_t lane, std::uint64_t step) {
  Now now{.record = {.step = step,
                     .pc = c.pc,
                     .block = c.block,
                     .lanes = 1u << lane,
                     .value = order_.is_agent(warp) ? c.warp * 32 + c.lane : c.value,
                     .warp = static_cast<std::uint8_t>(warp),
                     .bytes = c.bytes,
                     .touch = c.touch},
          .block = &order_.block(c.block),
          .shared = (c.word >> 63) != 0};
  constexpr std::uint64_t word_mask = (std::uint64_t{1} << 30) - 1, global_mask = (std::uint64_t{1} << 44) - 1;
  now.byte = (c.word & (now.shared ? word_mask : global_mask)) * 4;
  if (!now.shared) now.buffer = static_cast<int>(c.word >> 44);
  std::uint32_t* const head = cell(now);
  if (head == nullptr) return;
  // The record that was made when it was issued goes: the copy may have happened at any time since. Whoever met it is told.
  std::size_t records = 0;
  bool merged = false;
  for (std::uint32_t* link = head; *link != 0;) {
    Record& kept = records_[*link];
    ++records;
    const bool same = kept.pc == c.pc && kept.block == c.block && kept.touch == c.touch && kept.bytes == c.bytes;
    if (same && kept.step == c.step && kept.warp == c.warp) kept.lanes &= ~(1u << c.lane);
    if (same && kept.step == step && kept.warp == now.record.warp &&
        (kept.value == now.record.value || !order_.is_agent(warp)))
      kept.lanes |= now.record.lanes, merged = true;
    if (kept.lanes == 0) {
      const std::uint32_t gone = *link;
      *link = kept.next;
      kept.next = spare_;
      spare_ = gone;
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
      settle(c, where.warp, 0, where.step);
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
        settle(c, where.warp, static_cast<std::uint32_t>(lane), where.step);
        continue;
      }
      // Others will see it complete by the object.
      Order::Block& block = order_.block(where.block);
      const std::size_t agent_lane = order_.agent_lane(block, c.object & 0xffffffffu);
      settle(c, order_.agent(), static_cast<std::uint32_t>(agent_lane), where.step);
      order_.know_agent(block, where, lane, agent_lane);
      if (with_) {
        Order::Block& other = with_->block(where.block);
        with_->know_agent(other, where, lane, with_->agent_lane(other, c.object & 0xffffffffu));
      }
    }
  }
}

void RaceObserver::on_barrier_object(const trace::BarrierObjectEvent& event) {
  using Kind = trace::BarrierObjectEvent::Kind;
  if (!judged_ || event.where.active == 0 || trace::is_reserved_shared(event.address)) return;
  Order::Block& block = order_.block(event.where.block);
  const std::size_t lane = first_bit(event.where.active);
  const std::uint64_t object = std::uint64_t{event.where.block} << 32 | event.address;
  const bool plain = event.kind == Kind::init || event.kind == Kind::inval;
  Order::Block* const other = with_ ? &with_->block(event.where.block) : nullptr;
  if (event.passes) order_.see_phase(block, event.where, lane, event.address);
  if (event.passes && other != nullptr) with_->see_phase(*other, event.where, lane, event.address);
  for (std::uint64_t offset = 0; offset < 8; offset += 4) {
    Now now{.record = {.step = event.where.step,
                       .pc = event.where.pc,
                       .block = event.where.block,
                       .lanes = event.where.active,
                       .warp = static_cast<std::uint8_t>(event.where.warp),
                       .bytes = 15,
                       .touch = plain                      ? Touch::write
                                : event.kind == Kind::test ? Touch::strong_read
                                                           : Touch::strong_write},
            .block = &block,
            .shared = true,
            .byte = event.address + offset};
    word(now);
  }
  if (event.copies)
    for (const Copies::Done& d : copies_.attach(order_.thread(event.where.block, event.where.warp, lane), object)) {
      order_.arrive_knowing(block, event.address, {d.agent, d.agent + 1, d.before});
      if (other != nullptr) with_->arrive_knowing(*other, event.address, {d.agent, d.agent + 1, d.before});
    }
  if (event.kind == Kind::arrive || event.copies) {
    order_.arrive(block, event.where, lane, event.address);
    if (other != nullptr) with_->arrive(*other, event.where, lane, event.address);
  }
  if (!event.completes) return;
  const auto agent_lane = static_cast<std::uint32_t>(order_.phase_over(block, event.address, event.where.step));
  if (other != nullptr) with_->phase_over(*other, event.address, event.where.step);
  const Copies::Done done{order_.thread(event.where.block, order_.agent(), agent_lane), event.where.step + 1};
  for (const Copy& c : copies_.phase_over(object, done)) settle(c, order_.agent(), agent_lane, event.where.step);
}

void RaceObserver::bulk_range(const trace::BulkCopyEvent& event, const trace::BulkCopyEvent::Range& range,
                              Touch touch) {
  const bool shared = range.space == trace::MemorySpace::shared;
  const std::size_t lane = first_bit(event.where.active);
  Now now{.record = {.step = event.where.step,
                     .pc = event.where.pc,
                     .block = event.where.block,
                     .lanes = event.where.active,
                     .warp = static_cast<std::uint8_t>(event.where.warp),
                     .bytes = 15,
                     .touch = touch},
          .block = &order_.block(event.where.block),
          .shared = shared};
  for (std::uint64_t offset = 0; offset < event.bytes; offset += 4) {
    if (!locate(range.address + offset, shared, now)) continue;
    meet_copies(now);
    word(now);
    const Copy copy{.word = key_of(now),
                    .step = event.where.step,
                    .thread = order_.thread(event.where.block, event.where.warp, lane),
                    .block = event.where.block,
                    .warp = event.where.warp,
                    .lane = static_cast<std::uint32_t>(lane),
                    .pc = event.where.pc,
                    .touch = touch,
                    .bytes = 15};
    if (event.has_object)
      copies_.add_to_object(copy, std::uint64_t{event.where.block} << 32 | event.object);
    else
      copies_.add(copy, Copies::By::bulk_group);
  }
}

void RaceObserver::on_matrix_read(const trace::MatrixReadEvent& event) {
  if (!judged_ || event.where.pc >= instructions_.size()) return;
  Now now{.record = {.step = event.where.step,
                     .pc = event.where.pc,
                     .block = event.where.block,
                     .lanes = 1,
                     .warp = static_cast<std::uint8_t>(event.where.warp),
                     .bytes = 15,
                     .touch = Touch::read},
          .block = &order_.block(event.where.block),
          .shared = true};
  for (const std::uint64_t address : event.words) {
    if (!locate(address, true, now)) continue;
    if (!copies_.none()) meet_copies(now);
    word(now);
    copies_.add({.word = key_of(now),
                 .step = event.where.step,
                 .thread = order_.thread(event.where.block, event.where.warp, 0),
                 .block = event.where.block,
                 .warp = event.where.warp,
                 .pc = event.where.pc,
                 .touch = Touch::read,
                 .bytes = 15},
                Copies::By::matrix_group);
  }
}

void RaceObserver::on_bulk_copy(const trace::BulkCopyEvent& event) {
  if (!judged_ || event.where.pc >= instructions_.size()) return;
  if (event.reads) bulk_range(event, event.from, Touch::read);
  bulk_range(event, event.to, event.reduces ? Touch::strong_write : Touch::write);
  // What came before the instruction came before the copy, and so before whoever sees it complete.
  if (event.has_object)
    for (Order* o : {&order_, with_ ? &*with_ : nullptr})
      if (o != nullptr)
        o->arrive(o->block(event.where.block), event.where, first_bit(event.where.active), event.object);
}

}  // namespace lanescope::races
