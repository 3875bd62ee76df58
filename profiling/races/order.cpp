#include "profiling/races/order.h"

#include <algorithm>
#include <bit>
#include <tuple>

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
      for (auto& level : b.warps[w].parts().fenced) level.fill(start_);
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
  if (event.waits) return;  // waiting threads are known when all are released
  barrier.arrivals = true;
  const Warp& w = b.warps[event.where.warp];
  for (const std::size_t lane : set_bits(event.where.active)) {
    gather(b, event.where.warp, lane, event.where.step, barrier.known);
    if (!w.fenced) continue;
    for (std::size_t i = 0; i < 3; ++i) barrier.fenced[i].add(w.kept->fenced[i][lane]);
  }
}

void Order::released(const trace::ReleaseEvent& event) {
  Block& b = block(event.block);
  Barrier& barrier = b.barriers[static_cast<std::size_t>(event.barrier) & 15];
  Gathering known = std::move(barrier.known);
  std::array<Gathering, 3> made_ready = std::move(barrier.fenced);
  bool whole = !barrier.arrivals && (!barrier.counts || b.living == b.threads);
  barrier = Barrier{};
  for (std::size_t w = 0; w < b.warps.size(); ++w) whole = whole && event.waiting[w] == b.warps[w].live;
  bool knows = !known.empty(), fenced = !made_ready[0].empty();
  for (std::size_t w = 0; w < b.warps.size(); ++w) {
    const Warp& warp = b.warps[w];
    for (const std::size_t lane : set_bits(event.waiting[w])) {
      if (!whole)
        gather(b, static_cast<std::uint32_t>(w), lane, event.step, known);
      else if (warp.knows)
        known.add(warp.kept->known[lane]);
      if (!warp.fenced) continue;
      for (std::size_t i = 0; i < 3; ++i) made_ready[i].add(warp.kept->fenced[i][lane]);
    }
    knows = knows || warp.knows;
    fenced = fenced || warp.fenced;
  }
  if (whole) {
    b.floor = event.step;
    b.floors.push_back(event.step);
  }
  if (whole && !knows && !fenced) return;
  const Known all = known.take();
  const std::array<Known, 3> ready{made_ready[0].take(), made_ready[1].take(), made_ready[2].take()};
  for (std::size_t w = 0; w < b.warps.size(); ++w) {
    Warp& warp = b.warps[w];
    for (const std::size_t lane : set_bits(event.waiting[w])) {
      know(warp, lane, all);
      if (!fenced) continue;
      warp.fenced = true;
      for (std::size_t i = 0; i < 3; ++i) warp.parts().fenced[i][lane] = ready[i];
    }
  }
}

void Order::warp_synced(const trace::Where& where) {
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
  if (w.fenced)
    for (auto& level : w.kept->fenced) share(level);
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
    parts.fenced[0][lane] = all.take();
    if (scope >= Scope::cluster) parts.fenced[1][lane] = parts.fenced[0][lane];
    if (scope == Scope::device) parts.fenced[2][lane] = parts.fenced[0][lane];
  }
}

void Order::arrive(Block& b, const trace::Where& where, std::size_t lane, std::uint64_t object,
                   const Instruction& how) {
  const bool own = where.block == b.number;
  Block::Object& o = b.objects[object];
  o.others = o.others || !own;
  if (how.to_block && !own) return;
  const Warp& w = block(where.block).warps[where.warp];
  Gathering known;
  if (!how.relaxed) {
    // The arrival itself is done with the phase, too.
    gather(block(where.block), where.warp, lane, where.step + 1, known);
    for (std::size_t i = 0; w.fenced && i < 3; ++i) {
      o.fenced[i].add(w.kept->fenced[i][lane]);
      if (own && clusters_used_) o.fenced_of_block[i].add(w.kept->fenced[i][lane]);
    }
  } else if (w.fenced) {
    known.add(w.kept->fenced[own ? 0 : 1][lane]);
  }
  if (known.empty()) return;
  const Known all = known.take();
  o.arriving.add(all);
  if (own && clusters_used_) o.of_block.add(all);
}

