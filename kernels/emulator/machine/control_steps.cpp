// Branches, calls, exit, and instructions that cannot be executed.

#include <bit>
#include <cstring>

#include <fmt/format.h>

#include "kernels/base/set_bits.h"
#include "kernels/emulator/machine/control_steps.h"
#include "kernels/emulator/machine/memory_access.h"
#include "kernels/emulator/machine/placement.h"

namespace lanescope::emulator {

namespace {

void report_branch(Context& c, u32 taken) {
  trace::BranchEvent e;
  e.where = c.where;
  e.taken = taken;
  for (trace::Observer* o : c.machine.options.observers) o->on_branch(e);
}

/// Lanes of the group go on at `pc`.
void jump(const Context& c, Group& g, u32 pc) {
  const std::vector<Meeting>& meetings = c.machine.program->meetings;
  const bool again = !g.joins.empty() && meetings[pc].rank <= meetings[g.pc].rank;
  g.pc = pc;
  if (again) begin_round(*c.machine.program, g);
}

/// Lanes `mask` of the group leave it for `pc`; the rest continues after the branch. May add a group.
void send(Context& c, u32 mask, u32 pc) {
  Group& g = c.group();
  if (mask == g.mask) return jump(c, g, pc);
  if (mask == 0) return;
  Group other = g;
  other.mask = mask;
  jump(c, other, pc);
  other.run = 0;
  g.mask &= ~mask;
  g.run = 0;
  c.warp.groups.push_back(std::move(other));
}

/// Bytes and identities of one lane, inside its local memory.
void copy_frame(Context& c, const CallOp::Copy& copy, u32 mask) {
  Store& s = c.warp.local;
  const u32 per_lane = c.machine.program->local_bytes;
  std::optional<TagContext> t;
  if (c.machine.tags()) t.emplace(c.tags());
  for (const std::size_t l : set_bits(mask)) {
    const u64 base = l * per_lane;
    std::memmove(s.data + base + copy.to, s.data + base + copy.from, copy.bytes);
    for (u32 i = 0; t && i < copy.bytes;) {
      const u32 step = (copy.from + i) % 4 == 0 && (copy.to + i) % 4 == 0 && copy.bytes - i >= 4 ? 4 : 1;
      write_tag(*t, s, base + copy.to + i, step, read_tag(*t, s, base + copy.from + i, step, false));
      i += step;
    }
  }
}

/// Saves the state that a function's earlier activation needs when the later one returns: registers and parameters.
/// (Results are passed by copy, and its own call parameters are written for each call.)
void save_activation(Context& c, const Function& f, Frame& frame) {
  const Warp& w = c.warp;
  frame.registers.assign(w.registers.begin() + f.registers_begin, w.registers.begin() + f.registers_end);
  if (c.machine.tags())
    frame.register_tags.assign(w.tags.begin() + f.registers_begin, w.tags.begin() + f.registers_end);
  frame.params.clear();
  const u32 per_lane = c.machine.program->local_bytes;
  for (u32 l = 0; l < lanes; ++l) {
    const u8* base = w.local.data + u64{l} * per_lane;
    frame.params.insert(frame.params.end(), base + f.params, base + f.returns);
    for (u32 at = f.params; at < f.returns; at += 4)
      frame.param_tags.push_back(w.local.tag((u64{l} * per_lane + at) / 4));
  }
}

void restore_lane_registers(const ptx::Entry& e, const Function& f, u8* to, const std::vector<u8>& saved, u32 mask,
                            bool are_tags) {
  const auto from = [&](u32 offset) { return saved.data() + (offset - f.registers_begin); };
  const auto words = [&](u32 offset) {
    for (const std::size_t l : set_bits(mask)) {
      const u32 at = offset + static_cast<u32>(l) * 4;
      std::memcpy(to + at, from(at), 4);
    }
  };
  for (std::size_t i = 0; i < e.registers.size(); ++i) {
    const u32 offset = f.offsets[i];
    const int bits = ptx::bits_of(e.registers[i].type);
    if (e.registers[i].type == ptx::Type::pred) {
      u32 old;
      std::memcpy(&old, from(offset), 4);
      u32& p = *row<u32>(to, offset);
      p = (p & ~mask) | (old & mask);
    } else if (bits <= 32 || are_tags) {
      for (u32 at = 0; at < static_cast<u32>(std::max(bits, 32)); at += 32) words(offset + at * 4);
    } else {
      for (u32 half = 0; half < static_cast<u32>(bits); half += 64)
        for (const std::size_t l : set_bits(mask)) {
          const u32 at = offset + half * 4 + static_cast<u32>(l) * 8;
          std::memcpy(to + at, from(at), 8);
        }
    }
  }
}

void restore_activation(Context& c, const Function& f, const Frame& frame, u32 mask) {
  const ptx::Entry& e = c.machine.program->module->entries[static_cast<std::size_t>(f.entry)];
  restore_lane_registers(e, f, c.warp.registers.data(), frame.registers, mask, false);
  if (!frame.register_tags.empty()) {
    restore_lane_registers(e, f, c.warp.tags.data(), frame.register_tags, mask, true);
    for (u32 at = f.registers_begin; at < f.registers_end; at += 128) c.warp.tagged[at >> 7] = 1;
  }
  const u32 per_lane = c.machine.program->local_bytes, bytes = f.returns - f.params;
  for (const std::size_t l : set_bits(mask)) {
    if (bytes != 0)
      std::memcpy(c.warp.local.data + u64{l} * per_lane + f.params, frame.params.data() + u64{l} * bytes, bytes);
    for (u32 w = 0; w < bytes / 4 && c.machine.tags(); ++w)
      c.warp.local.set_tag((u64{l} * per_lane + f.params) / 4 + w, frame.param_tags[l * (bytes / 4) + w]);
  }
}

/// Registers on their way into a function or out of it: read before anything is written.
class HeldRegisters {
 public:
  HeldRegisters(Context& c, const std::vector<CallOp::RegisterCopy>& copies) {
    for (const CallOp::RegisterCopy& copy : copies) {
      const std::size_t bytes = copy.is_predicate ? 4 : std::size_t{std::max<u8>(copy.bits, 32)} * 4;
      const u8* const from = c.registers() + copy.from;
      values_.emplace_back(from, from + bytes);
      tags_.emplace_back();
      if (!c.machine.tags()) continue;
      const u8* const tag = c.warp.tags.data() + copy.from;
      if (copy.is_predicate || c.tags().carries(copy.from, copy.bits)) tags_.back().assign(tag, tag + bytes);
    }
  }
  void write(Context& c, const std::vector<CallOp::RegisterCopy>& copies, u32 mask) const {
    for (std::size_t i = 0; i < copies.size(); ++i) {
      const CallOp::RegisterCopy& copy = copies[i];
      if (copy.is_predicate) {
        const auto put = [&](u8* file, const std::vector<u8>& from) {
          u32 value = 0;
          if (!from.empty()) std::memcpy(&value, from.data(), 4);
          u32& p = *row<u32>(file, copy.to);
          p = (p & ~mask) | (value & mask);
        };
        put(c.registers(), values_[i]);
        if (c.machine.tags()) put(c.warp.tags.data(), tags_[i]);
        continue;
      }
      const u32 each = copy.bits > 32 ? 8 : 4;
      for (std::size_t at = 0; at < values_[i].size(); at += std::size_t{each} * lanes)
        for (const std::size_t l : set_bits(mask))
          std::memcpy(c.registers() + copy.to + at + l * each, values_[i].data() + at + l * each, each);
      if (!c.machine.tags()) continue;
      TagContext t = c.tags();
      if (tags_[i].empty()) {
        t.clear(copy.to, copy.bits, mask);
        continue;
      }
      t.mark(copy.to);
      for (std::size_t at = 0; at < tags_[i].size(); at += 128)
        for (const std::size_t l : set_bits(mask))
          std::memcpy(c.warp.tags.data() + copy.to + at + l * 4, tags_[i].data() + at + l * 4, 4);
    }
  }

