// Results that depend on all of what their operands hold: sums, products, conversions. The commonest rule of real kernels,
// so a warp's rows are remembered whole, and lanes that hold the same are computed once.

#include <array>
#include <cstring>
#include <utility>

#include "kernels/base/set_bits.h"
#include "kernels/emulator/lanes/operations.h"
#include "kernels/emulator/tags/rules.h"

namespace lanescope::emulator {

using trace::no_data;
using trace::WordTag;

namespace {

struct RowOperand {
  u32 offset;
  u8 bits;  ///< 0: absent, or carries no data
  std::size_t words() const { return bits == 0 ? 0 : bits == 64 ? 2 * lanes : lanes; }
};
std::array<RowOperand, 3> row_operands(const TagContext& t, const Op& op) {
  const auto one = [&](u32 offset, u8 bits) { return RowOperand{offset, t.carries(offset, bits) ? bits : u8{0}}; };
  return {one(op.a, op.a_bits), one(op.b, op.b_bits), one(op.c, op.c_bits)};
}
TagCache::Rows::Key key_of(const std::array<RowOperand, 3>& from, u8 d_bits, u32 mask, bool per_half) {
  return {true, per_half, d_bits, {from[0].bits, from[1].bits, from[2].bits}, mask};
}

bool same_rows(TagContext& t, const Op& op, u32 mask, bool per_half, const TagCache::Rows& memory) {
  const auto from = row_operands(t, op);
  if (memory.key != key_of(from, op.d_bits, mask, per_half)) return false;
  for (std::size_t i = 0; i < 3; ++i)
    if (std::memcmp(memory.from[i].data(), t.words(from[i].offset), from[i].words() * 4) != 0) return false;
  return true;
}

void compute_rows(TagContext& t, const Op& op, u32 mask, bool per_half, TagCache::Rows& memory) {
  const auto from = row_operands(t, op);
  memory.key = key_of(from, op.d_bits, mask, per_half);
  for (std::size_t i = 0; i < 3; ++i) std::memcpy(memory.from[i].data(), t.words(from[i].offset), from[i].words() * 4);
  const auto whole = [&](std::size_t i, std::size_t l) {
    const std::array<u32, 64>& w = memory.from[i];
    if (from[i].bits == 0) return no_data;
    return from[i].bits == 64 && w[lanes + l] != no_data ? t.computed(w[l], w[lanes + l]) : w[l];
  };
  std::array<WordTag, 3> before{~0u, ~0u, ~0u};  // lanes often hold the same: then the answer is the neighbour's
  WordTag result = no_data;
  for (const std::size_t l : set_bits(mask)) {
    const std::array<WordTag, 3> now{whole(0, l), whole(1, l), whole(2, l)};
    if (now != before) {
      result = t.computed(now[0], now[1], now[2], per_half);
      if (op.d_bits < 32) result = t.cut(result, 0, op.d_bits, false);
      before = now;
    }
    memory.result[l] = result;
  }
}

void computed_from(TagContext& t, const Op& op, u32 mask, bool per_half) {
  const bool a = t.carries(op.a, op.a_bits), b = t.carries(op.b, op.b_bits), c = t.carries(op.c, op.c_bits);
  if (!a && !b && !c) return t.clear(op.d, op.d_bits, mask);
  // Computing on from what is computed already, alone, changes nothing: the running value of a long loop.
  const u8 before = t.tagged[op.d >> 7];
  const bool stays_whole = !per_half && op.d_bits >= 32 && (mask == all_lanes || before != 1);
  if (stays_whole && int{a} + int{b} + int{c} == 1) {
    const u32 from = a ? op.a : b ? op.b : op.c;
    const u8 bits = a ? op.a_bits : b ? op.b_bits : op.c_bits;
    if (t.tagged[from >> 7] == 3 && bits == op.d_bits) {
      if (from == op.d) return;
      t.copy(from, op.d, bits, mask);
      t.tagged[op.d >> 7] = 3;
      return;
    }
  }
  TagCache::Rows& memory = t.cache.rows(&op, t.tags);
  if (!same_rows(t, op, mask, per_half, memory)) compute_rows(t, op, mask, per_half, memory);
  u32* const low = t.words(op.d);
  u32* const high = op.d_bits == 64 ? low + lanes : nullptr;
  for (std::size_t l = 0; l < lanes; ++l) {
    const bool on = (mask >> l & 1) != 0;
    low[l] = on ? memory.result[l] : low[l];
    if (high != nullptr) high[l] = on ? memory.result[l] : high[l];
  }
  t.tagged[op.d >> 7] = stays_whole ? 3 : 1;
}

}  // namespace

void tag_computed(TagContext& t, const Op& op, u32 mask) { computed_from(t, op, mask, false); }
void tag_computed_of_five(TagContext& t, const Op& op, u32 mask) {
  const std::array<u32, 5> from{op.a, op.b, op.c, op.d2, op.carry};
  std::array<trace::WordTag, lanes> result{};
  bool any = false;
  for (const u32 offset : from) {
    if (offset < first_free || !t.carries(offset, 32)) continue;
    any = true;
    for (const std::size_t l : set_bits(mask)) result[l] = t.computed(result[l], t.words(offset)[l]);
  }
  if (!any) return t.clear(op.d, op.d_bits, mask);
  for (const std::size_t l : set_bits(mask))
    t.words(op.d)[l] = op.d_bits < 32 ? t.cut(result[l], 0, op.d_bits, false) : result[l];
  t.mark(op.d);
}
void tag_computed_halves(TagContext& t, const Op& op, u32 mask) { computed_from(t, op, mask, true); }

void tag_convert_pair(TagContext& t, const Op& op, u32 mask) {
  const bool a = t.carries(op.a, 32), b = t.carries(op.b, 32);
  if (!a && !b) return t.clear(op.d, 32, mask);
  t.mark(op.d);
  for (const std::size_t l : set_bits(mask)) {
    const WordTag high = t.computed(a ? t.words(op.a)[l] : no_data, no_data);
    const WordTag low = t.computed(b ? t.words(op.b)[l] : no_data, no_data);
    t.words(op.d)[l] = t.merge(t.cut(low, 0, 16, false), high, 16, 16);
  }
}

void tag_set(TagContext& t, const Op& op, u32 mask) {
  Op plain = op;
  plain.c_bits = 0;  // that one is a predicate
  computed_from(t, plain, mask, false);
}

/// The result depends on every operand, and on all that decided the flag that it reads; so does the flag that it leaves.
void tag_carry(TagContext& t, const Op& op, u32 mask) {
  const bool reads = (op.immediate & carry_reads) != 0, writes = (op.immediate & carry_writes) != 0;
  const std::array<std::pair<u32, u8>, 4> from = {
      {{op.a, op.a_bits}, {op.b, op.b_bits}, {op.c, op.c_bits}, {op.d2, reads ? u8{32} : u8{0}}}};
  std::array<trace::WordTag, lanes> result{};
  bool any = false;
  for (const auto& [offset, bits] : from) {
    if (!t.carries(offset, bits)) continue;
    any = true;
    for (const std::size_t l : set_bits(mask)) {
      result[l] = t.computed(result[l], t.words(offset)[l], bits == 64 ? t.words(offset)[lanes + l] : trace::no_data);
    }
  }
  const auto put = [&](u32 offset, u8 bits) {
    if (!any) return t.clear(offset, bits, mask);
    for (const std::size_t l : set_bits(mask)) {
      t.words(offset)[l] = result[l];
      if (bits == 64) t.words(offset)[lanes + l] = result[l];
    }
    t.mark(offset);
  };
  put(op.d, op.d_bits);
  if (writes) put(op.d2, 32);
}

}  // namespace lanescope::emulator
