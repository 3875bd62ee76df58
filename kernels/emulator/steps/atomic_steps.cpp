// atom and red: lane after lane in ascending order, which is one of the orders that hardware may take.

#include <bit>

#include "kernels/base/set_bits.h"
#include "kernels/emulator/lanes/lane_math.h"
#include "kernels/emulator/machine/global_view.h"
#include "kernels/emulator/machine/memory_access.h"
#include "kernels/emulator/steps/steps.h"

namespace lanescope::emulator {

using ptx::Type;

namespace {

template <class T>
T as(u64 bits) {
  if constexpr (sizeof(T) == 8)
    return __builtin_bit_cast(T, bits);
  else
    return __builtin_bit_cast(T, static_cast<u32>(bits));
}

u64 float_sum(const MemoryOp& m, u64 a, u64 b, bool in_global) {
  switch (m.type) {
    case Type::f32: {
      // Global atomics flush subnormals, shared ones do not (PTX ISA, atom).
      const auto in = [&](u64 x) { return in_global ? flushed(as<float>(x)) : as<float>(x); };
      const float sum = canonical(in(a) + in(b));
      return __builtin_bit_cast(u32, in_global ? flushed(sum) : sum);
    }
    case Type::f64:
      return __builtin_bit_cast(u64, as<double>(a) + as<double>(b));
    case Type::f16:
      return halves<Half, u16>(static_cast<u16>(a), static_cast<u16>(b), [](float x, float y) { return x + y; });
    case Type::bf16:
      return halves<Bfloat, u16>(static_cast<u16>(a), static_cast<u16>(b), [](float x, float y) { return x + y; });
    case Type::f16x2:
      return halves<Half, u32>(static_cast<u32>(a), static_cast<u32>(b), [](float x, float y) { return x + y; });
    case Type::bf16x2:
      return halves<Bfloat, u32>(static_cast<u32>(a), static_cast<u32>(b), [](float x, float y) { return x + y; });
    default:
      return a + b;
  }
}

bool less(Type t, u64 a, u64 b) {
  switch (t) {
    case Type::s32:
      return static_cast<s32>(a) < static_cast<s32>(b);
    case Type::s64:
      return static_cast<s64>(a) < static_cast<s64>(b);
    default:
      return a < b;
  }
}

/// min and max of halves: as min.f16 (one NaN gives the other operand).
u64 extreme_half(const MemoryOp& m, u64 a, u64 b) {
  const auto pick = [&](float x, float y) { return m.atomic == Atomic::min ? float_min(x, y) : float_max(x, y); };
  const u32 x = static_cast<u32>(a), y = static_cast<u32>(b);
  switch (m.type) {
    case Type::f16:
      return halves<Half, u16>(static_cast<u16>(x), static_cast<u16>(y), pick);
    case Type::bf16:
      return halves<Bfloat, u16>(static_cast<u16>(x), static_cast<u16>(y), pick);
    case Type::f16x2:
      return halves<Half, u32>(x, y, pick);
    default:
      return halves<Bfloat, u32>(x, y, pick);
  }
}

u64 combined(const MemoryOp& m, u64 old, u64 b, u64 swap, bool in_global) {
  const bool is_half = m.type == Type::f16 || m.type == Type::f16x2 || m.type == Type::bf16 || m.type == Type::bf16x2;
  if (is_half && (m.atomic == Atomic::min || m.atomic == Atomic::max)) return extreme_half(m, old, b);
  switch (m.atomic) {
    case Atomic::add:
      return float_sum(m, old, b, in_global);
    case Atomic::min:
      return less(m.type, b, old) ? b : old;
    case Atomic::max:
      return less(m.type, old, b) ? b : old;
    case Atomic::and_:
      return old & b;
    case Atomic::or_:
      return old | b;
    case Atomic::xor_:
      return old ^ b;
    case Atomic::exch:
      return b;
    case Atomic::cas:
      return old == b ? swap : old;
    case Atomic::inc:
      return old >= b ? 0 : old + 1;
    case Atomic::dec:
      return old == 0 || old > b ? b : old - 1;
    case Atomic::none:
      break;
  }
  return old;
}

trace::WordTag combined_tag(TagContext& t, const MemoryOp& m, u32 old_tag, u32 b_tag, u32 swap_tag, u64 old, u64 b) {
  switch (m.atomic) {
    case Atomic::and_:
      return t.logic(old_tag, static_cast<u32>(old), b_tag, static_cast<u32>(b), 0xc0);
    case Atomic::or_:
      return t.logic(old_tag, static_cast<u32>(old), b_tag, static_cast<u32>(b), 0xfc);
    case Atomic::xor_:
      return t.logic(old_tag, static_cast<u32>(old), b_tag, static_cast<u32>(b), 0x3c);
    case Atomic::exch:
      return b_tag;
    case Atomic::cas:
      return old == b ? swap_tag : old_tag;
    default:
      return t.computed(old_tag, b_tag, 0, m.type == Type::f16x2 || m.type == Type::bf16x2);
  }
}

/// Blocks that run ahead: notes an operation of a lane that is to be done in their turn. True: only then it is known whether
/// it changes memory.
bool defer(Context& c, const Op& op, Store& place, u64 at, u64 operand, u64 swap) {
  const bool global =
      &place != &c.block.shared && &place != &c.block.reserved && &place != &c.warp.local && !place.is_shared;
  if (!global) return false;
  auto& page = static_cast<GlobalView::Page&>(place);
  if (!page.defers(at)) return false;
  if (page.sums_up(at))
    GlobalView::add(page, at, static_cast<u32>(operand));
  else
    c.machine.view->log(page, op.immediate, at, operand, swap);
  return !page.sums_up(at);
}

struct LaneTags {
  trace::WordTag old[2] = {}, fresh[2] = {};
};

LaneTags lane_tags(TagContext& t, const MemoryOp& m, const Store& s, u64 at, std::size_t l, u64 old, u64 b) {
  LaneTags tags;
  const u32 words = m.bytes == 8 ? 2 : 1;
  for (u32 w = 0; w < words; ++w) {
    tags.old[w] = m.bytes < 4 ? read_tag(t, s, at, m.bytes, false) : s.tag(at / 4 + w);
    const auto of = [&](u32 offset) {
      return offset != 0 && t.carries(offset, 32) ? t.words(offset)[w * lanes + l] : 0u;
    };
    tags.fresh[w] = combined_tag(t, m, tags.old[w], of(m.operand), of(m.swap), old >> (32 * w), b >> (32 * w));
    // Whole 64-bit numbers decide a compare-and-swap.
    if (m.atomic == Atomic::cas && words == 2) tags.fresh[w] = old == b ? of(m.swap) : tags.old[w];
  }
  // A sum of 64 bits carries from the low word into the high one.
  if (words == 2 && (tags.fresh[0] | tags.fresh[1]) != 0 && m.atomic != Atomic::exch && m.atomic != Atomic::cas &&
      m.atomic != Atomic::and_ && m.atomic != Atomic::or_ && m.atomic != Atomic::xor_)
    tags.fresh[0] = tags.fresh[1] = t.computed(tags.fresh[0], tags.fresh[1]);
  return tags;
}

}  // namespace

u64 combine_atomic(const MemoryOp& m, u64 old, u64 operand, u64 swap, bool flushes) {
  return combined(m, old, operand, swap, flushes);
}

/// Vectors, element by element, and 128 bits, whole.
Flow step_wide_atomic(Context& c, const Op& op, u32 mask) {
  const MemoryOp& m = c.machine.program->memory[op.immediate];
  const u32 width = m.bytes * m.count;
  Access a;
  if (!resolve(c, m, m.base, m.base_bits, m.offset, m.area, width, true, mask, a)) return Flow::faulted;
  std::optional<TagContext> t;
  if (c.machine.tags()) {
    t.emplace(c.tags());
    if (const u32 by = t->lanes_with_data(m.base, m.base_bits, mask); by != 0)
      c.machine.steer(c.where, trace::SteerEvent::What::address, by);
  }
  u8* r = c.registers();
  const bool is_128 = m.atomic == Atomic::exch || m.atomic == Atomic::cas;
  const auto register_of = [&](u32 offset, std::size_t l) -> u64 {
    return m.bytes == 8 ? row<u64>(r, offset)[l] : row<u32>(r, offset)[l];
  };
  const bool in_global = a.space == trace::MemorySpace::global;
  for (const std::size_t l : set_bits(mask)) {
    Store& s = *a.stores[l];
    std::array<u64, 8> old{}, fresh{}, operand{};
    bool same = true;
    for (u32 e = 0; e < m.count; ++e) {
      old[e] = read_bytes(s.data + a.at[l] + u64{e} * m.bytes, m.bytes);
      operand[e] = register_of(m.operands[e], l);
      same = same && old[e] == operand[e];
    }
    for (u32 e = 0; e < m.count; ++e) {
      if (!is_128)
        fresh[e] = combined(m, old[e], operand[e], 0, in_global);
      else if (m.atomic == Atomic::exch)
        fresh[e] = operand[e];
      else
        fresh[e] = same ? register_of(m.operands[2 + e], l) : old[e];
    }
    if (t) {
      const u32 words = width / 4;
      for (u32 w = 0; w < words; ++w) {
        const u32 e = w * 4 / m.bytes, word = m.bytes == 8 ? w % 2 : 0;
        const auto of = [&](u32 offset) {
          return t->carries(offset, 32) ? t->words(offset)[word * lanes + l] : trace::no_data;
        };
        const trace::WordTag before = s.tag(a.at[l] / 4 + w);
        if (m.has_destination && m.bytes >= 4) {
          t->words(m.registers[e])[word * lanes + l] = before;
          t->mark(m.registers[e]);
        }
        const trace::WordTag now = m.atomic == Atomic::exch  ? of(m.operands[e])
                                   : m.atomic == Atomic::cas ? (same ? of(m.operands[2 + e]) : before)
                                                             : t->computed(before, of(m.operands[e]));
        s.set_tag(a.at[l] / 4 + w, now);
      }
    }
    for (u32 e = 0; e < m.count; ++e) {
      write_bytes(s.data + a.at[l] + u64{e} * m.bytes, fresh[e], m.bytes);
      if (!m.has_destination) continue;
      if (m.bytes == 8)
        row<u64>(r, m.registers[e])[l] = old[e];
      else
        row<u32>(r, m.registers[e])[l] = static_cast<u32>(old[e]);
    }
  }
  c.group().polls = 0;
  ++c.machine.acts;
  if (c.machine.observed()) report_moved(c, m, m.kind, a, width, mask);
  return Flow::next;
}

Flow step_atomic(Context& c, const Op& op, u32 mask) {
  const MemoryOp& m = c.machine.program->memory[op.immediate];
  Access a;
  if (!resolve(c, m, m.base, m.base_bits, m.offset, m.area, m.bytes, true, mask, a)) return Flow::faulted;
  const bool tags = c.machine.tags();
  std::optional<TagContext> t;
  if (tags) {
    t.emplace(c.tags());
    if (const u32 by = t->lanes_with_data(m.base, m.base_bits, mask); by != 0)
      c.machine.steer(c.where, trace::SteerEvent::What::address, by);
    if (const u32 by = m.atomic == Atomic::cas ? t->lanes_with_data(m.operand, 32, mask) : 0; by != 0)
      c.machine.steer(c.where, trace::SteerEvent::What::select, by);
  }
  u8* r = c.registers();
  const bool is_64 = m.bytes == 8;
  const auto value = [&](u32 offset, std::size_t l) -> u64 {
    if (offset == 0) return 0;
    return is_64 ? row<u64>(r, offset)[l] : m.bytes == 2 ? row<u32>(r, offset)[l] & 0xffff : row<u32>(r, offset)[l];
  };
  const u32 words = is_64 ? 2 : 1;
  std::vector<u32> after(c.machine.observed() ? words * lanes : 0);
  std::vector<trace::WordTag> after_tags(c.machine.observed() && tags ? words * lanes : 0);
  const bool in_global = a.space == trace::MemorySpace::global;
  const bool defers = m.unread && c.machine.defers_atomics;
  u32 deferred = 0;
  u64 first_old = 0;
  const int first = std::countr_zero(mask);
  // Destination and operand may be the same register, but a lane reads its operand before its result is written.
  for (const std::size_t l : set_bits(mask)) {
    Store& s = *a.stores[l];
    const u64 at = a.at[l];
    const u64 old = read_bytes(s.data + at, m.bytes);
    const u64 b = value(m.operand, l);
    const u64 swap = value(m.swap, l);
    const u64 fresh = combined(m, old, b, swap, in_global);
    if (static_cast<int>(l) == first) first_old = old;
    if (tags) {
      const LaneTags moved = lane_tags(*t, m, s, at, l, old, b);
      for (u32 w = 0; w < words; ++w) {
        if (m.has_destination) {
          t->words(m.registers[0])[w * lanes + l] = moved.old[w];
          if (moved.old[w] != 0) t->mark(m.registers[0]);
        }
        if (m.bytes < 4)
          write_tag(*t, s, at, m.bytes, moved.fresh[w]);
        else
          s.set_tag(at / 4 + w, moved.fresh[w]);
        if (!after_tags.empty()) after_tags[w * lanes + l] = moved.fresh[w];
      }
    }
    if (defers && defer(c, op, s, at, b, swap))
      deferred |= 1u << l;
    else if (fresh != old)
      ++c.machine.acts;
    write_bytes(s.data + at, fresh, m.bytes);
    if (m.has_destination) {
      if (is_64)
        row<u64>(r, m.registers[0])[l] = old;
      else
        row<u32>(r, m.registers[0])[l] = static_cast<u32>(old);
    }
    for (u32 w = 0; w < words && !after.empty(); ++w) after[w * lanes + l] = static_cast<u32>(fresh >> (32 * w));
  }
  if (m.polls) note_poll(c, first_old);
  if (c.machine.observed()) report_access(c, m, m.kind, a, m.bytes, mask, after, after_tags, 0, deferred);
  return Flow::next;
}

}  // namespace lanescope::emulator
