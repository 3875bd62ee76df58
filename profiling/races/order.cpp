#include "profiling/races/order.h"

#include <algorithm>
#include <bit>

#include "kernels/base/set_bits.h"

namespace lanescope::races {

Order::Block& Order::block(std::uint32_t number) {
  if (last_ != nullptr && last_number_ == number) return *last_;
  const auto [at, fresh] = blocks_.try_emplace(number);
  Block& b = at->second;
  if (fresh) {
    const std::uint64_t threads = launch_->block.count();
    b.number = number;
    b.living = b.threads = threads;
    b.warps.resize(launch_->warps_per_block());
    for (std::size_t w = 0; w < b.warps.size(); ++w) {
      const std::uint64_t lanes = std::min<std::uint64_t>(32, threads - w * 32);
      b.warps[w].live = lanes == 32 ? 0xffffffffu : (1u << lanes) - 1;
      if (start_ == nullptr) continue;
      b.warps[w].parts().known.fill(start_);
      b.warps[w].parts().fenced_block.fill(start_);
      b.warps[w].parts().fenced_device.fill(start_);
      b.warps[w].knows = b.warps[w].fenced = true;
    }
  }
  last_number_ = number;
  return *(last_ = &b);
}

bool Order::before(std::uint32_t number, std::uint32_t warp, std::size_t lane, std::uint64_t step, const Block& b,
                   std::uint32_t my_warp, std::size_t my_lane) const {
  const Warp& mine = b.warps[my_warp];
  if (number == b.number && !is_agent(warp)) {
    if (step < b.floor) return true;
    if (warp == my_warp) {
      if (lane == my_lane || step < mine.floor) return true;
      if (mine.lanes != nullptr && step < (*mine.lanes)[my_lane * 32 + lane]) return true;
    }
  }
  return mine.knows && step < known_before(mine.kept->known[my_lane], thread(number, warp, lane));
}

void Order::gather(const Block& b, std::uint32_t warp, std::size_t lane, std::uint64_t now, Gathering& into) const {
  const Warp& w = b.warps[warp];
  into.add(Range{thread(b.number, 0, 0), thread(b.number, static_cast<std::uint32_t>(b.warps.size()), 0), b.floor});
  const std::uint64_t first = thread(b.number, warp, 0);
  into.add(Range{first, first + 32, w.floor});
  if (w.lanes != nullptr)
    for (std::size_t l = 0; l < 32; ++l) into.add(Range{first + l, first + l + 1, (*w.lanes)[lane * 32 + l]});
  into.add(Range{first + lane, first + lane + 1, now});
  if (w.knows) into.add(w.kept->known[lane]);
}

Known Order::all_known(const trace::Where& where, std::size_t lane) {
  Gathering all;
  gather(block(where.block), where.warp, lane, where.step, all);
  return all.take();
}

void Order::know(Warp& w, std::size_t lane, Known known) {
  w.knows = w.knows || known != nullptr;
  w.parts().known[lane] = std::move(known);
}

void Order::came(const trace::BarrierEvent& event, bool counts) {
  Block& b = block(event.where.block);
  Barrier& barrier = b.barriers[static_cast<std::size_t>(event.barrier) & 15];
  barrier.counts = barrier.counts || counts;
  if (event.waits) return;  // who waits is known when all are released
  barrier.arrivals = true;
  const Warp& w = b.warps[event.where.warp];
  for (const std::size_t lane : set_bits(event.where.active)) {
    gather(b, event.where.warp, lane, event.where.step, barrier.known);
    if (!w.fenced) continue;
    barrier.fenced_block.add(w.kept->fenced_block[lane]);
    barrier.fenced_device.add(w.kept->fenced_device[lane]);
  }
}

void Order::released(const trace::ReleaseEvent& event) {
  Block& b = block(event.block);
  Barrier& barrier = b.barriers[static_cast<std::size_t>(event.barrier) & 15];
  Gathering known = std::move(barrier.known), fenced_block = std::move(barrier.fenced_block),
            fenced_device = std::move(barrier.fenced_device);
  bool whole = !barrier.arrivals && (!barrier.counts || b.living == b.threads);
  barrier = Barrier{};
  for (std::size_t w = 0; w < b.warps.size(); ++w) whole = whole && event.waiting[w] == b.warps[w].live;
  bool knows = !known.empty(), fenced = !fenced_block.empty() || !fenced_device.empty();
  for (std::size_t w = 0; w < b.warps.size(); ++w) {
    const Warp& warp = b.warps[w];
    for (const std::size_t lane : set_bits(event.waiting[w])) {
      if (!whole)
        gather(b, static_cast<std::uint32_t>(w), lane, event.step, known);
      else if (warp.knows)
        known.add(warp.kept->known[lane]);
      if (!warp.fenced) continue;
      fenced_block.add(warp.kept->fenced_block[lane]);
      fenced_device.add(warp.kept->fenced_device[lane]);
    }
    knows = knows || warp.knows;
    fenced = fenced || warp.fenced;
  }
  if (whole) {
    b.floor = event.step;
    b.floors.push_back(event.step);
  }
  if (whole && !knows && !fenced) return;
  const Known all = known.take(), all_block = fenced_block.take(), all_device = fenced_device.take();
  for (std::size_t w = 0; w < b.warps.size(); ++w) {
    Warp& warp = b.warps[w];
    for (const std::size_t lane : set_bits(event.waiting[w])) {
      know(warp, lane, all);
      if (!fenced) continue;
      warp.fenced = true;
      warp.parts().fenced_block[lane] = all_block;
      warp.parts().fenced_device[lane] = all_device;
    }
  }
}

void Order::met(const trace::Where& where) {
  const std::uint32_t lanes = where.active;
  if ((lanes & (lanes - 1)) == 0) return;
  Block& b = block(where.block);
  Warp& w = b.warps[where.warp];
  if (lanes == w.live) {
    w.floor = where.step;
  } else {
    if (w.lanes == nullptr) w.lanes = std::make_unique<std::array<std::uint64_t, 1024>>();
    std::array<std::uint64_t, 32> most{};
    for (const std::size_t l : set_bits(lanes))
      for (std::size_t other = 0; other < 32; ++other) most[other] = std::max(most[other], (*w.lanes)[l * 32 + other]);
    for (const std::size_t l : set_bits(lanes)) most[l] = where.step;
    for (const std::size_t l : set_bits(lanes))
      std::ranges::copy(most, w.lanes->begin() + static_cast<std::ptrdiff_t>(l * 32));
  }
  const auto share = [&](std::array<Known, 32>& values) {
    const Known& first = values[first_bit(lanes)];
    bool same = true;
    for (const std::size_t l : set_bits(lanes)) same = same && values[l] == first;
    if (same) return;
    Gathering all;
    for (const std::size_t l : set_bits(lanes)) all.add(values[l]);
    const Known shared = all.take();
    for (const std::size_t l : set_bits(lanes)) values[l] = shared;
  };
  if (w.knows) share(w.kept->known);
  if (w.fenced) share(w.kept->fenced_block), share(w.kept->fenced_device);
}

void Order::fence(const trace::Where& where, Scope scope) {
  if (where.active == 0) return;
  Block& b = block(where.block);
  Warp& w = b.warps[where.warp];
  w.fenced = true;
  for (const std::size_t lane : set_bits(where.active)) {
    Gathering all;
    gather(b, where.warp, lane, where.step, all);
    Warp::Parts& parts = w.parts();
    parts.fenced_block[lane] = all.take();
    if (scope == Scope::device) parts.fenced_device[lane] = parts.fenced_block[lane];
  }
}

void Order::arrive(Block& b, const trace::Where& where, std::size_t lane, std::uint64_t object) {
  gather(b, where.warp, lane, where.step, b.objects[object].arriving);
}

void Order::arrive_knowing(Block& b, std::uint64_t object, const Range& range) {
  b.objects[object].arriving.add(range);
}

std::size_t Order::agent_lane(Block& b, std::uint64_t object) {
  int& lane = b.objects[object].lane;
  if (lane < 0) lane = static_cast<int>((b.objects.size() - 1) % 32);
  return static_cast<std::size_t>(lane);
}

void Order::know_agent(Block& b, const trace::Where& where, std::size_t lane, std::size_t agent_lane) {
  Warp& w = b.warps[where.warp];
  const std::uint64_t agent = thread(b.number, most_warps, agent_lane);
  Gathering all;
  all.add(Range{agent, agent + 1, where.step + 1});
  all.add(w.parts().known[lane]);
  know(w, lane, all.take());
}

std::size_t Order::phase_over(Block& b, std::uint64_t object, std::uint64_t step) {
  const std::size_t lane = agent_lane(b, object);
  Block::Object& o = b.objects[object];
  const std::uint64_t agent = thread(b.number, most_warps, lane);
  o.arriving.add(Range{agent, agent + 1, step + 1});
  o.done = o.arriving.take();
  o.arriving = Gathering();
  return lane;
}

void Order::see_phase(Block& b, const trace::Where& where, std::size_t lane, std::uint64_t object) {
  const auto at = b.objects.find(object);
  if (at == b.objects.end() || at->second.done == nullptr) return;
  Warp& w = b.warps[where.warp];
  Gathering all;
  all.add(at->second.done);
  all.add(w.parts().known[lane]);
  know(w, lane, all.take());
}

bool Order::exited(const trace::Where& where) {
  Block& b = block(where.block);
  Warp& w = b.warps[where.warp];
  if (at_exit_ != nullptr && w.knows)
    for (const std::size_t lane : set_bits(where.active)) at_exit_->add(w.kept->known[lane]);
  b.living -= static_cast<std::uint64_t>(std::popcount(w.live & where.active));
  w.live &= ~where.active;
  if (b.living > 0) return false;
  blocks_.erase(where.block);
  last_ = nullptr;
  return true;
}

void Order::release(Block& b, const trace::Where& where, std::size_t lane, std::uint64_t place,
                    const Instruction& how) {
  Warp& w = b.warps[where.warp];
  Known device, in_block;
  if (how.releases) {
    Gathering all;
    gather(b, where.warp, lane, where.step, all);
    in_block = all.take();
    if (how.scope == Scope::device) device = in_block;
  } else if (w.fenced) {
    in_block = w.kept->fenced_block[lane];
    if (how.scope == Scope::device) device = w.kept->fenced_device[lane];
  }
  if (in_block == nullptr && releases_.empty()) return;
  const auto at = releases_.find(place);
  if (at == releases_.end()) {
    if (in_block != nullptr) releases_[place] = {device, in_block, b.number};
    return;
  }
  Release& r = at->second;
  if (!how.updates) {
    r = {device, in_block, b.number};
    return;
  }
  Gathering all;
  all.add(r.device), all.add(device);
  r.device = all.take();
  if (r.block_number != b.number) r.block = nullptr;
  r.block_number = b.number;
  Gathering inside;
  inside.add(r.block), inside.add(in_block);
  r.block = inside.take();
}

void Order::acquire(Block& b, const trace::Where& where, std::size_t lane, std::uint64_t place,
                    const Instruction& how) {
  if (releases_.empty()) return;
  const auto at = releases_.find(place);
  if (at == releases_.end()) return;
  const Release& r = at->second;
  Warp& w = b.warps[where.warp];
  Gathering all;
  const bool inside = r.block_number == b.number && r.block != nullptr;
  const Known& from = how.scope == Scope::device && r.device != nullptr && !inside ? r.device : r.block;
  if (inside && r.device != nullptr && how.scope == Scope::device) {
    all.add(r.device);
    all.add(r.block);
  } else if (inside || (how.scope == Scope::device && r.device != nullptr)) {
    if (w.parts().taken[lane] == from) return;
    w.parts().taken[lane] = from;
    all.add(from);
  } else {
    return;
  }
  all.add(w.parts().known[lane]);
  know(w, lane, all.take());
}

}  // namespace lanescope::races
