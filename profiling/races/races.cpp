#include "profiling/races/races.h"

#include <algorithm>

#include "kernels/base/set_bits.h"

namespace lanescope::races {
RaceObserver::RaceObserver(const trace::Launch& launch, const std::vector<trace::CodeSite>& code,
                           std::vector<Area> areas, std::size_t budget_bytes)
    : instructions_(read_instructions(code)),
      areas_(std::move(areas)),
      budget_(budget_bytes),
      order_(launch, uses_clusters(code)),
      in_parts_(orders_in_parts(code)),
      clusters_(uses_clusters(code)),
      narrow_(has_narrow_scopes(instructions_)),
      pages_(areas_.size()) {}

RaceObserver::RaceObserver(const trace::Launch& launch, const std::vector<trace::CodeSite>& code,
                           std::vector<Area> areas, std::size_t budget_bytes, std::vector<std::uint32_t> without)
    : RaceObserver(launch, code, std::move(areas), budget_bytes) {
  without_ = std::move(without);
  with_.emplace(launch, clusters_);
}

RaceObserver::RaceObserver(const trace::Launch& any, std::vector<Area> areas, std::size_t budget_bytes)
    : RaceObserver(any, {}, std::move(areas), budget_bytes) {
  in_parts_ = true;  // a grid may be ordered after any of the threads of another
}

std::uint32_t RaceObserver::append_code(const std::vector<trace::CodeSite>& code) {
  const auto first = static_cast<std::uint32_t>(instructions_.size());
  const std::vector<Instruction> more = read_instructions(code);
  instructions_.insert(instructions_.end(), more.begin(), more.end());
  judged_ = judged_ && !uses_clusters(code);
  narrow_ = narrow_ || has_narrow_scopes(more);
  return first;
}

std::size_t RaceObserver::launch_of(std::uint32_t block) const {
  return static_cast<std::size_t>(std::ranges::upper_bound(first_blocks_, block) - first_blocks_.begin());
}

std::size_t RaceObserver::bytes() const { return pools_[0].bytes() + pools_[1].bytes() + page_bytes_; }

bool RaceObserver::is_full() const { return pool_->bytes() + (pool_ == pools_.data() ? page_bytes_ : 0) >= budget_; }

void RaceObserver::on_step(const trace::Where& where) {
  if (!judged_ || where.pc >= instructions_.size()) return;
  const Instruction& i = instructions_[where.pc];
  if (!i.acts) return;
  if (i.fence != Scope::none) {
    order_.fence(where, i.fence);
    if (with_) with_->fence(where, i.fence);
  }
  if (i.fences_inits) {
    order_.fence_inits(where);
    if (with_) with_->fence_inits(where);
  }
  if (i.of_warp) {
    order_.together(where);
    if (with_) with_->together(where);
  }
  if (i.copies != CopyGroup::none) groups(where, i);
  if (!i.exits || where.active == 0) return;
  if (clusters_) exits(where);
  if (with_) with_->exited(where);
  if (!order_.exited(where)) return;
  if (clusters_) ended(where);
  if (const auto at = shared_.find(where.block); at != shared_.end()) {
    if (!copies_.none())
      for (const Copy& c : copies_.end_block(where.block)) settle(c, c.block, c.warp, c.lane, where.step);
    free_records(at->second);
    shared_.erase(at);
    last_shared_.second = nullptr;
    if (shared_.empty()) pools_[1].clear();  // how much fits does not depend on the blocks before
  }
}

void RaceObserver::on_barrier(const trace::BarrierEvent& event) {
  if (!judged_ || event.where.pc >= instructions_.size()) return;
  if (with_) with_->came(event, instructions_[event.where.pc].counts);
  if (!without_.empty()) {
    const bool leaves_out = std::ranges::find(without_, event.where.pc) != without_.end();
    std::uint8_t& came = came_[std::uint64_t{event.where.block} << 4 | static_cast<std::uint64_t>(event.barrier & 15)];
    came = static_cast<std::uint8_t>(came | (leaves_out ? 1 : 2));
    mixed_ = mixed_ || came == 3;
    if (leaves_out) return;
  }
  order_.came(event, instructions_[event.where.pc].counts);
}
void RaceObserver::on_release(const trace::ReleaseEvent& event) {
  if (!judged_) return;
  if (with_) with_->released(event);
  if (!without_.empty()) {
    const auto came = came_.find(std::uint64_t{event.block} << 4 | static_cast<std::uint64_t>(event.barrier & 15));
    const bool leaves_out = came != came_.end() && came->second == 1;
    if (came != came_.end()) came_.erase(came);
    if (leaves_out) {
      ++left_out_;
      return;
    }
  }
  order_.released(event);
}
void RaceObserver::on_warp_sync(const trace::WarpSyncEvent& event) {
  if (!judged_) return;
  if (with_) with_->warp_synced(event.where);
  if (!without_.empty() && std::ranges::find(without_, event.where.pc) != without_.end()) {
    ++left_out_;
    mixed_ = mixed_ || !event.one_place;
    return;
  }
  order_.warp_synced(event.where);
}

void RaceObserver::launch_ended() {
  pools_ = {};
  pool_ = pools_.data();
  pages_.clear();
  pages_.resize(areas_.size());
  page_bytes_ = 0;
  last_page_ = {~std::uint64_t{0}, nullptr};
  shared_.clear();
  last_shared_.second = nullptr;
  copies_ = Copies();
  reaches_.clear();
}

bool RaceObserver::loses_updates(int buffer) const {
  return std::ranges::any_of(races_, [&](const Race& r) { return r.updates && !r.shared && r.buffer == buffer; });
}

void RaceObserver::on_cluster_barrier(const trace::ClusterBarrierEvent& event) {
  if (!judged_ || event.where.pc >= instructions_.size()) return;
  const bool relaxed = instructions_[event.where.pc].relaxed;
  if (with_) with_->cluster(event, relaxed);
  if (!without_.empty() && leaves_out(event)) return;
  order_.cluster(event, relaxed);
}

bool RaceObserver::leaves_out(const trace::ClusterBarrierEvent& event) {
  using Kind = trace::ClusterBarrierEvent::Kind;
  ClusterPhase& phase = cluster_phases_[order_.cluster_of(event.where.block)];
  if (event.kind == Kind::arrive) {
    const bool left_out = std::ranges::find(without_, event.where.pc) != without_.end();
    phase.came = static_cast<std::uint8_t>(phase.came | (left_out ? 1 : 2));
    mixed_ = mixed_ || phase.came == 3;
    return left_out;
  }
  // Order of threads that have exited is kept until the next barrier that is there.
  if (event.kind == Kind::complete) {
    phase.left_out = phase.came == 1;
    phase.came = 0;
    left_out_ += phase.left_out ? 1 : 0;
  }
  return phase.left_out;
}

void RaceObserver::on_access(const trace::AccessEvent& event) {
  if (!judged_ || event.where.active == 0 || event.where.pc >= instructions_.size()) return;
  const bool shared = event.space == trace::MemorySpace::shared;
  if (!shared && event.space != trace::MemorySpace::global) return;
  Instruction how = instructions_[event.where.pc];
  if (event.kind == trace::AccessKind::async_copy) how.touch = shared ? Touch::write : Touch::read;
  Order::Block& block = order_.block(event.where.block);
  if (by_row(event, how, block)) return;
  by_word(event, how, block, {});
}

void RaceObserver::on_remote_access(const trace::RemoteAccessEvent& event) {
  const trace::AccessEvent& a = event.access;
  if (!judged_ || a.where.active == 0 || a.where.pc >= instructions_.size()) return;
  if (a.space != trace::MemorySpace::shared) return;
  by_word(a, instructions_[a.where.pc], order_.block(a.where.block), event.blocks);
}

void RaceObserver::by_word(const trace::AccessEvent& event, const Instruction& how, Order::Block& block,
                           std::span<const std::uint32_t> owners) {
  const bool shared = event.space == trace::MemorySpace::shared;
  if (event.kind == trace::AccessKind::store || (event.kind == trace::AccessKind::async_copy && shared))
    lanes_of_one_store(event, how, owners);
  const auto owner_of = [&](std::size_t lane) { return owners.empty() ? event.where.block : owners[lane]; };
  Now now{.record = record_of(event.where, how.touch, 0), .block = &block, .shared = shared};
  now.record.scope = how.scope;
  const auto width = static_cast<std::uint64_t>(event.width_bytes);
  for (std::uint64_t offset = 0; offset < width; offset += 4) {
    const std::size_t values = offset / 4 * 32;
    std::uint32_t left = event.where.active;
    while (left != 0) {
      const std::size_t lane = first_bit(left);
      now.counts = offset == 0;
      const std::uint64_t address = event.addresses[lane];
      now.owner = owner_of(lane);
      std::uint32_t lanes = 0;  // this one and those after it at the same place
      do {
        lanes |= left & (~left + 1);
        left &= left - 1;
      } while (left != 0 && event.addresses[first_bit(left)] == address &&
               (owners.empty() || owners[first_bit(left)] == now.owner));
      const bool watched = locate(address + offset, shared, now);
      // Atomics order threads wherever they are, in the workspace of grid.sync() as well.
      if (!watched && (shared || !is_strong(how.touch))) continue;
      const std::uint64_t key = place_of(shared, now.owner, shared ? now.byte : address + offset);
      // A write alone takes the place of a release, once it has been compared with its readers.
      const auto write_alone = [&] {
        if (how.touch == Touch::write && in_parts_) {
          order_.forget(key);
          if (with_) with_->forget(key);
        } else if (is_strong(how.touch) && writes(how.touch) && !how.updates && offset == 0) {
          for (const std::size_t l : set_bits(lanes)) {
            order_.release(block, event.where, l, key, how);
            if (with_) with_->release(with_->block(event.where.block), event.where, l, key, how);
          }
        }
      };
      if (is_strong(how.touch) && offset == 0) {
        for (const std::size_t l : set_bits(lanes))
          for (Order* o : {&order_, with_ ? &*with_ : nullptr}) {
            if (o == nullptr) continue;
            Order::Block& of = o == &order_ ? block : o->block(event.where.block);
            if (how.acquires) o->acquire(of, event.where, l, key, how);
            if (how.updates) o->release(of, event.where, l, key, how);
          }
      }
      if (!watched) {
        write_alone();
        continue;
      }
      const std::uint64_t bytes = std::min<std::uint64_t>(4, width - offset);
      // A value overwritten by another lane of the instruction is reported already, and is not in memory.
      now.record.lanes = how.touch == Touch::strong_write ? lanes : lanes & ~event.overwritten;
      if (now.record.lanes == 0) continue;
      now.record.value = lane + values < event.values.size() ? event.values[values + lane] : 0;
      const auto begin = static_cast<unsigned>(now.byte % 4);
      now.record.value <<= 8 * begin;
      now.record.bytes = static_cast<std::uint8_t>(((1u << bytes) - 1) << begin);
      now.byte &= ~std::uint64_t{3};
      if (!copies_.none()) compare_with_copies(now);
      if (shared && now.owner != event.where.block)
        for (const std::size_t l : set_bits(lanes)) reaches(now, l);
      if (is_strong(how.touch) && writes(how.touch)) {
        now.record.from = static_cast<std::int8_t>(static_cast<int>(begin) - static_cast<int>(offset));
        std::array<std::uint32_t, 4> by_scope{};
        for (const std::size_t l : set_bits(now.record.lanes))
          by_scope[static_cast<std::size_t>(order_.released(block, event.where, l, how))] |= 1u << l;
        for (std::size_t scope = 0; scope < by_scope.size(); ++scope)
          if ((now.record.lanes = by_scope[scope]) != 0) {
            now.record.released = static_cast<Scope>(scope);
            word(now);
          }
      } else {
        word(now);
      }
      write_alone();
      if (event.kind != trace::AccessKind::async_copy) continue;
      for (const std::size_t l : set_bits(lanes)) copies_.add(copy_of(now, event.where, l), Copies::By::group);
    }
  }
}

}  // namespace lanescope::races
