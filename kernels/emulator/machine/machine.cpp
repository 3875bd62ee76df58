// The mechanics: blocks start and end, a warp has its turn, a group of lanes executes. Who is next, schedule.h says.

#include "kernels/emulator/machine/machine.h"

#include <algorithm>
#include <bit>
#include <utility>

#include <fmt/format.h>

#include "kernels/base/check.h"
#include "kernels/emulator/machine/device_heap.h"
#include "kernels/emulator/machine/schedule.h"

namespace lanescope::emulator {

void Running::steer(const trace::Where& where, trace::SteerEvent::What what, u32 steered) {
  trace::SteerEvent e;
  e.where = where;
  e.what = what;
  e.lanes = steered;
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

void Running::refuse_at(Context& c, const RefusedOp& refused, int lane) {
  const auto same = [&](const Fault& f) { return f.where.pc == c.where.pc; };
  if (std::ranges::any_of(refusals, same)) return;
  Fault& f = refusals.emplace_back();
  f.kind = Fault::Kind::unsupported;
  f.where = c.where;
  f.lane = lane;
  f.line = program->line_of(c.where.pc);
  f.what = refused.message;
  f.message = place(c.where, lane) + ": " + f.what;
  f.remedy = refused.remedy;
}

void Running::fault_at(Context& c, Fault::Kind kind, int lane, u64 address, const std::string& what,
                       const std::string& remedy) {
  Fault f;
  f.kind = kind;
  f.where = c.where;
  f.lane = lane;
  f.line = program->line_of(c.where.pc);
  f.address = address;
  f.what = what;
  f.message = place(c.where, lane) + ": " + what;
  f.remedy = remedy;
  fault(std::move(f));
}

TagContext Context::tags() {
  return {*machine.options.tags,
          *machine.cache,
          warp.registers.data(),
          warp.tags.data(),
          warp.tagged.data(),
          [](void* self, trace::SteerEvent::What what, u32 steered) {
            auto* context = static_cast<Context*>(self);
            context->machine.steer(context->where, what, steered);
          },
          this,
          machine.chosen,
          machine.absent};
}

// ---- blocks

void Running::end_block() {
  ++ended_blocks;
  for (trace::Observer* o : options.observers) o->on_block_end(resident[current]->index, resident[current]->steps);
  spare.push_back(std::move(resident[current]));
  resident.erase(resident.begin() + static_cast<std::ptrdiff_t>(current));
  current = 0;
}

/// Ends a block whose lanes wait for some that came to an instruction that cannot be executed.
void Running::abandon(Block& b) {
  for (Warp& w : b.warps) {
    for (const Group& g : w.groups) {
      left_at.push_back(g.pc);
      for (const Frame& f : g.frames) left_at.push_back(f.return_pc);
    }
    w.groups.clear();
  }
  std::ranges::sort(left_at);
  left_at.erase(std::ranges::unique(left_at).begin(), left_at.end());
  ++result.unfinished.blocks;
}

/// The same for every block that runs or would still begin.
void Running::abandon_all() {
  for (const auto& b : resident) abandon(*b);
  if (next_block < blocks) left_at.push_back(0);
  result.unfinished.blocks += blocks - next_block;
  ended = true;
}

/// From here on only running blocks and sample blocks run.
void Running::cut(trace::Coverage::Ended why, u32 samples_wanted) {
  result.coverage.ended = why;
  const u64 left = blocks - next_block;
  constexpr u64 most_searched = 1u << 24;  // for the place of a block in a shuffled order
  const auto add = [&](u64 n) {
    if (std::ranges::find(samples, n) == samples.end()) samples.push_back(n);
  };
  if (options.limits.wanted && *options.limits.wanted < blocks)
    for (u64 n = options.seed == 1 && cluster_blocks() == 1 ? std::max<u64>(next_block, *options.limits.wanted)
                                                            : next_block;
         n < std::min(blocks, next_block + most_searched); ++n)
      if (block_at(n) == *options.limits.wanted) {
        add(n);
        break;
      }
  const u64 spread = std::min<u64>(samples_wanted, left);
  for (u64 i = 0; i < spread; ++i) add(blocks - 1 - i * left / spread);
  std::ranges::reverse(samples);
}

/// Running blocks stay where they are.
void Running::leave_all() {
  if (!is_cut()) result.coverage.ended = trace::Coverage::Ended::time;
  samples.clear();
  for (const auto& b : resident) {
    if (b->done()) continue;
    ++result.coverage.midway;
    abandon(*b);
  }
  ended = true;
}

/// The present answers of clock and pool; in a run that repeats an earlier one, the answers of that run.
Outside Running::outside() {
  ++starts_asked;
  Journal* const journal = options.journal;
  if (journal != nullptr) journal->asked = starts_asked;
  if (journal != nullptr && starts_asked <= journal->known) {
    const auto found = std::ranges::find(journal->answers, starts_asked, &Journal::Answer::number);
    return found == journal->answers.end() ? Outside{} : found->said;
  }
  const auto late = [](Limits::Clock::time_point end) {
    return end != Limits::Clock::time_point::max() && Limits::Clock::now() >= end;
  };
  const Limits& limits = options.limits;
  const Outside now{.late_for_blocks = late(limits.no_block_after),
                    .late_for_samples = late(limits.no_sample_after),
                    .late_for_all = late(limits.leave_at),
                    .pool_full = tags() && options.tags->full()};
  if (journal != nullptr && now.any()) journal->answers.push_back({starts_asked, now});
  return now;
}

bool Running::may_start() {
  using Ended = trace::Coverage::Ended;
  const Limits& limits = options.limits;
  const Outside now = outside();
  // Words that blocks in flight still read from each other keep their identities, so only the first of them decides.
  const bool full = tags() && resident.empty() &&
                    (now.pool_full || result.identified_blocks >= options.identified_blocks) &&
                    (is_cut() ? !samples.empty() : next_block < blocks);
  if (!is_cut() && next_block > 0 && next_block < blocks) {
    if (limits.blocks > 0 && next_block >= limits.blocks && resident.empty())
      cut(Ended::asked, limits.samples);
    else if (now.late_for_blocks)
      cut(Ended::time, limits.samples);
    else if (full && limits.while_identified)
      cut(Ended::asked, 0);
  }
  if (is_cut() && !samples.empty() && now.late_for_samples) {
    // The block that was requested and the last one still run, where they have not yet.
    const std::size_t kept = (options.limits.wanted ? 2 : 1);
    const std::size_t begun = result.coverage.others.size();
    const std::size_t keep = begun < kept ? kept - begun : 0;
    if (samples.size() > keep) samples.erase(samples.begin(), samples.end() - static_cast<std::ptrdiff_t>(keep));
    if (now.late_for_all) samples.clear();
  }
  if (full) options.tags = nullptr;
  return is_cut() ? !samples.empty() : next_block < blocks;
}

void Running::look_at_clock() {
  constexpr u64 steps_between = 1u << 14;
  next_look = result.warp_instructions + steps_between;
  if (Limits::Clock::now() >= options.limits.leave_at) leave_all();
}

/// The launch is over.
void Running::end() {
  if (result.coverage.ran() == blocks && result.coverage.midway == 0)
    result.coverage.ended = trace::Coverage::Ended::whole;
  if (result.faults.empty() && !left_at.empty()) result.unfinished.probes = probes_ahead(*program, left_at);
  std::ranges::move(refusals, std::back_inserter(result.faults));
  refusals.clear();
  result.heap = heap_left_by(*this);
  result.grids.clear();
  if (!result.faults.empty()) return;
  for (const std::size_t i : order_of_launches(runtime, options.seed)) result.grids.push_back(runtime.launched[i]);
}

// ---- warps

/// Runs one group until others may be better placed to run: alone in its warp, until it jumps, waits or its budget is
/// used up; otherwise for one instruction. `waiting`: it executed nothing, since it must wait for other lanes first.
template <bool with_tags, bool with_observers>
Running::Ran Running::run_group(Context& c, u32 budget) {
  const Op* const ops = program->ops.data();
  u8* const registers = c.registers();
  // Others wait for this group, or there are none: nothing changes for it until it comes to a join, yields or jumps.
  const bool alone = c.warp.groups.size() == 1;
  const bool leads = alone || std::ranges::count(c.warp.groups, Wait::none, &Group::wait) == 1;
  const Meeting* const meetings = program->meetings.data();
  const auto interrupted = [&](u32 pc) { return !alone && (meetings[pc].is_join || meetings[pc].yields); };
  Ran ran;
  do {
    if (!with_tags && translation != nullptr && budget > 1 && c.group().mask == all_lanes && c.group().joins.empty() &&
        translation->observed() == with_observers && translation->has(c.group().pc, budget - ran.instructions)) {
      const Translation::Ran done = translation->run(c, budget - ran.instructions);
      ran.instructions += done.instructions;
      ran.flow = done.flow;
      continue;
    }
    const Op& op = ops[c.group().pc];
    const u32 mask = c.group().mask & (*row<u32>(registers, op.guard) ^ op.guard_flip);
    if (op.gathers) {
      if (!c.group().forced && !gather(c, op, mask)) {
        ran.flow = Flow::waiting;
        break;
      }
      c.group().forced = false;
      c.group().together = 0;
    }
    Group& g = c.group();  // after gather(), which may add groups
    c.where.step = result.warp_instructions++;
    // Without an instruction of the processor for it, counting costs as much as a multiplication of all lanes.
    result.thread_instructions += mask == all_lanes ? u64{lanes} : static_cast<u64>(std::popcount(mask));
    ++ran.instructions;
    if (!alone) ++g.run;
    if (with_observers || with_tags || op.exec == nullptr) {
      c.where.pc = g.pc;
      c.where.active = op.is_branch ? g.mask : mask;
    }
    if constexpr (with_observers)
      for (trace::Observer* o : options.observers) o->on_step(c.where);
    if constexpr (with_tags) {
      if (const u32 by = op.guarded ? *row<u32>(c.warp.tags.data(), op.guard) & g.mask : 0; by != 0)
        steer(c.where, trace::SteerEvent::What::branch, by);
      if (op.warp_wide && !op.one_part)
        if (const u32 by = c.tags().lanes_with_data(op.parts, 32, mask); by != 0)
          steer(c.where, trace::SteerEvent::What::lane, by);
    }
    if (op.exec != nullptr) {
      if (mask != 0) {
        if constexpr (with_tags) {
          TagContext t = c.tags();
          op.tag(t, op, mask);
        }
        op.exec(registers, op, mask);
      }
      ++g.pc;
      continue;
    }
    ran.flow = mask != 0 || op.is_branch ? op.step(c, op, mask) : Flow::next;
    if (ran.flow == Flow::next) ++c.group().pc;
  } while (ran.instructions < budget && leads && ran.flow == Flow::next && !interrupted(c.group().pc));
  ran.only_budget = leads && ran.flow == Flow::next && !interrupted(c.group().pc);
  return ran;
}

template <bool with_tags, bool with_observers>
Running::Turn Running::run_warp(Block& block, Warp& warp, u32 budget, bool interrupts) {
  u32 done = 0;
  while (done < budget) {
    if (warp.groups.size() > 1 || (warp.groups.size() == 1 && warp.groups.front().wait == Wait::join))
      reconverge(*program, warp);
    const int picked = pick_group(warp);
    if (picked < 0) {
      warp.blocked = !warp.groups.empty();
      // Where no warp waits at a barrier, no thread outside of the warp can help.
      if (warp.blocked && std::ranges::all_of(warp.groups, [](const Group& g) { return g.wait == Wait::warp; }))
        stuck_in_warp(block, warp);
      return {done, false};
    }
    Context c{*this, block, warp, static_cast<std::size_t>(picked), {.block = block.index, .warp = warp.index}};
    if (warp.groups.size() > 1) {
      Group& g = c.group();
      if (program->meetings[g.pc].yields && !std::exchange(g.yields, true)) continue;
      g.yields = false;
    }
    const Ran ran = run_group<with_tags, with_observers>(c, budget - done);
    done += ran.instructions;
    if (ended) return {done, false};
    if (ran.flow == Flow::waiting) continue;
    if (warp.groups.empty()) return {done, false};
    // A turn that continues later: nothing happens here that would not, were it in one piece.
    if (interrupts && done == budget && ran.only_budget) return {done, true};
    const bool is_there = ran.flow != Flow::jumped || c.group_index < warp.groups.size();
    const bool gives_up_turn = is_there && gives_way(warp, c.group());
    if (gives_up_turn) return {done, false};
  }
  return {done, true};
}

Running::Turn Running::turn(Block& block, Warp& warp, u32 budget, bool interrupts) {
  if (tags())
    return observed() ? run_warp<true, true>(block, warp, budget, interrupts)
                      : run_warp<true, false>(block, warp, budget, interrupts);
  return observed() ? run_warp<false, true>(block, warp, budget, interrupts)
                    : run_warp<false, false>(block, warp, budget, interrupts);
}

// ---- turns

/// Whether turns may be executed as rounds: warps have them one after the other, and no observer needs that order.
bool Running::has_rounds() const {
  return translation != nullptr && options.slice == 1 && options.seed == 1 && cluster_blocks() == 1 &&
         std::ranges::none_of(options.observers, [](const trace::Observer* o) { return o->needs_turns(); });
}

/// Several turns of each warp that can run, of one instruction each, which concern the warps alone. So these may have them
/// one warp after the other. The block is then where it was: the first of these warps has the turn. 0: not here.
u64 Running::round(Block& b, u64 steps) {
  constexpr u32 shortest = 3;
  const Warp& next = b.warps[b.warp];
  if (!can_run(next) || next.groups.size() > 1 || translation->apart(next.groups.front().pc) < shortest) return 0;
  // Warps that go side by side are at one place before the first of them has its turn.
  const Warp& last = b.warps[(b.warp + b.warps.size() - 1) % b.warps.size()];
  if (!can_run(last) || last.groups.front().pc != next.groups.front().pc) return 0;
  u32 length = ~u32{0};
  u64 warps = 0;
  for (const Warp& w : b.warps) {
    if (!can_run(w)) continue;
    const Group& g = w.groups.front();
    if (w.groups.size() > 1 || g.wait != Wait::none || g.forced || !g.joins.empty() || w.polling ||
        g.polls >= polls_to_yield)
      return 0;
    length = std::min(length, translation->apart(g.pc));
    if (length < shortest) return 0;
    ++warps;
  }
  const u64 most = std::min(steps, step_limit - result.warp_instructions);
  if (most == 0) return 0;
  length = static_cast<u32>(std::min<u64>(length, (most - 1) / warps));  // what follows is a turn
  if (length < shortest) return 0;
  for (Warp& w : b.warps)
    if (can_run(w)) LS_CHECK_EQ(turn(b, w, length, false).instructions, length);
  polls_in_cluster = 0;
  b.turn_groups = b.warps[b.warp].groups.size();
  b.steps += length * warps;
  return length * warps;
}

/// The block that runs now, one of its warps having the turn; nullptr when the launch has ended.
Block* Running::open_turn() {
  while (!ended) {
    if (resident.empty()) {
      if (next_block >= pause_at) break;
      if (!may_start()) {
        ended = true;
        break;
      }
      start_blocks();
    }
    Block& b = *resident[current];
    if (b.turn_open) return &b;
    if (pick_warp(b, options.seed)) {
      b.turn_open = true;
      b.turn_left = turn_length(options);
      b.turn_groups = b.warps[b.warp].groups.size();
      return &b;
    }
    if (b.done()) {
      end_block();
      continue;
    }
    if (go_on_elsewhere()) continue;
    const auto is_refused = [](const Warp& w) {
      return std::ranges::find(w.groups, Wait::refused, &Group::wait) != w.groups.end();
    };
    const bool refused = std::ranges::any_of(resident, [&](const auto& other) {
      return other->cluster == b.cluster && std::ranges::any_of(other->warps, is_refused);
    });
    if (!refused) {
      stuck(b);
      continue;
    }
    // A wait in the cluster includes those.
    const u32 cluster = b.cluster;
    for (const auto& other : resident)
      if (other->cluster == cluster && !other->done()) abandon(*other);
    end_block();
  }
  return nullptr;
}

/// Where the current block cannot continue, but another one that runs beside it can (or is done): that one is next.
bool Running::go_on_elsewhere() {
  if (cluster_blocks() == 1) return false;
  for (std::size_t i = 1; i < resident.size(); ++i) {
    const std::size_t at = (current + i) % resident.size();
    if (!resident[at]->done() && std::ranges::none_of(resident[at]->warps, can_run)) continue;
    current = at;
    return true;
  }
  return false;
}

/// Ends the turn of a warp that cannot use it, and lets another block act where this one waits for one.
void Running::close_turn(Block& b, Warp& w) {
  if (b.turn_left == 0 || w.groups.empty() || w.blocked || w.polling) b.turn_open = false;
  const bool several = cluster_blocks() > 1;
  if (!w.polling || !everybody_polls(b)) {
    polls_in_cluster = 0;
    // Blocks of a cluster run side by side.
    if (several && !b.turn_open) current = (current + 1) % resident.size();
    return;
  }
  if (view != nullptr) return wait_for_turn();
  for (Warp& o : b.warps) o.polling = false;
  // The threads that it waits for may have reached an instruction that cannot be executed.
  if (!refusals.empty() && ++polls_after_refusal > most_polls_after_refusal) {
    abandon(b);
    end_block();
    return;
  }
  idle_turns = acts == idle_at ? idle_turns + 1 : 0;
  idle_at = acts;
  if (several && ++polls_in_cluster < 16 * resident.size()) {  // another of them may be who acts
    current = (current + 1) % resident.size();
    return;
  }
  polls_in_cluster = 0;
  if (resident.size() < most_resident_blocks) {
    // More blocks were not requested, but this one may wait for them.
    if (result.coverage.ended == trace::Coverage::Ended::asked && result.coverage.others.empty() &&
        next_block < blocks) {
      result.coverage.ended = trace::Coverage::Ended::whole;
      samples.clear();
    }
    if (may_start()) return start_blocks();
  }
  if (is_cut() && ++polls_after_cut > most_polls_after_refusal) {
    // It may wait for a block that does not run.
    ++result.coverage.midway;
    abandon(b);
    end_block();
  } else if (refusals.empty() && !is_cut() && idle_turns > idle_rounds_to_stop * resident.size()) {
    stuck_polling();
  } else {
    current = (current + 1) % resident.size();
  }
}

bool Running::cancelled() {
  if (not_needed != nullptr && not_needed->load(std::memory_order_relaxed)) wait_for_turn();
  if (options.cancel == nullptr || !options.cancel->load(std::memory_order_relaxed)) return false;
  fault({.kind = Fault::Kind::cancelled,
         .where = {},
         .what = "the run was cancelled",
         .message = "the run was cancelled"});
  return true;
}

void Running::runaway(Block& b, Warp& w) {
  if (view != nullptr) return wait_for_turn();
  if (!refusals.empty()) return abandon_all();
  if (ended_blocks > 0 && step_limit == options.max_steps) {
    if (!is_cut() && next_block < blocks) cut(trace::Coverage::Ended::steps, 1);
    step_limit += step_limit / 2;  // for running blocks
    return;
  }
  const u32 pc = w.groups.empty() ? 0 : w.groups[0].pc;
  Context c{*this, b, w, 0, {result.warp_instructions, b.index, w.index, pc, w.live()}};
  fault_at(c, Fault::Kind::runaway, -1, 0,
           fmt::format("step limit: the run was stopped after {} warp instructions; check for an endless loop",
                       options.max_steps));
}

bool Running::advance(u64 steps) {
  constexpr u32 turns_between_looks = 16;  // with slice 1 a turn is an instruction
  u32 turns = 0;
  const bool rounds = has_rounds();
  while (steps > 0 && !ended) {
    if (turns++ % turns_between_looks == 0 && (cancelled() || ended)) break;
    Block* const b = open_turn();
    if (b == nullptr) break;
    if (rounds && result.warp_instructions < next_look)
      if (const u64 ran = round(*b, steps); ran > 0) {
        steps -= ran;
        continue;
      }
    Warp& w = b->warps[b->warp];
    if (result.warp_instructions >= step_limit) {
      runaway(*b, w);
      if (ended) break;
    }
    if (result.warp_instructions >= next_look) {
      look_at_clock();
      if (ended) break;
    }
    const u64 limit = std::min({steps, u64{b->turn_left}, step_limit - result.warp_instructions});
    const bool interrupts = limit < b->turn_left && limit < step_limit - result.warp_instructions;
    const Turn ran = turn(*b, w, static_cast<u32>(limit), interrupts);
    steps -= ran.instructions;
    b->turn_left -= ran.instructions;
    b->steps += ran.instructions;
    if (ended) break;
    if (interrupts && ran.goes_on) break;
    if (w.groups.size() < b->turn_groups || w.groups.empty()) release_barriers_of_exited(*b);
    close_turn(*b, w);
  }
  if (ended) end();
  return !ended;
}

}  // namespace lanescope::emulator
