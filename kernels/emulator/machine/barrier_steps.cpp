// Barriers of a block. A barrier is complete when every thread that has not exited arrived; with a count, when so many
// threads arrived: a warp counts as 32 once all its living lanes are there, and before as none (an H100).

#include <array>
#include <bit>
#include <string>

#include <fmt/format.h>

#include "kernels/base/set_bits.h"
#include "kernels/emulator/machine/control_steps.h"
#include "kernels/emulator/machine/memory_access.h"

namespace lanescope::emulator {

namespace {

struct Arrival {
  u32 threads = 0;  ///< warps counted as 32
  bool all = true;  ///< no living lane is missing
};

Arrival count(const Block& block, int number) {
  Arrival out;
  const Barrier& barrier = block.barriers[static_cast<std::size_t>(number)];
  for (const Warp& w : block.warps) {
    u32 here = w.index < barrier.arrived.size() ? barrier.arrived[w.index] : 0;
    for (const Group& g : w.groups)
      if (g.wait == Wait::barrier && g.barrier == number) here |= g.mask;
    const u32 live = w.live();
    const bool complete = (live & ~here) == 0;
    out.all = out.all && complete;
    if (here != 0 && complete) out.threads += 32;
  }
  return out;
}

/// Writes the result of bar.red into the registers of a waiting group.
void write_vote(Running& machine, Warp& warp, const Group& g, const Barrier& barrier) {
  const Op& op = machine.program->ops[g.pc];
  const BarrierOp& b = machine.program->barriers[op.immediate];
  if (b.kind != BarrierOp::Kind::red) return;
  const u32 mask = g.mask & (*row<u32>(warp.registers.data(), op.guard) ^ op.guard_flip);
  if (b.reduce == BarrierOp::Reduce::popc) {
    for (int l = 0; l < lanes; ++l) {
      if ((mask >> l & 1) == 0) continue;
      row<u32>(warp.registers.data(), b.destination)[l] = barrier.ones;
      if (machine.tags()) row<u32>(warp.tags.data(), b.destination)[l] = trace::no_data;
    }
    return;
  }
  const bool result = b.reduce == BarrierOp::Reduce::and_ ? barrier.ones == barrier.voters : barrier.ones != 0;
  u32& p = *row<u32>(warp.registers.data(), b.destination);
  p = (p & ~mask) | (result ? mask : 0);
  if (machine.tags()) *row<u32>(warp.tags.data(), b.destination) &= ~mask;
}

void report_release(const Running& machine, const Block& block, int number) {
  std::array<u32, 32> waiting{};  // a block has at most 32 warps
  for (const Warp& w : block.warps)
    for (const Group& g : w.groups)
      if (g.wait == Wait::barrier && g.barrier == number) waiting[w.index] |= g.mask;
  trace::ReleaseEvent e;
  e.block = block.index;
  e.barrier = number;
  e.step = machine.result.warp_instructions;
  e.waiting = {waiting.data(), block.warps.size()};
  for (trace::Observer* o : machine.options.observers) o->on_release(e);
}

/// Whether these lanes come as the first ones did: with the same operation and number of threads. Otherwise an H200 ends the
/// launch, or waits for ever.
bool agrees(Context& c, u32 number, u32 threads, int lane) {
  const Barrier& barrier = c.block.barriers[number];
  const Program& p = *c.machine.program;
  const auto at = [&](u32 pc) -> const BarrierOp& { return p.barriers[p.ops[pc].immediate]; };
  const BarrierOp &first = at(*barrier.first), &own = at(c.where.pc);
  const auto reduces = [](const BarrierOp& b) { return b.kind == BarrierOp::Kind::red; };
  const bool same = reduces(first) == reduces(own) && (!reduces(own) || first.reduce == own.reduce);
  if (same && barrier.threads == threads) return true;
  const auto words = [](u32 n) {
    return n == 0 ? std::string("all threads of the block") : fmt::format("{} threads", n);
  };
  const int line = p.line_of(*barrier.first);
  const std::string others = line > 0 ? fmt::format("others at line {}", line) : "others";
  c.machine.fault_at(
      c, Fault::Kind::sync_mismatch, lane, 0,
      same ? fmt::format("comes to barrier {} for {}, but {} for {}: a barrier has one number of threads", number,
                         words(threads), others, words(barrier.threads))
           : fmt::format("comes to barrier {} with another operation than {}: a barrier has one operation", number,
                         others));
  return false;
}

}  // namespace

void Running::release_barrier(Block& block, int number) {
  Barrier& barrier = block.barriers[static_cast<std::size_t>(number)];
  const Arrival arrived = count(block, number);
  const bool complete = barrier.threads == 0 ? arrived.all : arrived.threads >= barrier.threads;
  if (!complete) return;
  ++acts;
  if (observed()) report_release(*this, block, number);
  for (Warp& w : block.warps)
    for (Group& g : w.groups)
      if (g.wait == Wait::barrier && g.barrier == number) {
        write_vote(*this, w, g, barrier);
        g.wait = Wait::none;
        g.polls = 0;
        ++g.pc;
        w.blocked = false;
      }
  barrier = Barrier{};
}

/// Lanes that exited may be the last that a barrier had to wait for.
void Running::release_barriers_of_exited(Block& block) {
  u32 waited_at = 0;
  for (const Warp& w : block.warps)
    for (const Group& g : w.groups)
      if (g.wait == Wait::barrier) waited_at |= 1u << g.barrier;
  for (const std::size_t number : set_bits(waited_at)) release_barrier(block, static_cast<int>(number));
  release_cluster_barrier(block);
}

Flow step_barrier(Context& c, const Op& op, u32 guarded) {
  const BarrierOp& b = c.machine.program->barriers[op.immediate];
  // An aligned barrier takes the whole warp for any guards of its lanes (an H100); what it reduces it takes by lane.
  const u32 mask = b.aligned && b.kind != BarrierOp::Kind::red ? c.group().mask : guarded;
  const int lane = std::countr_zero(mask);
  const u32 number = row<u32>(c.registers(), b.number)[lane] & 15;
  Barrier& barrier = c.block.barriers[number];
  const u32 threads = b.threads == 0 ? 0 : row<u32>(c.registers(), b.threads)[lane];
  if (barrier.first && !agrees(c, number, threads, lane)) return Flow::faulted;
  barrier.threads = threads;
  barrier.first = barrier.first.value_or(c.where.pc);
  if (c.machine.observed()) {
    trace::BarrierEvent e;
    e.where = c.where;
    e.barrier = static_cast<int>(number);
    e.waits = b.kind != BarrierOp::Kind::arrive;
    for (trace::Observer* o : c.machine.options.observers) o->on_barrier(e);
  }
  if (b.kind == BarrierOp::Kind::red) {
    const u32 votes = (*row<u32>(c.registers(), b.predicate) ^ b.flip) & mask;
    barrier.ones += static_cast<u32>(std::popcount(votes));
    barrier.voters += static_cast<u32>(std::popcount(mask));
    if (c.machine.tags()) {
      TagContext t = c.tags();
      if (const u32 by = t.decided(b.predicate) & mask; by != 0)
        c.machine.steer(c.where, trace::SteerEvent::What::select, by);
    }
  }
  c.group().polls = 0;
  c.warp.polling = false;
  if (b.kind == BarrierOp::Kind::arrive) {
    barrier.arrived.resize(c.block.warps.size());
    barrier.arrived[c.warp.index] |= mask;
    ++c.group().pc;
    c.machine.release_barrier(c.block, static_cast<int>(number));
    return Flow::jumped;
  }
  part_group(c, mask, c.group().pc + 1);
  Group& g = c.group();
  g.wait = Wait::barrier;
  g.barrier = static_cast<int>(number);
  c.machine.release_barrier(c.block, static_cast<int>(number));
  return Flow::jumped;
}

}  // namespace lanescope::emulator
