// Where lanes of a warp reconverge and diverge.
//
// Lanes that part at a branch wait at its join for the others (kernels/ptx/reconvergence.h), as threads wait at the
// convergence barrier of the machine code: for those that can still come. Lanes that yield, or that wait for others
// elsewhere, are not waited for. So a lane that spins until another one stores is no deadlock, though the other waits for it.
//
// A `.sync` operation names its members, lane by lane, and "waits until all non-exited threads corresponding to
// membermask have executed it with the same membermask" (PTX ISA, shfl.sync and its siblings). So lanes that come with
// different masks are different groups, as on an H200: one instruction, executed once for each mask. For example, with
// mask = lane < 16 ? 0x0000ffff : 0xffff0000 at one vote.sync.ballot of `lane is even`:
//
//   lanes  0..15   name 0x0000ffff   act together   0x00005555
//   lanes 16..31   name 0xffff0000   act together   0x55550000
//
// Lanes wait for those that their mask names until these come with the same mask, or exit. They may come at another
// instruction: then all execute one operation, if both are the same one (shfl.bfly with shfl.bfly, redux.add.s32 with
// redux.add.s32), each with its own operands, as on an H100. Different operations wait for ever there, which is a fault.
// So are a lane that is not in its own mask, and lanes that wait for each other with different masks.
// Lanes with different masks may still execute a shuffle at once (shuffle_at_once).
//
// An aligned barrier of the block is for all lanes of a warp at once: those that come wait until the others have come to
// the same instruction, or have exited.

#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "kernels/base/set_bits.h"
#include "kernels/emulator/machine/machine.h"

