// No thread continues: who waits where, in words.

#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "kernels/emulator/machine/machine.h"
#include "kernels/emulator/machine/schedule.h"

namespace lanescope::emulator {

namespace {

/// "; 64 threads wait at barrier 0 in line 12 (warps 0 to 1), 32 at barrier 1 in line 20 (warp 2)".
std::string who_waits_where(const Block& b, const Program& program) {
  struct Place {
    int barrier = 0;
    u32 pc = 0, threads = 0, first = 0, last = 0;
  };
  std::vector<Place> places;
  for (const Warp& w : b.warps)
    for (const Group& g : w.groups) {
      if (g.wait != Wait::barrier) continue;
      const auto at =
          std::ranges::find_if(places, [&](const Place& p) { return p.pc == g.pc && p.barrier == g.barrier; });
      Place& p = at != places.end() ? *at : places.emplace_back(Place{g.barrier, g.pc, 0, w.index, w.index});
      p.threads += static_cast<u32>(std::popcount(g.mask));
      p.last = w.index;
    }
  std::string text;
  for (const Place& p : places) {
    const int line = program.line_of(p.pc);
    text += fmt::format(
        "{}{}{} at barrier {}{} ({})", text.empty() ? "; " : ", ", p.threads,
        !text.empty()    ? ""
        : p.threads == 1 ? " thread waits"
                         : " threads wait",
        p.barrier, line > 0 ? fmt::format(" in line {}", line) : "",
        p.first == p.last ? fmt::format("warp {}", p.first) : fmt::format("warps {} to {}", p.first, p.last));
  }
  return text;
}

}  // namespace

/// No thread of the block can continue: either lanes wait for each other inside a warp, or a barrier never completes.
void Running::stuck(Block& b) {
  // Lanes that wait inside their warp explain more than those that wait at a barrier for them.
  for (Warp& w : b.warps)
    if (std::ranges::find(w.groups, Wait::warp, &Group::wait) != w.groups.end()) return stuck_in_warp(b, w);
  for (Warp& w : b.warps)
    for (std::size_t i = 0; i < w.groups.size(); ++i) {
      const Group& g = w.groups[i];
      Context c{*this, b, w, i, {result.warp_instructions, b.index, w.index, g.pc, g.mask}};
      const int lane = std::countr_zero(g.mask);
      if (g.wait == Wait::cluster) return stuck_in_cluster(c, lane);
      u32 waiting = 0, total = 0;
      for (const Warp& o : b.warps)
        for (const Group& h : o.groups) {
          total += static_cast<u32>(std::popcount(h.mask));
          if (h.barrier == g.barrier && h.wait == Wait::barrier) waiting += static_cast<u32>(std::popcount(h.mask));
        }
      fault_at(c, Fault::Kind::barrier_never_completes, lane, 0,
               fmt::format("deadlock: barrier {} is reached by only {} of {} threads that have not exited{}", g.barrier,
                           waiting, total, who_waits_where(b, *program)));
      return;
    }
}

/// Lanes wait for threads of the cluster that never arrive.
void Running::stuck_in_cluster(Context& c, int lane) {
  u32 arrived = 0, total = 0;
  std::string elsewhere;
  for (const auto& other : resident) {
    if (other->cluster != c.block.cluster) continue;
    for (const Warp& w : other->warps) {
      total += static_cast<u32>(std::popcount(w.live()));
      arrived += static_cast<u32>(std::popcount(w.live() & w.cluster_arrived));
      for (const Group& h : w.groups)
        if (elsewhere.empty() && (h.mask & ~w.cluster_arrived) != 0)
          elsewhere = fmt::format("; block {} of the cluster, warp {} waits at line {}", other->rank, w.index,
                                  program->line_of(h.pc));
    }
  }
  fault_at(
      c, Fault::Kind::barrier_never_completes, lane, 0,
      fmt::format("deadlock: the barrier of the cluster is reached by only {} of {} threads that have not exited{}",
                  arrived, total, elsewhere));
}

/// Blocks wait for each other, or for one that has ended: memory stays as it is, and so does what they read.
void Running::stuck_polling() {
  const auto place_of = [&](const Block& block, const Warp& w) {
    const Group& g = w.groups.front();
    const int line = program->line_of(g.pc);
    return fmt::format("block {}, warp {}{}", block.index, w.index, line > 0 ? fmt::format(" at line {}", line) : "");
  };
  std::string others;
  std::size_t reported = 0;
  Block* first = nullptr;
  Warp* warp = nullptr;
  for (const auto& r : resident)
    for (Warp& w : r->warps) {
      if (!can_run(w)) continue;
      if (warp == nullptr) {
        first = r.get(), warp = &w;
      } else if (reported < 3) {
        others += fmt::format("{}{}", reported == 0 ? "; so do " : ", ", place_of(*r, w));
        ++reported;
      }
    }
  if (warp == nullptr) return;
  const u32 pc = warp->groups.front().pc;
  Context c{*this, *first, *warp, 0, {result.warp_instructions, first->index, warp->index, pc, warp->live()}};
  fault_at(c, Fault::Kind::deadlock, std::countr_zero(warp->live()), 0,
           fmt::format("deadlock: waits for a value in memory that no thread changes any more{}; {} of {} blocks are "
                       "running, {} have ended{}",
                       others, resident.size(), blocks, ended_blocks,
                       runtime.launched.empty() ? "" : "; the grids that this one launched begin when it has ended"));
}

}  // namespace lanescope::emulator
