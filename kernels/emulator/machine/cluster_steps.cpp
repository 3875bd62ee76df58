// Clusters: blocks that run side by side, reach each other's shared memory, and have a barrier of their own.

#include <bit>

#include <fmt/format.h>

#include "kernels/base/set_bits.h"
#include "kernels/emulator/lanes/addresses.h"
#include "kernels/emulator/machine/control_steps.h"
#include "kernels/emulator/machine/machine.h"

namespace lanescope::emulator {

Block* Running::block_of_cluster(const Block& of, u32 rank) {
  for (const auto& b : resident)
    if (b->cluster == of.cluster && b->rank == rank) return b->done() ? nullptr : b.get();
  return nullptr;
}

namespace {

void report(const Running& machine, trace::ClusterBarrierEvent::Kind kind, const trace::Where& where) {
  for (trace::Observer* o : machine.options.observers) o->on_cluster_barrier({where, kind});
}

}  // namespace

const Block& Running::owner_of(const Store& shared, const Block& otherwise) const {
  for (const auto& b : resident)
    if (&b->shared == &shared) return *b;
  return otherwise;
}

/// Complete when every thread of the cluster that has not exited has arrived.
void Running::release_cluster_barrier(const Block& of) {
  const auto each_warp = [&](auto f) {
    for (const auto& b : resident)
      if (b->cluster == of.cluster)
        for (Warp& w : b->warps) f(*b, w);
  };
  bool complete = true, any = false;
  each_warp([&](const Block&, const Warp& w) {
    complete = complete && (w.live() & ~w.cluster_arrived) == 0;
    any = any || w.cluster_arrived != 0;
  });
  if (!complete || !any) return;
  using Kind = trace::ClusterBarrierEvent::Kind;
  const u64 step = result.warp_instructions;
  if (observed()) report(*this, Kind::complete, {.step = step, .block = of.index});
  each_warp([&](const Block& b, Warp& w) {
    w.cluster_arrived = 0;
    for (Group& g : w.groups) {
      if (g.wait != Wait::cluster) continue;
      if (observed())
        report(*this, Kind::pass, {.step = step, .block = b.index, .warp = w.index, .pc = g.pc, .active = g.mask});
      g.wait = Wait::none;
      g.polls = 0;
      w.cluster_owed &= ~g.mask;
      ++g.pc;
      w.blocked = false;
    }
  });
}

Flow step_cluster_barrier(Context& c, const Op& op, u32 mask) {
  Warp& w = c.warp;
  c.group().polls = 0;
  w.polling = false;
  const bool waits = op.immediate != 0;
  const u32 wrong = waits ? mask & ~w.cluster_owed : mask & w.cluster_owed;
  if (wrong != 0) {
    c.machine.fault_at(c, Fault::Kind::barrier_never_completes, std::countr_zero(wrong), 0,
                       waits ? "waits at the barrier of the cluster without having arrived there"
                             : "arrives at the barrier of the cluster again without having waited there");
    return Flow::faulted;
  }
  trace::Where where = c.where;
  where.active = mask;
  if (!waits) {
    w.cluster_arrived |= mask;
    w.cluster_owed |= mask;
    if (c.machine.observed()) report(c.machine, trace::ClusterBarrierEvent::Kind::arrive, where);
    c.machine.release_cluster_barrier(c.block);
    return Flow::next;
  }
  if ((w.cluster_arrived & mask) == 0) {  // this phase is over
    w.cluster_owed &= ~mask;
    if (c.machine.observed()) report(c.machine, trace::ClusterBarrierEvent::Kind::pass, where);
    return Flow::next;
  }
  part_group(c, mask, c.group().pc + 1);
  c.group().wait = Wait::cluster;
  return Flow::jumped;
}

/// mapa (the address of the same place in another block) and getctarank (whose address it is).
Flow step_cluster_address(Context& c, const Op& op, u32 mask) {
  const bool maps = (op.immediate & 1) != 0, windowed = (op.immediate & 2) != 0;
  const u32 count = c.machine.cluster_blocks();
  u8* const r = c.registers();
  for (const std::size_t l : set_bits(mask)) {
    const u64 address = op.a_bits == 64 ? row<u64>(r, op.a)[l] : row<u32>(r, op.a)[l];
    if (windowed && address - shared_window >= window_bytes) {
      c.machine.fault_at(c, Fault::Kind::out_of_bounds, static_cast<int>(l), address,
                         fmt::format("the address {:#x} is none of shared memory", address));
      return Flow::faulted;
    }
    const u32 rank_in_address = static_cast<u32>(address) >> cluster_rank_shift;
    if (!maps) {
      row<u32>(r, op.d)[l] = rank_in_address == 0 ? c.block.rank : rank_in_address - 1;
      continue;
    }
    const u32 rank = row<u32>(r, op.b)[l];
    if (rank >= count) {
      c.machine.fault_at(c, Fault::Kind::out_of_bounds, static_cast<int>(l), address,
                         fmt::format("block {} of a cluster of {}", rank, count));
      return Flow::faulted;
    }
    const u64 mapped = (windowed ? shared_window : 0) | u64{rank + 1} << cluster_rank_shift |
                       (static_cast<u32>(address) & cluster_offset_mask);
    if (op.d_bits == 64)
      row<u64>(r, op.d)[l] = mapped;
    else
      row<u32>(r, op.d)[l] = static_cast<u32>(mapped);
  }
  if (c.machine.tags()) {
    TagContext t = c.tags();
    if (const u32 by = t.lanes_with_data(op.a, op.a_bits, mask) | (maps ? t.lanes_with_data(op.b, 32, mask) : 0);
        by != 0)
      c.machine.steer(c.where, trace::SteerEvent::What::address, by);
    t.clear(op.d, op.d_bits, mask);
  }
  return Flow::next;
}

}  // namespace lanescope::emulator
