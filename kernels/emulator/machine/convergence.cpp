// Where lanes of a warp reconverge and diverge.
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
// instruction: then all continue, each place for those who are there, which is what the hardware does where the two
// halves of an `if` synchronise the whole warp. A lane that is not in its own mask, and lanes that wait for each other
// with different masks, are faults: the PTX ISA leaves open what happens, and hardware hangs or answers anything.

#include <algorithm>
#include <bit>

#include <fmt/format.h>

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

std::string opcode_text(const ptx::Instruction& i) {
  std::string text = i.opcode;
  for (const std::string& m : i.modifiers) text += "." + m;
  return text;
}

/// Living lanes that a waiting group's member mask names and that have not come with that mask.
u32 missing_members(const Warp& w, u64 together) {
  u32 here = 0;
  for (const Group& g : w.groups)
    if (g.wait == Wait::warp && g.together == together) here |= g.mask;
  return static_cast<u32>(together) & w.live() & ~here;
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

void merge_groups(Warp& w) {
  for (std::size_t i = 0; i < w.groups.size(); ++i)
    for (std::size_t j = i + 1; j < w.groups.size();) {
      Group& a = w.groups[i];
      const Group& b = w.groups[j];
      if (a.pc != b.pc || a.together != b.together || a.wait == Wait::barrier || b.wait == Wait::barrier ||
          a.wait == Wait::cluster || b.wait == Wait::cluster || a.wait == Wait::refused || b.wait == Wait::refused ||
          a.frames != b.frames) {
        ++j;
        continue;
      }
      a.mask |= b.mask;
      a.wait = Wait::none;
      a.forced = a.forced || b.forced;
      a.penalty = std::max(a.penalty, b.penalty);
      a.run = 0;
      w.groups.erase(w.groups.begin() + static_cast<std::ptrdiff_t>(j));
    }
  if (w.groups.size() == 1) w.groups[0].penalty = w.groups[0].run = 0;
}

void wake_waiting(Warp& w) {
  for (Group& g : w.groups)
    if (g.wait == Wait::warp) g.wait = Wait::none;
}

/// Whether the group executes this operation now. It may lose lanes that differ, or begin to wait; then the next group
/// is picked again. Lanes that are guarded off stay with those that name them: they are there, though they do nothing.
bool Running::gather(Context& c, const Op& op, u32 mask) {
  if (mask == 0) return true;
  Warp& w = c.warp;
  Group& g = c.group();
  const u32* words = row<u32>(c.registers(), op.parts);
  const u32 word = words[std::countr_zero(mask)];
  const u32 like = op.one_part ? mask : lanes_like_first(words, mask);
  g.together = agreed(word);
  g.peers = 0;
  if (like != mask) {
    Group others = g;
    others.mask = (mask & ~like) | (op.warp_wide ? g.mask & ~mask & ~word : 0);
    others.together = 0;
    g.mask &= ~others.mask;
    w.groups.push_back(std::move(others));
    return false;
  }
  if (!op.warp_wide) return true;
  if (const u32 unnamed = mask & ~word; unnamed != 0) {
    c.where.step = result.warp_instructions;
    c.where.pc = g.pc;
    c.where.active = mask;
    fault_at(c, Fault::Kind::member_mask, std::countr_zero(unnamed), 0,
             fmt::format("executes `{}` with the member mask {:#010x}, which does not name this lane",
                         opcode_text(*program->instruction_of(g.pc)), word));
    return false;
  }
  if ((word & w.live() & ~g.mask) == 0) {
    if (observed()) report_sync(c, g.pc, mask, true);
    return true;
  }
  const u32 pc = g.pc;
  g.wait = Wait::warp;
  merge_groups(w);
  if (missing_members(w, agreed(word)) == 0) {
    u32 together = 0;
    bool one_place = true;
    const auto executes = [&](const Group& o) {
      const Op& at = program->ops[o.pc];
      return o.mask & (*row<u32>(c.registers(), at.guard) ^ at.guard_flip);
    };
    const auto comes = [&](const Group& o) { return o.wait == Wait::warp && o.together == agreed(word); };
    for (Group& o : w.groups)
      if (comes(o))
        for (const Group& other : w.groups)
          if (comes(other) && other.pc == o.pc) o.peers |= executes(other);
    for (Group& o : w.groups)
      if (comes(o)) {
        one_place = one_place && o.pc == pc;
        o.wait = Wait::none;
        o.forced = true;
        together |= executes(o);
      }
    if (observed()) report_sync(c, pc, together, one_place);
  }
  return false;
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
  std::string where;
  for (const Group& g : w.groups) {
    if ((g.mask & missing) == 0 || !where.empty()) continue;
    const int line = program->line_of(g.pc);
    const std::string place = line > 0 ? fmt::format(" at line {}", line) : "";
    where = g.wait == Wait::barrier || g.wait == Wait::cluster
                ? fmt::format("which wait at a barrier{}", place)
                : fmt::format("which wait{} with the member mask {:#010x}", place, static_cast<u32>(g.together));
  }
  fault_at(c, Fault::Kind::deadlock, std::countr_zero(waiting->mask), 0,
           fmt::format("waits for lanes {:#010x} of its warp, named by its member mask {:#010x}, {}", missing,
                       static_cast<u32>(waiting->together), where));
}

}  // namespace lanescope::emulator