 private:
  std::vector<std::vector<u8>> values_, tags_;
};

/// The first activation of a function has its variables where they are declared, others on the stack.
bool open_frame(Context& c, const Function& f, bool is_again, u32 mask, Frame& frame) {
  const Program& p = *c.machine.program;
  if (p.stack_row == 0) return true;
  u64* const pointer = row<u64>(c.registers(), p.stack_row);
  frame.stack.assign(pointer, pointer + lanes);
  if (f.frame_row == 0) return true;
  u64* const base = row<u64>(c.registers(), f.frame_row);
  frame.base.assign(base, base + lanes);
  for (const std::size_t l : set_bits(mask)) {
    if (!is_again) {
      base[l] = 0;
      continue;
    }
    if (pointer[l] < p.stack_begin + u64{f.frame_bytes}) {
      c.machine.fault_at(c, Fault::Kind::unsupported, static_cast<int>(l), 0,
                         "the variables of nested calls do not fit into the emulator's stack");
      return false;
    }
    pointer[l] -= f.frame_bytes;
    base[l] = pointer[l] - f.frame_begin;
  }
  return true;
}

void close_frame(Context& c, const Function& f, const Frame& frame, u32 mask) {
  const Program& p = *c.machine.program;
  if (p.stack_row == 0) return;
  for (const std::size_t l : set_bits(mask)) {
    row<u64>(c.registers(), p.stack_row)[l] = frame.stack[l];
    if (f.frame_row != 0) row<u64>(c.registers(), f.frame_row)[l] = frame.base[l];
  }
}

/// All lanes of the group take one way, while others of the warp wait for them. Where the ways of the branch lead together
/// past that join, they meet there: the machine code expects lanes there whichever way they take.
void expect_join_farther(Context& c) {
  const Group& g = c.group();
  if (c.warp.groups.size() == 1 || g.joins.empty()) return;
  const Meeting& m = c.machine.program->meetings[g.pc];
  const Join& next = g.joins.back();
  if (next.depth != g.frames.size()) return;
  if (m.kind == Meeting::Kind::returned || (m.kind == Meeting::Kind::at && m.join_rank > next.rank)) expect_join(c);
}

}  // namespace

Flow step_branch(Context& c, const Op& op, u32 mask) {
  if (c.machine.observed()) report_branch(c, mask);
  Group& g = c.group();
  const u32 after = g.pc + 1;
  if (mask == 0 || mask == g.mask) expect_join_farther(c);
  if (mask != g.mask) {
    if (mask != 0) expect_join(c);
    send(c, mask, op.immediate);
    c.group().pc = after;
    return Flow::jumped;
  }
  jump(c, g, op.immediate);
  return Flow::jumped;
}

/// Whether all lanes of the group come to one place.
bool goes_one_way(const std::vector<u32>& targets, const u32* index, u32 mask, u32 staying) {
  const auto target = [&](std::size_t l) { return targets[std::min<std::size_t>(index[l], targets.size() - 1)]; };
  const auto first = static_cast<std::size_t>(std::countr_zero(mask));
  if (staying != 0) return false;
  for (const std::size_t l : set_bits(mask))
    if (target(l) != target(first)) return false;
  return true;
}

Flow step_branch_table(Context& c, const Op& op, u32 mask) {
  if (c.machine.observed()) report_branch(c, mask);
  if (c.machine.tags()) {
    TagContext t = c.tags();
    if (const u32 by = t.lanes_with_data(op.a, 32, mask); by != 0)
      c.machine.steer(c.where, trace::SteerEvent::What::branch, by);
  }
  const std::vector<u32>& targets = c.machine.program->branch_tables[op.immediate];
  const u32* index = row<u32>(c.registers(), op.a);
  const u32 staying = c.group().mask & ~mask;
  const u32 after = c.group().pc + 1;
  u32 left = mask;
  if (mask == 0 || goes_one_way(targets, index, mask, staying))
    expect_join_farther(c);
  else
    expect_join(c);
  while (left != 0) {
    const int l = std::countr_zero(left);
    const u32 target = std::min<u32>(index[l], static_cast<u32>(targets.size()) - 1);
    u32 same = 0;
    for (int i = l; i < lanes; ++i)
      if ((left >> i & 1) != 0 && std::min<u32>(index[i], static_cast<u32>(targets.size()) - 1) == target)
        same |= 1u << i;
    left &= ~same;
    if (left == 0 && staying == 0)
      jump(c, c.group(), targets[target]);
    else
      send(c, same, targets[target]);
  }
  if (staying != 0) c.group().pc = after;
  return Flow::jumped;
}

Flow step_call(Context& c, const Op& op, u32 mask) {
  const Program& p = *c.machine.program;
  const CallOp& call = p.calls[op.immediate];
  const Function& callee = p.functions[static_cast<std::size_t>(call.function)];
  const u32 after = c.group().pc + 1;
  std::size_t active = 0;
  for (const Frame& f : c.group().frames) active += p.calls[f.call].function == call.function ? 1 : 0;
  if (c.group().frames.size() >= 256) {
    c.machine.fault_at(c, Fault::Kind::unsupported, -1, 0, "calls are nested more than 256 deep");
    return Flow::faulted;
  }
  Frame frame;
  frame.return_pc = after;
  frame.call = op.immediate;
  const HeldRegisters held(c, call.register_arguments);
  if (active != 0) save_activation(c, callee, frame);
  if (!open_frame(c, callee, active != 0, mask, frame)) return Flow::faulted;
  for (const CallOp::Copy& copy : call.arguments) copy_frame(c, copy, mask);
  held.write(c, call.register_arguments, mask);

  // Lanes that are guarded off stay after the call without making it.
  if (mask != c.group().mask) expect_join(c);
  part_group(c, mask, after);
  Group& g = c.group();
  g.frames.push_back(std::move(frame));
  g.pc = callee.first_op;
  return Flow::jumped;
}

/// Lanes that mean the function of the first one call it; the others do so afterwards, or before.
Flow step_indirect_call(Context& c, const Op& op, u32 mask) {
  const IndirectCall& call = c.machine.program->indirect_calls[op.immediate];
  const u64* const target = row<u64>(c.registers(), call.target);
  if (c.machine.tags()) {
    TagContext t = c.tags();
    if (const u32 by = t.lanes_with_data(call.target, 64, mask); by != 0)
      c.machine.steer(c.where, trace::SteerEvent::What::branch, by);
  }
  const int first = std::countr_zero(mask);
  u32 same = 0;
  for (const std::size_t l : set_bits(mask)) same |= target[l] == target[first] ? 1u << l : 0u;
  const auto meant = std::ranges::find(call.calls, target[first], &std::pair<u64, u32>::first);
  if (meant == call.calls.end()) {
    c.machine.fault_at(
        c, Fault::Kind::out_of_bounds, first, target[first],
        fmt::format("a call through the pointer {:#x}, which is no function with these parameters", target[first]));
    return Flow::faulted;
  }
  part_group(c, c.group().mask & ~(mask & ~same), c.group().pc);  // and stay apart, as on an H100
  Op direct = op;
  direct.immediate = meant->second;
  return step_call(c, direct, same);
}

Flow step_stack(Context& c, const Op& op, u32 mask) {
  const Program& p = *c.machine.program;
  const StackOp& s = p.stacks[op.immediate];
  u64* const pointer = row<u64>(c.registers(), p.stack_row);
  const auto read = [&](u32 offset, u32 bits, std::size_t l) {
    return bits == 64 ? row<u64>(c.registers(), offset)[l] : row<u32>(c.registers(), offset)[l];
  };
  for (const std::size_t l : set_bits(mask)) {
    if (s.kind == StackOp::Kind::restore) {
      pointer[l] = read(s.value, s.value_bits, l);
      continue;
    }
    if (s.kind == StackOp::Kind::allocate) {
      const u64 bytes = read(s.bytes, s.bytes_bits, l);
      if (bytes > pointer[l] - p.stack_begin) {
        c.machine.fault_at(c, Fault::Kind::unsupported, static_cast<int>(l), 0,
                           fmt::format("{} bytes do not fit into what is left of the emulator's stack ({})", bytes,
                                       pointer[l] - p.stack_begin));
        return Flow::faulted;
      }
      pointer[l] = (pointer[l] - bytes) / s.alignment * s.alignment;
    }
    if (s.value_bits == 64)
      row<u64>(c.registers(), s.value)[l] = pointer[l];
    else
      row<u32>(c.registers(), s.value)[l] = static_cast<u32>(pointer[l]);
  }
  if (s.kind != StackOp::Kind::restore && c.machine.tags())
    c.tags().clear(s.value, static_cast<u8>(s.value_bits), mask);
  return Flow::next;
}

Flow step_return(Context& c, const Op&, u32 mask) {
  const Program& p = *c.machine.program;
  if (c.group().frames.empty()) return step_exit(c, Op{}, mask);
  if (mask != c.group().mask) expect_join(c);
  part_group(c, mask, c.group().pc + 1);
  Group& g = c.group();
  const Frame frame = std::move(g.frames.back());
  g.frames.pop_back();
  const CallOp& call = p.calls[frame.call];
  const Function& callee = p.functions[static_cast<std::size_t>(call.function)];
  for (const CallOp::Copy& copy : call.results) copy_frame(c, copy, mask);
  const HeldRegisters held(c, call.register_results);
  if (!frame.registers.empty()) restore_activation(c, callee, frame, mask);
  close_frame(c, callee, frame, mask);
  held.write(c, call.register_results, mask);
  g.pc = frame.return_pc;
  return Flow::jumped;
}

Flow step_exit(Context& c, const Op&, u32 mask) {
  ++c.machine.acts;
  Group& g = c.group();
  g.mask &= ~mask;
  wake_waiting(c.warp);
  if (g.mask != 0) {
    ++g.pc;
    return Flow::jumped;
  }
  c.warp.groups.erase(c.warp.groups.begin() + static_cast<std::ptrdiff_t>(c.group_index));
  return Flow::jumped;
}

Flow step_trap(Context& c, const Op&, u32 mask) {
  const Program& p = *c.machine.program;
  const ptx::Instruction* i = p.instruction_of(c.where.pc);
  const auto inner = static_cast<std::size_t>(i == nullptr ? -1 : i->position.inner_file);
  std::string what = "the kernel executes trap", remedy = "check the condition that leads to it";
  if (i != nullptr && i->position.inner_line > 0 && inner < p.module->files.size()) {
    const std::string& file = p.module->files[inner];
    what += fmt::format(", in line {} of {}", i->position.inner_line, file.substr(file.rfind('/') + 1));
    if (!p.launch.cooperative && file.ends_with("cooperative_groups.h") && synchronises_grid(*p.module, *p.entry)) {
      what = "grid.sync() executes trap, because the host code does not launch the kernel cooperatively";
      remedy = "launch it with cudaLaunchCooperativeKernel";
    }
  }
  c.machine.fault_at(c, Fault::Kind::trap, std::countr_zero(mask), 0, what, remedy);
  return Flow::faulted;
}

Flow step_breakpoint(Context& c, const Op&, u32 mask) {
  c.machine.fault_at(c, Fault::Kind::breakpoint, std::countr_zero(mask), 0,
                     "the kernel executed brkpt, and no debugger is there to continue from it");
  return Flow::faulted;
}

Flow step_nothing(Context& c, const Op& op, u32) {
  if (op.immediate == 1) {  // nanosleep: others may go first
    c.group().polls += 8;
    c.group().yields = true;
  }
  return Flow::next;
}

Flow step_clock(Context& c, const Op& op, u32 mask) {
  // Time is the number of warp instructions so far: it grows, and a rerun reads the same.
  const u64 now = c.where.step;
  const u64 value = op.immediate != 0 ? now >> 32 : now;
  for (int l = 0; l < lanes; ++l) {
    if ((mask >> l & 1) == 0) continue;
    if (op.d_bits == 64)
      row<u64>(c.registers(), op.d)[l] = value;
    else
      row<u32>(c.registers(), op.d)[l] = static_cast<u32>(value);
  }
  if (c.machine.tags()) {
    TagContext t = c.tags();
    t.clear(op.d, op.d_bits, mask);
  }
  return Flow::next;
}

Flow step_probe(Context& c, const Op& op, u32 mask) {
  if (!c.machine.observed()) return Flow::next;
  const Program::Origin& o = c.machine.program->origins[c.group().pc];
  const Function& f = c.machine.program->functions[static_cast<std::size_t>(o.function)];
  const ptx::Entry& e = c.machine.program->module->entries[static_cast<std::size_t>(f.entry)];
  if (op.immediate >= e.probes.size()) return Flow::next;
  const ptx::Probe& probe = e.probes[op.immediate];
  std::array<u32, lanes> values;
  for (std::size_t l = 0; l < lanes; ++l)
    values[l] = op.a_bits == 64 ? static_cast<u32>(row<u64>(c.registers(), op.a)[l]) : row<u32>(c.registers(), op.a)[l];
  trace::ProbeEvent event;
  event.where = c.where;
  event.where.active = mask;
  event.probe = probe.id;
  event.variable = probe.variable;
  event.byte_offset = probe.byte_offset;
  event.values = values;
  if (c.machine.tags()) event.tags = {row<u32>(c.warp.tags.data(), op.a), lanes};
  for (trace::Observer* observer : c.machine.options.observers) observer->on_probe(event);
  return Flow::next;
}

Flow step_refused(Context& c, const Op& op, u32 mask) {
  c.machine.refuse_at(c, c.machine.program->refused[op.immediate], std::countr_zero(mask));
  part_group(c, mask, c.group().pc + 1);
  c.group().wait = Wait::refused;
  return Flow::jumped;
}

}  // namespace lanescope::emulator