void Order::arrive_knowing(Block& b, std::uint64_t object, const Range& range) {
  b.objects[object].arriving.add(range);
  if (clusters_used_) b.objects[object].of_block.add(range);
}

std::size_t Order::agent_lane(Block& b, std::uint64_t object) {
  int& lane = b.objects[object].lane;
  if (lane < 0) lane = static_cast<int>(b.agents++ % 32);  // objects that no copy is attached to have none
  return static_cast<std::size_t>(lane);
}

void Order::know_agent(Block& b, const trace::Where& where, std::size_t lane, std::size_t agent_lane) {
  Warp& w = block(where.block).warps[where.warp];
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
  for (std::size_t i = 0; i < 3; ++i) {
    o.done_fenced[i] = o.fenced[i].take(), o.fenced[i] = Gathering();
    o.done_fenced_of_block[i] = o.fenced_of_block[i].take(), o.fenced_of_block[i] = Gathering();
  }
  if (clusters_used_) {
    o.of_block.add(Range{agent, agent + 1, step + 1});
    o.done_of_block = o.of_block.take();
    o.of_block = Gathering();
  }
  o.had_others = o.others;
  o.others = false;
  return lane;
}

void Order::see_phase(Block& b, const trace::Where& where, std::size_t lane, std::uint64_t object,
                      const Instruction& how) {
  const auto at = b.objects.find(object);
  if (at == b.objects.end()) return;
  const bool of_block = how.to_block && clusters_used_;
  const Known& done = of_block ? at->second.done_of_block : at->second.done;
  if (done == nullptr) return;
  Warp& w = block(where.block).warps[where.warp];
  const std::array<Known, 3>& ready = of_block ? at->second.done_fenced_of_block : at->second.done_fenced;
  for (std::size_t i = 0; i < 3; ++i) {
    if (ready[i] == nullptr) continue;
    w.fenced = true;
    Gathering fenced;
    fenced.add(ready[i]), fenced.add(w.parts().fenced[i][lane]);
    w.parts().fenced[i][lane] = fenced.take();
  }
  Gathering all;
  all.add(done);
  all.add(w.parts().known[lane]);
  know(w, lane, all.take());
}

bool Order::exited(const trace::Where& where) {
  Block& b = block(where.block);
  Warp& w = b.warps[where.warp];
  if (at_exit_ != nullptr && w.knows)
    for (const std::size_t lane : set_bits(where.active)) at_exit_->add(w.kept->known[lane]);
  if (clusters_used_) arrive_at_cluster(where, false);
  b.living -= static_cast<std::uint64_t>(std::popcount(w.live & where.active));
  w.live &= ~where.active;
  if (b.living > 0) return false;
  if (clusters_used_) {
    const std::uint32_t number = cluster_of(where.block);
    if (++clusters_[number].ended_blocks == std::max<std::uint64_t>(launch_->cluster.count(), 1))
      clusters_.erase(number);
  }
  blocks_.erase(where.block);
  last_ = nullptr;
  return true;
}

void Order::release(Block& b, const trace::Where& where, std::size_t lane, std::uint64_t place,
                    const Instruction& how) {
  Warp& w = b.warps[where.warp];
  std::array<Known, 3> known;
  const std::size_t levels = how.scope == Scope::device ? 3 : how.scope == Scope::cluster ? 2 : 1;
  if (how.releases) {
    Gathering all;
    gather(b, where.warp, lane, where.step + 1, all);  // readers of what was written are ordered after it
    std::fill_n(known.begin(), levels, all.take());
  } else if (w.fenced) {
    for (std::size_t i = 0; i < levels; ++i) known[i] = w.kept->fenced[i][lane];
  }
  if (known[0] == nullptr && releases_.empty()) return;
  const std::uint32_t cluster = cluster_of(b.number);
  const auto at = releases_.find(place);
  if (at == releases_.end() || !how.updates) {
    if (at == releases_.end() && known[0] == nullptr) return;
    Release& r = releases_[place];  // readers of what was there before are kept
    r.known = known;
    r.block = b.number, r.cluster = cluster;
    r.since.fill(where.step);
    return;
  }
  Release& r = at->second;
  if (r.known[0] == nullptr && r.known[1] == nullptr && r.known[2] == nullptr) r.since.fill(where.step);
  // An atomic of another block passes on releases with a wider scope than that block.
  if (r.block != b.number) r.known[0] = nullptr, r.since[0] = where.step;
  if (r.cluster != cluster) r.known[1] = nullptr, r.since[1] = where.step;
  r.block = b.number, r.cluster = cluster;
  for (std::size_t i = 0; i < 3; ++i) {
    Gathering all;
    all.add(r.known[i]), all.add(known[i]);
    r.known[i] = all.take();
  }
}

