#include "profiling/review/observe/shared_order.h"

#include <algorithm>

#include "kernels/base/set_bits.h"
#include "kernels/ptx/value_numbers.h"
#include "profiling/races/instruction.h"

namespace lanescope::review {

Lockstep::Lockstep(const LaunchReview& launch) {
  for (std::size_t pc = 0; pc < launch.entry->code.size(); ++pc)
    for (const ptx::Operand& o : launch.entry->code[pc].operands)
      if (o.kind == ptx::Operand::Kind::label && o.target >= 0 && static_cast<std::size_t>(o.target) <= pc)
        loops_.emplace_back(static_cast<std::uint32_t>(o.target), static_cast<std::uint32_t>(pc));
  // An atomic with an unused result does not wait.
  const std::vector<bool> unread = ptx::unread_results(*launch.entry);
  for (std::size_t pc = 0; pc < launch.code.size(); ++pc) {
    const trace::CodeSite& site = launch.code[pc];
    const races::Touch touch = races::read_instruction(site).touch;
    const bool strong_load = site.kind == trace::StepKind::load && !races::is_plain(touch);
    const bool in_loop =
        std::ranges::any_of(loops_, [&](const auto& loop) { return loop.first <= pc && pc <= loop.second; });
    polls_.push_back(in_loop &&
                     (strong_load || (site.kind == trace::StepKind::atomic && !(pc < unread.size() && unread[pc]))));
    some_ = some_ || polls_.back();
  }
}

bool Lockstep::outside_of_its_loops(std::uint32_t pc, std::uint32_t poll_pc) const {
  return std::ranges::none_of(loops_, [&](const auto& loop) {
    return loop.first <= poll_pc && poll_pc <= loop.second && loop.first <= pc && pc <= loop.second;
  });
}

void Lockstep::access(const trace::AccessEvent& event) {
  if (!some_ || event.where.active == 0 || event.where.pc >= polls_.size()) return;
  if (event.space != trace::MemorySpace::global && event.space != trace::MemorySpace::shared) return;
  if (event.kind == trace::AccessKind::async_copy) return;
  if (event.kind != trace::AccessKind::load) write(event);
  if (polls_[event.where.pc]) poll(event);
}

Lockstep Lockstep::part() const {
  Lockstep out = *this;
  out.open_.clear();
  out.waits_.clear();
  return out;
}

void Lockstep::take(const Lockstep& part, std::uint64_t first_step) {
  for (Wait theirs : part.waits_) {
    const auto same = [&](const Wait& w) { return w.polls.pc == theirs.polls.pc && w.writes.pc == theirs.writes.pc; };
    if (std::ranges::any_of(waits_, same)) continue;
    theirs.polls.step += first_step, theirs.writes.step += first_step;
    waits_.push_back(theirs);
  }
}

void Lockstep::poll(const trace::AccessEvent& event) {
  const std::size_t lane = first_bit(event.where.active);
  const std::uint32_t value = lane < event.values.size() ? event.values[lane] : 0;
  std::vector<Poll>& polls = open_[event.where.block][event.where.warp];
  const auto at = std::ranges::find_if(polls, [&](const Poll& p) { return p.where.pc == event.where.pc; });
  Poll now{event.where, event.space, event.addresses[lane], value, 0};
  if (at == polls.end()) {
    polls.push_back(now);
    return;
  }
  if (at->address == now.address && at->value == value && (event.where.active & ~at->where.active) == 0)
    now.times = at->times + 1;
  *at = now;
}

void Lockstep::write(const trace::AccessEvent& event) {
  const auto block = open_.find(event.where.block);
  if (block == open_.end()) return;
  const auto warp = block->second.find(event.where.warp);
  if (warp == block->second.end()) return;
  for (const Poll& p : warp->second) {
    if (p.times == 0 || p.space != event.space || p.where.pc == event.where.pc) continue;
    for (const std::size_t lane : set_bits(event.where.active & ~p.where.active)) {
      if (event.addresses[lane] != p.address || !outside_of_its_loops(event.where.pc, p.where.pc)) continue;
      const auto same = [&](const Wait& w) { return w.polls.pc == p.where.pc && w.writes.pc == event.where.pc; };
      if (std::ranges::none_of(waits_, same))
        waits_.push_back({p.where, event.where, static_cast<int>(lane), p.space, p.address});
    }
  }
}

void Lockstep::block_ended(std::uint32_t block) { open_.erase(block); }

}  // namespace lanescope::review
