// Operations of the lanes of a warp together: shuffles, votes, matches, reductions. The mask of a step is one group:
// lanes that name the same members (convergence.cpp).

#include <algorithm>
#include <bit>

#include "kernels/base/set_bits.h"
#include "kernels/emulator/lanes/lane_math.h"
#include "kernels/emulator/machine/memory_access.h"
#include "kernels/emulator/steps/steps.h"

namespace lanescope::emulator {

namespace {

void write_predicate(Context& c, u32 offset, u32 value, u32 mask) {
  u32& p = *row<u32>(c.registers(), offset);
  p = (p & ~mask) | (value & mask);
  if (c.machine.tags()) *row<u32>(c.warp.tags.data(), offset) &= ~mask;
}

void write_word(Context& c, u32 offset, u32 value, u32 mask) {
  u32* d = row<u32>(c.registers(), offset);
  for (int l = 0; l < lanes; ++l)
    if ((mask >> l & 1) != 0) d[l] = value;
  if (c.machine.tags()) c.tags().clear(offset, 32, mask);
}

/// The operation that lanes of other groups execute, too; nullptr: there are none.
const Joint* joint_of(Context& c, const Op& op) { return op.warp_wide ? c.group().joint.get() : nullptr; }

struct Source {
  int lane = 0;
  bool in_range = false;
};

Source source_of(ShuffleOp::Mode mode, u32 lane, u32 b, u32 c) {
  using Mode = ShuffleOp::Mode;
  const u32 offset = b & 31, clamp = c & 31, segment = c >> 8 & 31;
  const int max_lane = static_cast<int>((lane & segment) | (clamp & ~segment & 31));
  const int min_lane = static_cast<int>(lane & segment);
  const int self = static_cast<int>(lane);
  int j = self;
  bool ok = false;
  switch (mode) {
    case Mode::up:
      j = self - static_cast<int>(offset);
      ok = j >= max_lane;
      break;
    case Mode::down:
      j = self + static_cast<int>(offset);
      ok = j <= max_lane;
      break;
    case Mode::bfly:
      j = static_cast<int>(lane ^ offset);
      ok = j <= max_lane;
      break;
    case Mode::idx:
      j = min_lane | static_cast<int>(offset & ~segment & 31);
      ok = j <= max_lane;
      break;
  }
  return {ok ? j : self, ok};
}

/// redux of f32: 1 min, 2 max; +64: a NaN anywhere is the result.
u32 smaller_or_larger(u32 a, u32 b, u32 flags) {
  const float x = std::bit_cast<float>(a), y = std::bit_cast<float>(b);
  const bool nan = (flags & 64) != 0;
  return std::bit_cast<u32>((flags & 7) == 1 ? (nan ? float_min_nan(x, y) : float_min(x, y))
                                             : (nan ? float_max_nan(x, y) : float_max(x, y)));
}

}  // namespace

Flow step_shuffle(Context& c, const Op& op, u32 mask) {
  const ShuffleOp& s = c.machine.program->shuffles[op.immediate];
  u8* r = c.registers();
  const u32* a = row<u32>(r, op.a);
  const u32* b = row<u32>(r, op.b);
  const u32* clamp = row<u32>(r, op.c);
  std::array<std::int8_t, lanes> from;
  from.fill(-1);
  alignas(64) std::array<u32, lanes> value;
  u32 in_range = 0;
  const Joint* const joint = joint_of(c, op);
  const u32 all = joint != nullptr ? joint->mask : mask;
  const u32 readable = joint != nullptr ? joint->readable : s.sync ? mask : c.warp.live();
  for (const std::size_t l : set_bits(mask)) {
    const Source source = source_of(s.mode, l, b[l], clamp[l]);
    from[l] = static_cast<std::int8_t>(source.lane);
    // A lane that does not execute the shuffle gives 0, as on an H100.
    value[l] = (readable >> source.lane & 1) == 0 ? 0
               : joint != nullptr ? static_cast<u32>(joint->values[static_cast<std::size_t>(source.lane)])
                                  : a[source.lane];
    in_range |= source.in_range ? 1u << l : 0u;
  }
  if (c.machine.tags()) {
    TagContext t = c.tags();
    if (const u32 by = t.lanes_with_data(op.b, 32, mask); by != 0)
      c.machine.steer(c.where, trace::SteerEvent::What::lane, by);
    if (joint != nullptr || t.carries(op.a, 32)) {
      const u32* tags = joint != nullptr ? joint->tags.data() : t.words(op.a);
      std::array<u32, lanes> moved;
      for (const std::size_t l : set_bits(mask)) {
        moved[l] = (readable >> from[l] & 1) != 0 ? tags[from[l]] : trace::no_data;
      }
      for (const std::size_t l : set_bits(mask)) {
        t.words(op.d)[l] = moved[l];
      }
      t.mark(op.d);
    } else {
      t.clear(op.d, 32, mask);
    }
    // The value of a lane that does not take part is undefined (PTX ISA, shfl.sync).
    for (const std::size_t l : set_bits(t.absent != trace::no_data ? mask : 0))
      if ((all >> from[l] & 1) == 0) {
        t.words(op.d)[l] = t.absent;
        t.mark(op.d);
      }
  }
  u32* d = row<u32>(r, op.d);
  for (const std::size_t l : set_bits(mask)) {
    d[l] = value[l];
  }
  if (op.d2 != sink_predicate) write_predicate(c, op.d2, in_range, mask);
  if (c.machine.observed()) {
    trace::ShuffleEvent e;
    e.where = c.where;
    e.where.active = mask;
    e.source_lane = from;
    for (trace::Observer* o : c.machine.options.observers) o->on_shuffle(e);
  }
  return Flow::next;
}

Flow step_vote(Context& c, const Op& op, u32 mask) {
  const Joint* const joint = joint_of(c, op);
  const u32 all = joint != nullptr ? joint->mask : mask;
  const u32 votes = joint != nullptr ? joint->votes : (*row<u32>(c.registers(), op.a) ^ op.flip) & mask;
  if (const u32 by = c.machine.tags() ? c.tags().decided(op.a) & mask : 0; by != 0)
    c.machine.steer(c.where, trace::SteerEvent::What::select, by);
  switch (op.immediate) {
    case 0:
      write_word(c, op.d, votes, mask);
      break;
    case 1:
      write_predicate(c, op.d, votes == all ? all_lanes : 0, mask);
      break;
    case 2:
      write_predicate(c, op.d, votes != 0 ? all_lanes : 0, mask);
      break;
    default:
      write_predicate(c, op.d, votes == 0 || votes == all ? all_lanes : 0, mask);
  }
  return Flow::next;
}

Flow step_match(Context& c, const Op& op, u32 mask) {
  const Joint* const joint = joint_of(c, op);
  const u32 everyone = joint != nullptr ? joint->mask : mask;
  const auto value = [&](std::size_t l) -> u64 {
    if (joint != nullptr) return joint->values[l];
    return op.a_bits == 64 ? row<u64>(c.registers(), op.a)[l] : row<u32>(c.registers(), op.a)[l];
  };
  if (const u32 by = c.machine.tags() ? c.tags().lanes_with_data(op.a, op.a_bits, mask) : 0; by != 0)
    c.machine.steer(c.where, trace::SteerEvent::What::select, by);
  std::array<u32, lanes> same{};
  u32 all_same = all_lanes;
  for (const std::size_t l : set_bits(mask)) {
    for (const std::size_t k : set_bits(everyone)) {
      if (value(k) == value(l)) same[static_cast<std::size_t>(l)] |= 1u << k;
    }
    if (same[static_cast<std::size_t>(l)] != everyone) all_same = 0;
  }
  const bool all = op.immediate == 1;
  for (const std::size_t l : set_bits(mask)) {
    write_word(c, op.d, all ? all_same & everyone : same[static_cast<std::size_t>(l)], 1u << l);
  }
  if (op.d2 != sink_predicate) write_predicate(c, op.d2, all_same, mask);
  return Flow::next;
}

Flow step_activemask(Context& c, const Op& op, u32 mask) {
  write_word(c, op.d, c.where.active, mask);
  return Flow::next;
}

Flow step_reduce(Context& c, const Op& op, u32 mask) {
  const Joint* const joint = joint_of(c, op);
  const u32 all = joint != nullptr ? joint->mask : mask;
  const auto value = [&](std::size_t l) {
    return joint != nullptr ? static_cast<u32>(joint->values[l]) : row<u32>(c.registers(), op.a)[l];
  };
  const u32 kind = op.immediate & 7;
  const bool is_signed = (op.immediate & 8) != 0;
  const bool is_float = (op.immediate & 16) != 0;
  const u32 keep = (op.immediate & 32) != 0 ? 0x7fffffffu : ~0u;  // .abs
  u32 result = value(first_bit(all)) & keep;
  if (is_float && (all & (all - 1)) == 0) result = smaller_or_larger(result, result, op.immediate);
  for (const std::size_t l : set_bits(without_first_bit(all))) {
    const u32 x = value(l) & keep;
    if (is_float) {
      result = smaller_or_larger(result, x, op.immediate);
      continue;
    }
    const bool less = is_signed ? static_cast<s32>(x) < static_cast<s32>(result) : x < result;
    switch (kind) {
      case 0:
        result += x;
        break;
      case 1:
        result = less ? x : result;
        break;
      case 2:
        result = less ? result : x;
        break;
      case 3:
        result &= x;
        break;
      case 4:
        result |= x;
        break;
      default:
        result ^= x;
    }
  }
  trace::WordTag tag = trace::no_data;
  if (c.machine.tags()) {
    TagContext t = c.tags();
    if (joint != nullptr || t.carries(op.a, 32))
      for (const std::size_t l : set_bits(all))
        tag = t.computed(tag, joint != nullptr ? joint->tags[l] : t.words(op.a)[l]);
  }
  write_word(c, op.d, result, mask);
  if (tag != trace::no_data) {
    TagContext t = c.tags();
    t.mark(op.d);
    for (const std::size_t l : set_bits(mask)) t.words(op.d)[l] = tag;
  }
  return Flow::next;
}

Flow step_elect(Context& c, const Op& op, u32 mask) {
  const u32 leader = static_cast<u32>(std::countr_zero(joint_of(c, op) != nullptr ? joint_of(c, op)->mask : mask));
  write_word(c, op.d, leader, mask);
  if (op.d2 != sink_predicate) write_predicate(c, op.d2, 1u << leader, mask);
  return Flow::next;
}

}  // namespace lanescope::emulator