void Order::forget(std::uint64_t place) {
  const auto at = releases_.find(place);
  if (at == releases_.end()) return;
  if (at->second.readers.empty())
    releases_.erase(at);
  else
    at->second.known = {};
}

Scope Order::released(const Block& b, const trace::Where& where, std::size_t lane, const Instruction& how) const {
  const Warp& w = b.warps[where.warp];
  if (how.releases || !w.fenced) return Scope::none;
  constexpr std::array levels{Scope::block, Scope::cluster, Scope::device};
  Scope out = Scope::none;
  for (std::size_t i = 0; i < levels.size() && levels[i] <= how.scope; ++i)
    if (w.kept->fenced[i][lane] != nullptr) out = levels[i];
  return out;
}

void Order::acquire(Block& b, const trace::Where& where, std::size_t lane, std::uint64_t place,
                    const Instruction& how) {
  if (releases_.empty()) return;
  const auto at = releases_.find(place);
  if (at == releases_.end()) return;
  Release& r = at->second;
  const std::array<bool, 3> seen{r.block == b.number, how.scope >= Scope::cluster && r.cluster == cluster_of(b.number),
                                 how.scope == Scope::device};
  Gathering all;
  const Known* only = nullptr;
  std::size_t several = 0;
  for (std::size_t i = 0; i < 3; ++i)
    if (seen[i] && r.known[i] != nullptr && (only == nullptr || *only != r.known[i])) {
      only = &r.known[i];
      ++several;
      all.add(*only);
    }
  if (only == nullptr) return;
  const Release::Reader reader{.block = b.number,
                               .warp = where.warp,
                               .cluster = cluster_of(b.number),
                               .lane = lane,
                               .step = where.step,
                               .since = r.since,
                               .scope = how.scope};
  if (r.readers.size() < Release::most_readers)
    r.readers.push_back(reader);
  else
    r.readers[r.next_reader++ % Release::most_readers] = reader;
  Warp& w = b.warps[where.warp];
  if (several == 1) {
    if (w.parts().taken[lane] == *only) return;
    w.parts().taken[lane] = *only;
  }
  all.add(w.parts().known[lane]);
  know(w, lane, all.take());
}

bool Order::read_before(std::uint64_t place, const Released& write, const Block& b, std::uint32_t my_warp,
                        std::size_t my_lane) const {
  if (write.scope == Scope::none) return false;
  const auto at = releases_.find(place);
  if (at == releases_.end()) return false;
  const std::uint32_t cluster = cluster_of(write.block);
  return std::ranges::any_of(at->second.readers, [&](const Release::Reader& reader) {
    // Lanes of one atomic are ordered.
    if (std::tie(reader.step, reader.lane) <= std::tie(write.step, write.lane)) return false;
    const auto within = [&](Scope scope) { return write.scope >= scope && reader.scope >= scope; };
    const bool seen = (reader.block == write.block && write.step >= reader.since[0]) ||
                      (within(Scope::cluster) && reader.cluster == cluster && write.step >= reader.since[1]) ||
                      (within(Scope::device) && write.step >= reader.since[2]);
    return seen && before(reader.block, reader.warp, reader.lane, reader.step, b, my_warp, my_lane);
  });
}

}  // namespace lanescope::races