namespace lanescope::emulator {

namespace {

u32 lanes_like_first(const u32* words, u32 mask) {
  const u32 word = words[std::countr_zero(mask)];
  u32 like = 0;
  for (int l = 0; l < lanes; ++l) like |= static_cast<u32>(words[l] == word) << l;
  return like & mask;
}

/// Group::together of lanes that agree in a word.
constexpr u64 agreed(u32 word) { return u64{1} << 32 | word; }
/// The same at an aligned barrier of the block, whose number it is.
constexpr u64 whole_warp_bit = u64{1} << 33;

std::string opcode_text(const ptx::Instruction& i) {
  std::string text = i.opcode;
  for (const std::string& m : i.modifiers) text += "." + m;
  return text;
}

/// The lanes that wait for each other: living lanes of the member mask, at an aligned barrier all of the warp.
u32 members(const Warp& w, u64 together) {
  return (together & whole_warp_bit) != 0 ? w.live() : static_cast<u32>(together) & w.live();
}

bool comes(const Group& g, u64 together) { return g.wait == Wait::warp && g.together == together; }

/// Those of them that have not come.
u32 missing_members(const Warp& w, u64 together) {
  u32 here = 0;
  for (const Group& g : w.groups)
    if (comes(g, together)) here |= g.mask;
  return members(w, together) & ~here;
}

/// Whether lanes at these instructions execute one operation: what it does and its types are the same, for any other
/// operands. bar.warp and barrier.warp are one.
bool is_same_operation(const ptx::Instruction& a, const ptx::Instruction& b) {
  const auto is_barrier = [](const ptx::Instruction& i) { return i.opcode == "bar" || i.opcode == "barrier"; };
  return (a.opcode == b.opcode || (is_barrier(a) && is_barrier(b))) && a.modifiers == b.modifiers;
}

/// Joins that the lanes of the group have passed by are no longer theirs.
void drop_passed(const Program& p, Group& g) {
  const s32 rank = p.meetings[g.pc].rank;
  const auto depth = static_cast<u32>(g.frames.size());
  while (!g.joins.empty() &&
         (g.joins.back().depth > depth || (g.joins.back().depth == depth && g.joins.back().rank < rank)))
    g.joins.pop_back();
}

/// The group expects the join, and with it all that wait for it at joins farther in: they came that way together.
void add_join(const Program& p, Warp& w, std::size_t group, Join join) {
  std::vector<Join>& joins = w.groups[group].joins;
  if (w.groups.size() == 1) joins.clear();
  drop_passed(p, w.groups[group]);
  const auto same_place = [&](const Join& o) { return o.rank == join.rank && o.depth == join.depth; };
  if (std::ranges::any_of(joins, same_place)) return;
  auto at = joins.end();
  while (at != joins.begin() &&
         ((at - 1)->depth > join.depth || ((at - 1)->depth == join.depth && (at - 1)->rank < join.rank)))
    --at;
  if (at == joins.end()) {
    join.mask = w.groups[group].mask;
    joins.push_back(join);
    return;
  }
  const Join outermost = *at;
  join.mask = outermost.mask;
  for (Group& g : w.groups)
    if (const auto found = std::ranges::find(g.joins, outermost); found != g.joins.end()) g.joins.insert(found, join);
}

/// Whether the group is at the next of its joins.
bool comes_to_join(const Program& p, Group& g) {
  drop_passed(p, g);
  return !g.joins.empty() && g.joins.back().depth == g.frames.size() && g.joins.back().pc == g.pc;
}

}  // namespace

void part_group(Context& c, u32 mask, u32 pc) {
  const u32 others = c.group().mask & ~mask;
  if (others == 0) return;
  Group rest = c.group();
  rest.mask = others;
  rest.pc = pc;
  c.group().mask &= mask;
  c.warp.groups.push_back(std::move(rest));
}

void expect_join_at(Context& c, u32 pc) {
  const Program& p = *c.machine.program;
  const Group& g = c.group();
  add_join(p, c.warp, c.group_index, {pc, static_cast<u32>(g.frames.size()), p.meetings[pc].rank, 0});
}

void expect_join(Context& c) {
  const Program& p = *c.machine.program;
  const Group& g = c.group();
  const Meeting& m = p.meetings[g.pc];
  const u32 depth = static_cast<u32>(g.frames.size());
  if (m.kind == Meeting::Kind::at) add_join(p, c.warp, c.group_index, {m.pc, depth, m.join_rank, 0});
  if (m.kind == Meeting::Kind::returned && depth > 0) {
    const u32 back = g.frames.back().return_pc;
    add_join(p, c.warp, c.group_index, {back, depth - 1, p.meetings[back].rank, 0});
  }
}

void begin_round(const Program& p, Group& g) {
  const Meeting& header = p.meetings[g.pc];
  const auto depth = static_cast<u32>(g.frames.size());
  while (!g.joins.empty() &&
         (g.joins.back().depth > depth || (g.joins.back().depth == depth && g.joins.back().rank < header.round_ends)))
    g.joins.pop_back();
}

void reconverge(const Program& p, Warp& w) {
  if (w.groups.size() == 1) {
    Group& g = w.groups.front();
    if (g.wait == Wait::join) g.wait = Wait::none;
    g.penalty = g.run = 0;
    g.yields = false;
    return;
  }
  for (Group& g : w.groups)
    if (g.wait == Wait::none && !g.forced && comes_to_join(p, g)) g.wait = Wait::join;
  for (std::size_t i = 0; i < w.groups.size(); ++i) {
    if (w.groups[i].wait != Wait::join) continue;
    const Join join = w.groups[i].joins.back();
    const auto is_here = [&](const Group& g) { return g.wait == Wait::join && g.joins.back() == join; };
    const auto comes = [&](const Group& g) {
      return (g.wait == Wait::none || g.wait == Wait::join) && !g.yields && !is_here(g) &&
             std::ranges::find(g.joins, join) != g.joins.end();
    };
    if (std::ranges::any_of(w.groups, comes)) continue;
    for (std::size_t j = w.groups.size(); --j > i;) {
      if (!is_here(w.groups[j])) continue;
      w.groups[i].mask |= w.groups[j].mask;
      w.groups.erase(w.groups.begin() + static_cast<std::ptrdiff_t>(j));
    }
    Group& g = w.groups[i];
    g.joins.pop_back();
    g.penalty = g.run = g.polls = 0;
    g.wait = comes_to_join(p, g) ? Wait::join : Wait::none;
    return reconverge(p, w);
  }
}

namespace {

/// Lanes that wait for each other at one `.sync` operation execute it together.
void merge_waiting(Warp& w) {
  for (std::size_t i = 0; i < w.groups.size(); ++i)
    for (std::size_t j = i + 1; j < w.groups.size();) {
      Group& a = w.groups[i];
      const Group& b = w.groups[j];
      if (a.wait != Wait::warp || b.wait != Wait::warp || a.pc != b.pc || a.together != b.together ||
          a.frames != b.frames) {
        ++j;
        continue;
      }
      a.mask |= b.mask;
      a.penalty = std::max(a.penalty, b.penalty);
      a.run = 0;
      const auto common = std::ranges::mismatch(a.joins, b.joins).in1;
      a.joins.erase(common, a.joins.end());
      w.groups.erase(w.groups.begin() + static_cast<std::ptrdiff_t>(j));
    }
}

}  // namespace

void wake_waiting(Warp& w) {
  for (Group& g : w.groups)
    if (g.wait == Wait::warp) g.wait = Wait::none;
}

/// Whether the group executes this operation now. It may lose lanes that differ, or begin to wait; then the next group
/// is picked again. Lanes that its guard keeps from a `.sync` operation go on without it, as by a branch.
bool Running::gather(Context& c, const Op& op, u32 mask) {
  if (mask == 0) return true;
  Warp& w = c.warp;
  const u32* words = row<u32>(c.registers(), op.parts);
  const u32 word = words[std::countr_zero(mask)];
  const u32 like = op.one_part ? mask : lanes_like_first(words, mask);
  const u32 pc = c.group().pc;
  if (const u32 off = op.warp_wide ? c.group().mask & ~mask : 0; off != 0) {
    expect_join_at(c, pc + 1);
    part_group(c, mask, pc + 1);
  }
  Group& g = c.group();
  g.together = op.whole_warp ? whole_warp_bit | word : agreed(word);
  g.joint = nullptr;
  const bool may_differ = op.warp_wide && !op.one_part && (like != mask || w.groups.size() > 1);
  if (may_differ && shuffle_at_once(c, op, mask)) return false;
  if (like != mask) {
    expect_join_at(c, pc + 1);
    Group others = g;
    others.mask = g.mask & mask & ~like;
    others.together = 0;
    g.mask &= ~others.mask;
    w.groups.push_back(std::move(others));
    return false;
  }
  if (!op.warp_wide && !op.whole_warp) return true;
  if (const u32 unnamed = op.whole_warp ? 0 : mask & ~word; unnamed != 0) {
    c.where.step = result.warp_instructions;
    c.where.pc = pc;
    c.where.active = mask;
    fault_at(c, Fault::Kind::member_mask, std::countr_zero(unnamed), 0,
             fmt::format("executes `{}` with the member mask {:#010x}, which does not name this lane",
                         opcode_text(*program->instruction_of(pc)), word));
    return false;
  }
  if ((members(w, g.together) & ~g.mask) == 0) {
    if (observed() && op.warp_wide) report_sync(c, pc, mask, true);
    return true;
  }
  const u64 together = g.together;
  g.wait = Wait::warp;
  merge_waiting(w);
  if (missing_members(w, together) == 0) execute_together(c, pc, together);
  return false;
}

/// Lanes at a shuffle whose masks differ execute it at once if all members of these have come: then a lane can read one
/// that its mask does not name, which is undefined in PTX. On an H100 this holds for a shuffle that is the only one of its
/// mode. Others have a way of their own for lanes that come apart (`BRA.DIV`), where each mask is executed alone.
bool Running::shuffle_at_once(Context& c, const Op& op, u32 mask) {
  Warp& w = c.warp;
  const u32 pc = c.group().pc;
  if (program->instruction_of(pc)->opcode != "shfl") return false;
  const bool only_one = program->shuffles[op.immediate].only_one;
  if (!only_one && mask != w.live()) return false;
  const auto waits_here = [&](const Group& g) {
    return &g != &c.group() && g.pc == pc && !g.forced && (g.wait == Wait::warp || g.together != 0) &&
           g.frames == c.group().frames;
  };
  u32 here = mask;
  for (const Group& g : w.groups) here |= waits_here(g) ? g.mask : 0;
  const u32* words = row<u32>(c.registers(), op.parts);
  const auto is_complete = [&](std::size_t lane) {
    const u32 named = words[lane] & w.live();
    const bool own = (words[lane] >> lane & 1) != 0;
    return own && (named & ~here) == 0 && lanes_like_first(words, named) == named;
  };
  u32 complete = 0;
  for (const std::size_t l : set_bits(here)) complete |= static_cast<u32>(is_complete(l)) << l;
  if ((complete & mask) == 0 || lanes_like_first(words, complete) == complete) return false;

  Joint values{.mask = 0, .readable = complete};
  for (const std::size_t l : set_bits(complete)) {
    values.values[l] = row<u32>(c.registers(), op.a)[l];
    if (tags()) values.tags[l] = row<u32>(w.tags.data(), op.a)[l];
  }
  expect_join_at(c, pc + 1);
  const Group before = c.group();
  c.group().mask &= ~complete;
  for (u32 left = complete; left != 0;) {
    values.mask = lanes_like_first(words, left);
    left &= ~values.mask;
    const auto joint = std::make_shared<const Joint>(values);
    const auto execute = [&](Group& g) {
      g.wait = Wait::none;
      g.forced = true;
      g.joint = joint;
    };
    for (Group& g : w.groups)
      if (waits_here(g) && (g.mask & values.mask) != 0) execute(g);
    if (const u32 own = before.mask & values.mask; own != 0) {
      Group part = before;
      part.mask = own;
      execute(part);
      w.groups.push_back(std::move(part));
    }
    if (observed()) report_sync(c, pc, values.mask, true);
  }
  if (c.group().mask == 0) w.groups.erase(w.groups.begin() + static_cast<std::ptrdiff_t>(c.group_index));
  return true;
}

/// All lanes that wait for each other have come. At several instructions they execute one operation.
void Running::execute_together(Context& c, u32 pc, u64 together) {
  Warp& w = c.warp;
  const auto of_others = [&](const Group& g) { return comes(g, together) && !(g.pc == pc || joins(pc, g.pc)); };
  if (const auto other = std::ranges::find_if(w.groups, of_others); other != w.groups.end()) {
    const auto here = std::ranges::find_if(w.groups, [&](const Group& g) { return comes(g, together) && g.pc == pc; });
    return does_not_join(c, *here, *other);
  }
  const auto executes = [&](const Group& g) {
    const Op& op = program->ops[g.pc];
    return op.whole_warp ? g.mask : g.mask & (*row<u32>(c.registers(), op.guard) ^ op.guard_flip);
  };
  auto joint = std::make_shared<Joint>();
  bool one_place = true;
  std::size_t groups = 0;
  for (const Group& g : w.groups) {
    if (!comes(g, together)) continue;
    ++groups;
    one_place = one_place && g.pc == pc;
    const Op& op = program->ops[g.pc];
    const u32 mask = executes(g);
    joint->mask |= mask;
    if (op.a_bits == 1) {
      joint->votes |= (*row<u32>(c.registers(), op.a) ^ op.flip) & mask;
      continue;
    }
    for (const std::size_t l : set_bits(mask)) {
      joint->values[l] = op.a_bits == 64 ? row<u64>(c.registers(), op.a)[l] : row<u32>(c.registers(), op.a)[l];
      joint->tags[l] = tags() && op.a_bits == 32 ? row<u32>(w.tags.data(), op.a)[l] : trace::no_data;
    }
  }
  joint->readable = joint->mask;
  const u32 all = joint->mask;
  const bool is_wide = program->ops[pc].warp_wide;
  for (Group& g : w.groups)
    if (comes(g, together)) {
      g.wait = Wait::none;
      g.forced = true;
      if (groups > 1) g.joint = joint;
    }
  if (observed() && is_wide) report_sync(c, pc, all, one_place);
}

bool Running::joins(u32 pc, u32 other) const {
  const ptx::Instruction* const a = program->instruction_of(pc);
  const ptx::Instruction* const b = program->instruction_of(other);
  if (a == nullptr || b == nullptr) return false;
  if (program->ops[pc].whole_warp || program->ops[other].whole_warp)  // barrier.arrive, and no aligned one
    return a->opcode == "barrier" && b->opcode == "barrier" && a->modifiers == b->modifiers &&
           std::ranges::find(a->modifiers, "aligned") == a->modifiers.end();
  return is_same_operation(*a, *b);
}

/// Lanes of a warp wait for each other at instructions that do not join: they wait for ever.
void Running::does_not_join(Context& c, const Group& here, const Group& other) {
  if (program->ops[here.pc].whole_warp && other.wait == Wait::warp && !program->ops[other.pc].whole_warp)
    return does_not_join(c, other, here);
  const bool barrier = program->ops[here.pc].whole_warp;
  const auto text = [&](const Group& g) {
    const int line = program->line_of(g.pc);
    return fmt::format("`{}`{}", opcode_text(*program->instruction_of(g.pc)),
                       line > 0 ? fmt::format(" at line {}", line) : "");
  };
  c.where = {result.warp_instructions, c.block.index, c.warp.index, here.pc, here.mask};
  fault_at(c, barrier ? Fault::Kind::barrier_divergent : Fault::Kind::sync_mismatch, std::countr_zero(here.mask), 0,
           fmt::format("waits at {} for lanes {:#010x} of its warp, which wait at {}: {}", text(here), other.mask,
                       text(other), barrier ? "they wait for ever" : "different operations do not join"));
}

/// Lanes have waited for each other: they may be at several places.
void Running::report_sync(Context& c, u32 pc, u32 together, bool one_place) {
  trace::WarpSyncEvent e;
  e.where = c.where;
  e.where.step = result.warp_instructions;
  e.where.pc = pc;
  e.one_place = one_place;
  e.where.active = together;
  for (trace::Observer* o : options.observers) o->on_warp_sync(e);
}

/// Lanes that wait for lanes of their warp which never come.
void Running::stuck_in_warp(Block& b, Warp& w) {
  const auto waiting = std::ranges::find(w.groups, Wait::warp, &Group::wait);
  const u32 missing = missing_members(w, waiting->together);
  Context c{*this,
            b,
            w,
            static_cast<std::size_t>(waiting - w.groups.begin()),
            {result.warp_instructions, b.index, w.index, waiting->pc, waiting->mask}};
  const auto elsewhere = std::ranges::find_if(w.groups, [&](const Group& g) { return (g.mask & missing) != 0; });
  const bool at_operation = elsewhere->wait == Wait::warp;
  if (program->ops[waiting->pc].whole_warp || (at_operation && !joins(waiting->pc, elsewhere->pc)))
    return does_not_join(c, *waiting, *elsewhere);
  const int line = program->line_of(elsewhere->pc);
  const std::string place = line > 0 ? fmt::format(" at line {}", line) : "";
  fault_at(c, Fault::Kind::deadlock, std::countr_zero(waiting->mask), 0,
           fmt::format("waits for lanes {:#010x} of its warp, named by its member mask {:#010x}, {}", missing,
                       static_cast<u32>(waiting->together),
                       at_operation ? fmt::format("which wait{} with the member mask {:#010x}", place,
                                                  static_cast<u32>(elsewhere->together))
                                    : fmt::format("which wait at a barrier{}", place)));
}

}  // namespace lanescope::emulator
