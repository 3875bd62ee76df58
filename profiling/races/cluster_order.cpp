// The barrier of a cluster, and how it orders the blocks of a cluster.

#include <algorithm>

#include "kernels/base/set_bits.h"
#include "profiling/races/order.h"

namespace lanescope::races {

void Order::arrive_at_cluster(const trace::Where& where, bool relaxed) {
  Block& b = block(where.block);
  const Warp& w = b.warps[where.warp];
  Cluster& c = clusters_[cluster_of(where.block)];
  const auto all_of = [&](std::size_t lane, Gathering& into) {
    gather(b, where.warp, lane, where.step + 1, into);  // they have begun before any step
  };
  c.relaxed = c.relaxed || relaxed;
  // All lanes at once, where the same happens before them.
  bool alike = where.active == w.live;
  if (w.kept != nullptr)
    for (const std::size_t l : set_bits(where.active))
      alike = alike && w.kept->known[l] == w.kept->known[first_bit(where.active)];
  for (const std::size_t lane : set_bits(where.active)) {
    Gathering& known = relaxed ? c.unrelaxed : c.arriving;
    all_of(lane, known);
    if (alike) {
      const std::uint64_t first = thread(b.number, where.warp, 0);
      for (const std::size_t l : set_bits(where.active)) known.add(Range{first + l, first + l + 1, where.step + 1});
      break;
    }
  }
  if (w.kept == nullptr) return;
  for (const std::size_t lane : set_bits(where.active)) {
    c.inits.add(w.kept->fenced_inits[lane]);
    if (!w.fenced) continue;
    if (relaxed) {
      c.arriving.add(w.kept->fenced[1][lane]);
      continue;
    }
    for (std::size_t i = 0; i < 3; ++i) c.fenced[i].add(w.kept->fenced[i][lane]);
  }
}

void Order::pass_cluster(const trace::Where& where) {
  const Cluster& c = clusters_[cluster_of(where.block)];
  Warp& w = block(where.block).warps[where.warp];
  Warp::Parts& parts = w.parts();
  // Lanes after the same steps share what is added.
  const auto learn = [&](std::array<Known, 32>& values, const Known& what) {
    if (what == nullptr) return;
    Known had, now;
    bool first = true;
    for (const std::size_t lane : set_bits(where.active)) {
      if (first || values[lane] != had) {
        Gathering all;
        all.add(what), all.add(values[lane]);
        had = values[lane], now = all.take(), first = false;
      }
      values[lane] = now;
    }
  };
  learn(parts.known, c.done);
  learn(parts.unrelaxed, c.done_unrelaxed);
  learn(parts.inits, c.done_inits);
  w.knows = true;
  for (std::size_t i = 0; i < 3; ++i) {
    learn(parts.fenced[i], c.done_fenced[i]);
    w.fenced = w.fenced || c.done_fenced[i] != nullptr;
  }
}

void Order::cluster(const trace::ClusterBarrierEvent& event, bool relaxed) {
  using Kind = trace::ClusterBarrierEvent::Kind;
  if (event.kind == Kind::arrive) return arrive_at_cluster(event.where, relaxed);
  if (event.kind == Kind::pass) return pass_cluster(event.where);
  const auto at = clusters_.find(cluster_of(event.where.block));
  if (at == clusters_.end()) return;
  Cluster& c = at->second;
  c.done = c.arriving.take();
  c.done_unrelaxed = c.relaxed ? c.unrelaxed.take() : nullptr;
  c.done_inits = c.inits.take();
  for (std::size_t i = 0; i < 3; ++i) c.done_fenced[i] = c.fenced[i].take();
  c.arriving = c.unrelaxed = c.inits = Gathering();
  c.fenced = {};
  c.relaxed = false;
}

void Order::fence_inits(const trace::Where& where) {
  Block& b = block(where.block);
  for (const std::size_t lane : set_bits(where.active)) {
    Gathering all;
    gather(b, where.warp, lane, where.step, all);
    b.warps[where.warp].parts().fenced_inits[lane] = all.take();
  }
}

bool Order::made_before(std::uint32_t number, std::uint32_t warp, std::size_t lane, std::uint64_t step, const Block& b,
                        std::uint32_t my_warp, std::size_t my_lane) const {
  const Warp& mine = b.warps[my_warp];
  return mine.kept != nullptr && step < known_before(mine.kept->inits[my_lane], thread(number, warp, lane));
}

bool Order::before_unrelaxed(std::uint32_t number, std::uint32_t warp, std::size_t lane, std::uint64_t step,
                             const Block& b, std::uint32_t my_warp, std::size_t my_lane) const {
  const Warp& mine = b.warps[my_warp];
  return mine.kept != nullptr && step < known_before(mine.kept->unrelaxed[my_lane], thread(number, warp, lane));
}

bool Order::begun(std::uint32_t number, const Block& b, std::uint32_t my_warp, std::size_t my_lane) const {
  const Warp& mine = b.warps[my_warp];
  if (mine.kept == nullptr) return false;
  const std::uint64_t first = thread(number, 0, 0), end = thread(number + 1, 0, 0);
  const auto knows = [&](const Known& known) {
    return known != nullptr &&
           std::ranges::any_of(*known, [&](const Range& r) { return r.first < end && first < r.end && r.before > 0; });
  };
  return knows(mine.kept->known[my_lane]) || knows(mine.kept->unrelaxed[my_lane]);
}

}  // namespace lanescope::races
