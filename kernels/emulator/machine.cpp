// The scheduler: blocks in the seeded order, warps of a block in turns, groups of a warp where they can meet again.

#include "kernels/emulator/machine.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include <fmt/format.h>

#include "kernels/base/check.h"
#include "kernels/emulator/memory_access.h"
#include "kernels/trace/reserved_shared.h"

namespace lanescope::emulator {

namespace {

constexpr u32 polls_to_yield = 16;      // same value read so often: somebody else must act
constexpr u32 run_to_yield = 4096;      // instructions of one group while others of its warp wait
constexpr u32 longest_turn = 1u << 16;  // with slice 0: until a barrier, but other warps are not starved

u64 next_random(u64& state) {
  state += 0x9e3779b97f4a7c15u;
  u64 z = state;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

/// The n-th block in the order of a seed: a permutation by a small Feistel network, walked until it falls into range.
u64 block_in_order(u64 n, u64 blocks, u64 seed) {
  if (seed == 1) return n;
  u32 half = 1;
  while ((u64{1} << (2 * half)) < blocks) ++half;
  const u64 mask = (u64{1} << half) - 1;
  u64 x = n;
  do {
    u64 left = x >> half, right = x & mask;
    for (u64 round = 0; round < 4; ++round) {
      u64 state = right ^ seed * 0xd1342543de82ef95u ^ round << 40;
      const u64 fresh = left ^ (next_random(state) & mask);
      left = right;
      right = fresh;
    }
    x = left << half | right;
  } while (x >= blocks);
  return x;
}

/// Deepest in calls first, then lowest in the code, among those that gave way least.
bool runs_before(const Group& a, const Group& b) {
  if (a.penalty != b.penalty) return a.penalty < b.penalty;
  if (a.frames.size() != b.frames.size()) return a.frames.size() > b.frames.size();
  return a.pc < b.pc;
}

int pick_group(const Warp& w) {
  int best = -1;
  for (std::size_t i = 0; i < w.groups.size(); ++i)
    if (w.groups[i].wait == Wait::none &&
        (best < 0 || runs_before(w.groups[i], w.groups[static_cast<std::size_t>(best)])))
      best = static_cast<int>(i);
  return best;
}

}  // namespace

u32 turn_length(const Options& options) { return options.slice == 0 ? longest_turn : options.slice; }

void Running::steer(const trace::Where& where, trace::SteerEvent::What what) {
  trace::SteerEvent e;
  e.where = where;
  e.what = what;
  for (trace::Observer* o : options.observers) o->on_steer(e);
}

std::string Running::place(const trace::Where& where, int lane) const {
  const trace::Dim3& g = program->launch.grid;
  std::string text = fmt::format("block ({},{},{}), warp {}", where.block % g.x, where.block / g.x % g.y,
                                 where.block / g.x / g.y, where.warp);
  if (lane >= 0) text += fmt::format(", lane {}", lane);
  const int line = program->line_of(where.pc);
  const ptx::Instruction* i = program->instruction_of(where.pc);
  if (line > 0)
    text += fmt::format(", line {}", line);
  else if (i != nullptr)
    text += fmt::format(", PTX line {}", i->text_line);
  return text;
}

void Running::fault(Fault f) {
  result.faults.push_back(std::move(f));
  ended = true;
}

void Running::fault_at(Context& c, Fault::Kind kind, int lane, u64 address, std::string what) {
  Fault f;
  f.kind = kind;
  f.where = c.where;
  f.lane = lane;
  f.line = program->line_of(c.where.pc);
  f.address = address;
  f.message = place(c.where, lane) + ": " + what;
  fault(std::move(f));
}

// ---- blocks

void Running::reset(Block& b) {
  const Program& p = *program;
  if (b.warps.empty()) {
    b.warps.resize(p.launch.warps_per_block());
    b.shared.name = "shared memory";
    b.shared.base = p.first_shared;
    b.shared.bytes = p.shared_bytes;
    b.reserved.name = "reserved shared memory";
    b.reserved.base = p.first_shared - trace::reserved_shared_bytes;  // of 32 bits
    b.reserved.bytes = p.uses_reserved ? trace::reserved_shared_bytes : 0;
    for (u32 i = 0; i < b.warps.size(); ++i) {
      Warp& w = b.warps[i];
      w.index = i;
      const u64 threads = p.launch.block.count() - u64{i} * 32;
      w.exists = threads >= 32 ? all_lanes : (1u << threads) - 1;
      w.registers = p.image;
      if (tags()) {
        w.tags.resize(p.image.size());
        w.tagged.resize(p.image.size() / 128 + 1);
      }
      w.local.name = "local memory";
      w.local.bytes = u64{p.local_bytes} * lanes;
    }
  }
  b.shared.own.assign((p.shared_bytes + 7) / 8 * 8, 0);
  b.shared.data = b.shared.own.data();
  b.shared.tags.clear();
  b.reserved.own.assign(b.reserved.bytes, 0);
  b.reserved.data = b.reserved.own.data();
  b.reserved.tags.clear();
  b.barriers = {};
  b.warp = 0;
  b.turn_left = 0;
  b.turn_open = false;
  b.random = options.seed ^ (u64{b.index} << 20);
  for (Warp& w : b.warps) {
    std::memset(w.registers.data() + p.registers_begin, 0, p.registers_end - p.registers_begin);
    std::ranges::fill(w.tags, u8{0});
    std::ranges::fill(w.tagged, u8{0});
    w.local.own.assign(w.local.bytes, 0);
    w.local.data = w.local.own.data();
    w.local.tags.clear();
    w.groups.clear();
    w.groups.push_back({.mask = w.exists, .frames = {}});
    w.blocked = w.polling = false;
    set_specials(p, b, w, options.seed);
  }
}

void Running::start_block() {
  // What blocks in flight still read of each other keeps its identity, so only the first of them decides.
  if (tags() && resident.empty() && options.tags->full()) options.tags = nullptr;
  if (tags()) ++result.identified_blocks;
  std::unique_ptr<Block> b;
  if (spare.empty()) {
    b = std::make_unique<Block>();
  } else {
    b = std::move(spare.back());
    spare.pop_back();
  }
  b->index = static_cast<u32>(block_in_order(next_block++, blocks, options.seed));
  reset(*b);
  current = resident.size();
  resident.push_back(std::move(b));
}

/// Whose turn is next; false when no warp of the block can run.
bool Running::pick_warp(Block& b) {
  const u32 n = static_cast<u32>(b.warps.size());
  const auto can_run = [&](const Warp& w) { return !w.groups.empty() && !w.blocked; };
  if (options.seed == 1) {
    for (u32 i = 1; i <= n; ++i) {
      const u32 w = (b.warp + i) % n;
      if (can_run(b.warps[w])) {
        b.warp = w;
        return true;
      }
    }
    return false;
  }
  u32 runnable = 0;
  for (const Warp& w : b.warps) runnable += can_run(w) ? 1 : 0;
  if (runnable == 0) return false;
  u64 nth = next_random(b.random) % runnable;
  for (u32 w = 0; w < n; ++w)
    if (can_run(b.warps[w]) && nth-- == 0) {
      b.warp = w;
      return true;
    }
  return false;
}

/// Nobody in the block can go on: either lanes wait for each other inside a warp, or a barrier never completes.
void Running::stuck(Block& b) {
  // Lanes that wait inside their warp explain more than those that wait at a barrier for them.
  for (Warp& w : b.warps)
    if (std::ranges::find(w.groups, Wait::warp, &Group::wait) != w.groups.end()) return stuck_in_warp(b, w);
  for (Warp& w : b.warps)
    for (std::size_t i = 0; i < w.groups.size(); ++i) {
      const Group& g = w.groups[i];
      Context c{*this, b, w, i, {result.warp_instructions, b.index, w.index, g.pc, g.mask}};
      const int lane = std::countr_zero(g.mask);
      u32 waiting = 0, total = 0;
      std::string elsewhere;
      for (const Warp& o : b.warps)
        for (const Group& h : o.groups) {
          total += static_cast<u32>(std::popcount(h.mask));
          if (h.barrier == g.barrier && h.wait == Wait::barrier)
            waiting += static_cast<u32>(std::popcount(h.mask));
          else if (elsewhere.empty())
            elsewhere = fmt::format("; warp {} waits at line {}", o.index, program->line_of(h.pc));
        }
      fault_at(c, Fault::Kind::barrier_never_completes, lane, 0,
               fmt::format("barrier {} can never complete: {} of {} threads that have not exited wait at it{}",
                           g.barrier, waiting, total, elsewhere));
      return;
    }
}

// ---- warps

template <bool with_tags, bool with_observers>
u32 Running::run_warp(Block& block, Warp& warp, u32 budget) {
  const Op* ops = program->ops.data();
  u32 done = 0;
  while (done < budget) {
    const int picked = warp.groups.size() == 1 && warp.groups[0].wait == Wait::none ? 0 : pick_group(warp);
    if (picked < 0) {
      warp.blocked = !warp.groups.empty();
      // Where nobody waits at a barrier, nobody outside of the warp can help.
      if (warp.blocked && std::ranges::all_of(warp.groups, [](const Group& g) { return g.wait == Wait::warp; }))
        stuck_in_warp(block, warp);
      break;
    }
    Context c{*this, block, warp, static_cast<std::size_t>(picked), {}};
    c.where.block = block.index;
    c.where.warp = warp.index;
    u8* const registers = warp.registers.data();
    Flow flow = Flow::next;
    const bool alone = warp.groups.size() == 1;
    bool gathered = true;
    do {
      Group& g = warp.groups[static_cast<std::size_t>(picked)];
      const Op& op = ops[g.pc];
      const u32 mask = g.mask & (*row<u32>(registers, op.guard) ^ op.guard_flip);
      if (op.gathers) {
        if (!g.forced && !gather(c, op, mask)) {
          gathered = false;
          break;
        }
        g.forced = false;
        g.together = 0;
      }
      c.where.step = result.warp_instructions++;
      result.thread_instructions += static_cast<u64>(std::popcount(mask));
      ++done;
      if constexpr (with_observers || with_tags) {
        c.where.pc = g.pc;
        c.where.active = op.is_branch ? g.mask : mask;
      }
      if constexpr (!with_observers && !with_tags)
        if (op.exec == nullptr) {
          c.where.pc = g.pc;
          c.where.active = op.is_branch ? g.mask : mask;
        }
      if constexpr (with_observers)
        for (trace::Observer* o : options.observers) o->on_step(c.where);
      if constexpr (with_tags)
        if (op.guarded && (*row<u32>(warp.tags.data(), op.guard) & g.mask) != 0)
          steer(c.where, trace::SteerEvent::What::branch);
      if constexpr (with_tags)
        if (op.warp_wide && !op.one_part && tag_context(c).lanes_with_data(op.parts, 32, mask) != 0)
          steer(c.where, trace::SteerEvent::What::lane);
      if (op.exec != nullptr) {
        if (mask != 0) {
          if constexpr (with_tags) {
            TagContext t = tag_context(c);
            op.tag(t, op, mask);
          }
          op.exec(registers, op, mask);
        }
        ++g.pc;
        continue;
      }
      flow = mask != 0 || op.is_branch ? op.step(c, op, mask) : Flow::next;
      if (flow == Flow::next) ++warp.groups[static_cast<std::size_t>(picked)].pc;
      if (flow == Flow::faulted) return done;
    } while (done < budget && alone && flow == Flow::next);
    if (ended) return done;
    if (!gathered) continue;
    if (warp.groups.empty()) break;
    const bool still_there = flow != Flow::jumped || static_cast<std::size_t>(picked) < warp.groups.size();
    if (still_there) {
      Group& g = warp.groups[static_cast<std::size_t>(picked)];
      if (warp.groups.size() > 1 && (++g.run > run_to_yield || g.polls >= polls_to_yield)) {
        ++g.penalty;
        g.run = 0;
      }
      if (g.polls >= polls_to_yield) {
        g.polls = 0;
        warp.polling = true;
        if (warp.groups.size() > 1) merge_groups(warp);
        break;
      }
    }
    if (warp.groups.size() > 1) merge_groups(warp);
  }
  return done;
}

u32 Running::turn(Block& block, Warp& warp, u32 budget) {
  if (tags())
    return observed() ? run_warp<true, true>(block, warp, budget) : run_warp<true, false>(block, warp, budget);
  return observed() ? run_warp<false, true>(block, warp, budget) : run_warp<false, false>(block, warp, budget);
}

bool Running::advance(u64 steps) {
  while (steps > 0 && !ended) {
    if (options.cancel != nullptr && options.cancel->load(std::memory_order_relaxed)) {
      fault({.kind = Fault::Kind::cancelled, .where = {}, .message = "the run was cancelled"});
      break;
    }
    if (resident.empty()) {
      if (next_block == blocks) {
        ended = true;
        break;
      }
      start_block();
    }
    Block& b = *resident[current];
    if (!b.turn_open) {
      if (!pick_warp(b)) {
        if (b.done()) {
          spare.push_back(std::move(resident[current]));
          resident.erase(resident.begin() + static_cast<std::ptrdiff_t>(current));
          current = 0;
          continue;
        }
        stuck(b);
        continue;
      }
      b.turn_open = true;
      b.turn_left = turn_length(options);
    }
    Warp& w = b.warps[b.warp];
    if (result.warp_instructions >= options.max_steps) {
      const u32 pc = w.groups.empty() ? 0 : w.groups[0].pc;
      Context c{*this, b, w, 0, {result.warp_instructions, b.index, w.index, pc, w.live()}};
      fault_at(c, Fault::Kind::runaway, -1, 0,
               fmt::format("still running after {} warp instructions; a loop here may never end", options.max_steps));
      break;
    }
    const u64 limit = std::min({steps, u64{b.turn_left}, options.max_steps - result.warp_instructions});
    const u32 before_live = static_cast<u32>(w.groups.size());
    const u32 done = turn(b, w, static_cast<u32>(limit));
    steps -= done;
    b.turn_left -= done;
    if (ended) break;
    // Lanes that exit may be the last that a barrier had to wait for.
    if (w.groups.size() < before_live || w.groups.empty())
      for (int i = 0; i < 16; ++i)
        for (const Warp& o : b.warps)
          if (std::ranges::any_of(o.groups,
                                  [&](const Group& g) { return g.wait == Wait::barrier && g.barrier == i; })) {
            release_barriers(b, i);
            break;
          }
    if (b.turn_left == 0 || w.groups.empty() || w.blocked || w.polling) b.turn_open = false;
    // A block in which everybody polls waits for another block: let the next one act.
    const bool all_polling = w.polling && std::ranges::all_of(b.warps, [](const Warp& o) {
                               return o.groups.empty() || o.blocked || o.polling;
                             });
    if (all_polling) {
      for (Warp& o : b.warps) o.polling = false;
      if (next_block < blocks && resident.size() < 4096)
        start_block();
      else
        current = (current + 1) % resident.size();
    }
  }
  return !ended;
}

}  // namespace lanescope::emulator
