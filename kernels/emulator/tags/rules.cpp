#include "kernels/emulator/tags/rules.h"

#include <algorithm>
#include <array>

#include "kernels/base/set_bits.h"
#include "kernels/emulator/lanes/lane_math.h"
#include "kernels/emulator/tags/bits.h"

namespace lanescope::emulator {

using trace::BitTag;
using trace::no_data;
using trace::TagPool;
using trace::WordTag;

namespace {

using Key = TagCache::Key;

u64 data_of(const TagPool& pool, Words w) {
  return u64{w.high == no_data ? 0 : pool.data_mask(w.high)} << 32 | (w.low == no_data ? 0 : pool.data_mask(w.low));
}

TaggedBits expand(const TagPool& pool, Words words, u64 value, u32 bits) {
  TaggedBits out;
  out.value = value;
  out.bits = bits;
  out.data = data_of(pool, words);
  if (words.low != no_data) {
    const auto all = pool.bits(words.low);
    for (u32 i = 0; i < 32; ++i) out.tag[i] = all[i];
  }
  if (words.high != no_data) {
    const auto all = pool.bits(words.high);
    for (u32 i = 0; i < 32; ++i) out.tag[32 + i] = all[i];
  }
  return out;
}

Words collapse(TagPool& pool, const TaggedBits& bits) {
  trace::WordBits low{}, high{};
  const u64 keep = bits.bits == 64 ? ~u64{0} : (u64{1} << bits.bits) - 1;
  const u64 data = bits.data & keep;
  for (u32 i = 0; i < 32; ++i) {
    if ((data >> i & 1) != 0) low[i] = bits.tag[i];
    if ((data >> (32 + i) & 1) != 0) high[i] = bits.tag[32 + i];
  }
  return {static_cast<u32>(data) != 0 ? pool.intern(low) : no_data, data >> 32 != 0 ? pool.intern(high) : no_data};
}

struct Operand {
  Words words;
  u64 value = 0;
};

Operand operand(TagContext& t, u32 offset, u8 bits, std::size_t lane) {
  Operand out;
  if (bits == 0) return out;
  out.value = bits == 64 ? row<u64>(t.values, offset)[lane] : row<u32>(t.values, offset)[lane];
  if (bits < 32) out.value &= (u64{1} << bits) - 1;
  if (!t.carries(offset, bits)) return out;
  out.words.low = t.words(offset)[lane];
  if (bits == 64) out.words.high = t.words(offset)[lanes + lane];
  return out;
}

TaggedBits permuted(const TaggedBits& a, const TaggedBits& b, u32 selector) {
  TaggedBits out;
  for (u32 byte = 0; byte < 4; ++byte) {
    const u32 nibble = selector >> (4 * byte) & 15;
    const TaggedBits& from = (nibble & 4) != 0 ? b : a;
    const u32 first = (nibble & 3) * 8;
    for (u32 i = 0; i < 8; ++i) out.copy(byte * 8 + i, from, (nibble & 8) != 0 ? first + 7 : first + i);
  }
  return out;
}

TaggedBits funnel(const TaggedBits& low, const TaggedBits& high, u32 amount, bool left) {
  TaggedBits both;
  both.bits = 64;
  for (u32 i = 0; i < 32; ++i) both.copy(i, low, i), both.copy(32 + i, high, i);
  TaggedBits out;
  const TaggedBits moved = left ? shifted_left(both, amount) : shifted_right(both, amount, false);
  for (u32 i = 0; i < 32; ++i) out.copy(i, moved, left ? 32 + i : i);
  return out;
}

/// Of 32 bits the low bytes count, of 64 the whole words (lanes/lane_math.h).
void field_range(u32 bits, u32& position, u32& length) {
  if (bits == 32) position &= 0xff, length &= 0xff;
  position = std::min(position, 0x200u), length = std::min(length, 0x200u);
}

TaggedBits extracted(const TaggedBits& a, u32 position, u32 length, bool is_signed) {
  TaggedBits out;
  out.bits = a.bits;
  field_range(a.bits, position, length);
  if (length == 0) return out;
  const u32 last = std::min(position + length - 1, a.bits - 1);
  for (u32 i = 0; i < a.bits; ++i) {
    if (i < length && position + i < a.bits)
      out.copy(i, a, position + i);
    else if (is_signed)
      out.copy(i, a, last);
  }
  return out;
}

TaggedBits inserted(const TaggedBits& a, const TaggedBits& b, u32 position, u32 length) {
  TaggedBits out = b;
  field_range(b.bits, position, length);
  for (u32 i = 0; i < length && position + i < b.bits; ++i) out.copy(position + i, a, i);
  return out;
}

TaggedBits sized_bits(const TaggedBits& a, u32 bits, bool is_signed) {
  if (bits == 0) return {};
  if (bits >= 32) return a;
  return extended(a, bits, 32, is_signed);
}

/// The rule applied. c is the third operand, x the fourth (bfi's length), all with their values.
TaggedBits apply(BitAlgebra& algebra, const Op& op, const TaggedBits& a, const TaggedBits& b, const TaggedBits& c,
                 u32 x) {
  const u32 bv = static_cast<u32>(b.value), cv = static_cast<u32>(c.value);
  const auto wide = [&](bool is_signed) {
    const u32 to = op.d_bits;
    return algebra.multiply(extended(a, op.a_bits, to, is_signed), extended(b, op.b_bits, to, is_signed), to);
  };
  const auto high = [&](bool is_signed) {
    if (op.a_bits == 64) return algebra.all_computed({&a, &b}, 64, 0);
    const u32 to = op.a_bits * 2u;
    const TaggedBits product =
        algebra.multiply(extended(a, op.a_bits, to, is_signed), extended(b, op.b_bits, to, is_signed), to);
    TaggedBits out;
    out.bits = op.a_bits;
    for (u32 i = 0; i < op.a_bits; ++i) out.copy(i, product, op.a_bits + i);
    return out;
  };
  switch (op.rule) {
    case BitRule::lop3:
      return algebra.logic(a, b, c, op.immediate);
    case BitRule::shl:
      return shifted_left(a, bv);
    case BitRule::shr_u:
      return shifted_right(a, bv, false);
    case BitRule::shr_s:
      return shifted_right(a, bv, true);
    case BitRule::shf_l_wrap:
      return funnel(a, b, cv & 31, true);
    case BitRule::shf_l_clamp:
      return funnel(a, b, std::min(cv, 32u), true);
    case BitRule::shf_r_wrap:
      return funnel(a, b, cv & 31, false);
    case BitRule::shf_r_clamp:
      return funnel(a, b, std::min(cv, 32u), false);
    case BitRule::bfe_u:
      return extracted(a, bv, cv, false);
    case BitRule::bfe_s:
      return extracted(a, bv, cv, true);
    case BitRule::bfi:
      return inserted(a, b, cv, x);
    case BitRule::prmt:
      return permuted(a, b, permute_selector(cv, op.immediate));
    case BitRule::brev: {
      TaggedBits out;
      out.bits = a.bits;
      for (u32 i = 0; i < a.bits; ++i) out.copy(i, a, a.bits - 1 - i);
      return out;
    }
    case BitRule::extend_u:
      return extended(a, op.d2, op.d_bits, false);
    case BitRule::extend_s:
      return extended(a, op.d2, op.d_bits, true);
    case BitRule::add:
      return algebra.add(a, b);
    case BitRule::sub:
      return algebra.subtract(a, b);
    case BitRule::neg: {
      TaggedBits zero;
      zero.bits = a.bits;
      return algebra.subtract(zero, a);
    }
    case BitRule::mul_lo:
      return algebra.multiply(a, b, op.a_bits);
    case BitRule::mul_hi_u:
      return high(false);
    case BitRule::mul_hi_s:
      return high(true);
    case BitRule::mul_wide_u:
      return wide(false);
    case BitRule::mul_wide_s:
      return wide(true);
    case BitRule::mad_lo:
      return algebra.add(algebra.multiply(a, b, op.a_bits), c);
    case BitRule::mad_wide_u:
      return algebra.add(wide(false), c);
    case BitRule::mad_wide_s:
      return algebra.add(wide(true), c);
    case BitRule::szext_u:
      return sized_bits(a, op.immediate != 0 ? bv & 31 : bv, false);
    case BitRule::szext_s:
      return sized_bits(a, op.immediate != 0 ? bv & 31 : bv, true);
    case BitRule::movm:
      break;
  }
  return a;
}

/// Operands that say where bits go, not what they are: when they carry data, data steers.
u32 control_operands(BitRule rule) {
  switch (rule) {
    case BitRule::shl:
    case BitRule::shr_u:
    case BitRule::shr_s:
    case BitRule::szext_u:
    case BitRule::szext_s:
      return 2;
    case BitRule::shf_l_wrap:
    case BitRule::shf_l_clamp:
    case BitRule::shf_r_wrap:
    case BitRule::shf_r_clamp:
    case BitRule::prmt:
      return 4;
    case BitRule::bfe_u:
    case BitRule::bfe_s:
      return 6;
    case BitRule::bfi:
      return 12;
    default:
      return 0;
  }
}

void store_words(TagContext& t, const Op& op, std::size_t lane, Words w) {
  t.words(op.d)[lane] = w.low;
  if (op.d_bits == 64) t.words(op.d)[lanes + lane] = w.high;
  if (w.any()) t.mark(op.d);
}

}  // namespace

void TagContext::clear(u32 offset, u8 bits, u32 mask) {
  if (tagged[offset >> 7] == 0) return;
  u32* w = words(offset);
  const std::size_t rows = bits == 64 ? 2 : 1;
  if (mask == all_lanes) {
    for (std::size_t i = 0; i < rows * lanes; ++i) w[i] = no_data;
    tagged[offset >> 7] = 0;
    return;
  }
  for (std::size_t r = 0; r < rows; ++r)
    for (std::size_t l = 0; l < lanes; ++l) w[r * lanes + l] = (mask >> l & 1) != 0 ? no_data : w[r * lanes + l];
}

u32 TagContext::lanes_with_data(u32 offset, u8 bits, u32 mask) {
  if (!carries(offset, bits)) return 0;
  u32 out = 0;
  const u32* w = words(offset);
  for (u32 l = 0; l < lanes; ++l) out |= (w[l] | (bits == 64 ? w[lanes + l] : 0)) != 0 ? 1u << l : 0u;
  return out & mask;
}

WordTag TagContext::cut(WordTag word, u32 first, u32 bits, bool is_signed) {
  if (word == no_data || (first == 0 && bits == 32)) return word;
  const Key key{.function = Key::Function::cut,
                .is_signed = is_signed,
                .first = static_cast<u8>(first),
                .length = static_cast<u8>(bits),
                .operands = {{{.words = {word}}}}};
  return cache
      .result(key,
              [&] {
                const auto in = pool.bits(word);
                trace::WordBits out{};
                for (u32 i = 0; i < 32; ++i)
                  out[i] = i < bits ? in[first + i] : is_signed ? in[first + bits - 1] : BitTag{};
                return Words{pool.intern(out)};
              })
      .low;
}

WordTag TagContext::merge(WordTag into, WordTag from, u32 first, u32 bits) {
  if ((into | from) == no_data) return no_data;
  const Key key{.function = Key::Function::merge,
                .first = static_cast<u8>(first),
                .length = static_cast<u8>(bits),
                .operands = {{{.words = {into}}, {.words = {from}}}}};
  return cache
      .result(key,
              [&] {
                auto out = pool.bits(into);
                const auto in = pool.bits(from);
                for (u32 i = 0; i < bits; ++i) out[first + i] = in[i];
                return Words{pool.intern(out)};
              })
      .low;
}

WordTag TagContext::computed(WordTag a, WordTag b, WordTag c, bool per_half) {
  if ((a | b | c) == no_data) return no_data;
  const auto whole = [&](WordTag x, WordTag y, WordTag z) {
    bool first = true;
    u32 set = 0;
    for (WordTag w : {x, y, z}) {
      if (w == no_data) continue;
      set = first ? pool.element_set(w) : pool.set_union(set, pool.element_set(w));
      first = false;
    }
    return first ? no_data : pool.computed_word(set);
  };
  const Key key{.function = per_half ? Key::Function::computed_halves : Key::Function::computed,
                .operands = {{{.words = {a}}, {.words = {b}}, {.words = {c}}}}};
  return cache
      .result(key,
              [&] {
                if (!per_half) return Words{whole(a, b, c)};
                const WordTag low = whole(cut(a, 0, 16, false), cut(b, 0, 16, false), cut(c, 0, 16, false));
                const WordTag high = whole(cut(a, 16, 16, false), cut(b, 16, 16, false), cut(c, 16, 16, false));
                return Words{merge(merge(no_data, low, 0, 16), high, 16, 16)};
              })
      .low;
}

WordTag TagContext::logic(WordTag a, u32 a_value, WordTag b, u32 b_value, u32 table) {
  if ((a | b) == no_data) return no_data;
  BitAlgebra algebra(pool);
  const TaggedBits zero;
  return collapse(pool, algebra.logic(expand(pool, {a, no_data}, a_value, 32), expand(pool, {b, no_data}, b_value, 32),
                                      zero, table))
      .low;
}

void TagContext::copy(u32 from, u32 to, u8 bits, u32 mask) {
  const u32* a = words(from);
  u32* d = words(to);
  const std::size_t rows = bits == 64 ? 2 : 1;
  for (std::size_t r = 0; r < rows * lanes; r += lanes)
    for (std::size_t l = 0; l < lanes; ++l) d[r + l] = (mask >> l & 1) != 0 ? a[r + l] : d[r + l];
}

void TagContext::choice(u32 d, u8 d_bits, u32 by) {
  if (by == 0) return;
  if (chosen == no_data) return steer(self, trace::SteerEvent::What::select, by);
  const std::size_t rows = d_bits == 64 ? 2 : 1;
  for (std::size_t r = 0; r < rows * lanes; r += lanes)
    for (const std::size_t l : set_bits(by)) {
      const WordTag all = computed(words(d)[r + l], chosen);
      words(d)[r + l] = d_bits < 32 ? cut(all, 0, d_bits, false) : all;
    }
  mark(d);
}

void tag_nothing(TagContext& t, const Op& op, u32 mask) { t.clear(op.d, op.d_bits, mask); }

void tag_copy(TagContext& t, const Op& op, u32 mask) {
  if (!t.carries(op.a, op.a_bits)) return t.clear(op.d, op.d_bits, mask);
  const u8 kind = t.tagged[op.a >> 7];
  t.tagged[op.d >> 7] = mask == all_lanes || t.tagged[op.d >> 7] != 1 ? kind : 1;
  t.copy(op.a, op.d, op.d_bits, mask);
}

namespace {

void choose(TagContext& t, const Op& op, u32 mask, u32 take_a) {
  const bool a_carries = t.carries(op.a, op.a_bits), b_carries = t.carries(op.b, op.b_bits);
  if (!a_carries && !b_carries) return t.clear(op.d, op.d_bits, mask);
  t.mark(op.d);
  const std::size_t rows = op.d_bits == 64 ? 2 : 1;
  for (std::size_t r = 0; r < rows * lanes; r += lanes)
    for (std::size_t l = 0; l < lanes; ++l) {
      const u32 a = a_carries ? t.words(op.a)[r + l] : no_data;
      const u32 b = b_carries ? t.words(op.b)[r + l] : no_data;
      u32& d = t.words(op.d)[r + l];
      d = (mask >> l & 1) == 0 ? d : (take_a >> l & 1) != 0 ? a : b;
    }
}

}  // namespace

void tag_select(TagContext& t, const Op& op, u32 mask) {
  const u32 by = t.decided(op.c) & mask;
  choose(t, op, mask, *row<u32>(t.values, op.c) ^ op.flip);
  t.choice(op.d, op.d_bits, by);
}

void tag_select_sign(TagContext& t, const Op& op, u32 mask) {
  const u32 by = t.lanes_with_data(op.c, 32, mask);
  u32 take_a = 0;
  for (u32 l = 0; l < lanes; ++l) {
    const u32 c = row<u32>(t.values, op.c)[l];
    const bool is_float = op.immediate != 0, flushes = op.immediate == 2;  // as Decoder::slct says
    const u32 magnitude = c & 0x7fffffffu;
    const bool zero = magnitude == 0 || (flushes && magnitude < 0x00800000u);
    const bool takes = is_float ? zero || (c >> 31 == 0 && magnitude <= 0x7f800000u) : c >> 31 == 0;
    take_a |= takes ? 1u << l : 0u;
  }
  choose(t, op, mask, take_a);
  t.choice(op.d, op.d_bits, by);
}

void tag_bits(TagContext& t, const Op& op, u32 mask) {
  const bool fourth = op.rule == BitRule::bfi && t.carries(op.d2, 32);
  if (!t.carries(op.a, op.a_bits) && !t.carries(op.b, op.b_bits) && !t.carries(op.c, op.c_bits) && !fourth)
    return t.clear(op.d, op.d_bits, mask);
  const u32 control = control_operands(op.rule);
  u32 by = fourth ? t.lanes_with_data(op.d2, 32, mask) : 0;
  if ((control & 2) != 0) by |= t.lanes_with_data(op.b, 32, mask);
  if ((control & 4) != 0) by |= t.lanes_with_data(op.c, 32, mask);
  const bool extends = op.rule == BitRule::extend_u || op.rule == BitRule::extend_s;
  BitAlgebra algebra(t.pool);
  for (const std::size_t l : set_bits(mask)) {
    Operand a = operand(t, op.a, op.a_bits, l), b = operand(t, op.b, op.b_bits, l), c = operand(t, op.c, op.c_bits, l);
    const u32 x = op.rule == BitRule::bfi ? row<u32>(t.values, op.d2)[l] : 0;
    if ((control & 2) != 0) b.words = {};
    if ((control & 4) != 0) c.words = {};
    if (!a.words.any() && !b.words.any() && !c.words.any()) {
      store_words(t, op, l, {});
      continue;
    }
    const auto key_of = [&](const Operand& o) { return Key::Operand{o.words, o.value & ~data_of(t.pool, o.words)}; };
    const Key key{.function = Key::Function::rule,
                  .rule = op.rule,
                  .d_bits = op.d_bits,
                  .a_bits = op.a_bits,
                  .b_bits = op.b_bits,
                  .c_bits = op.c_bits,
                  .mode = static_cast<u8>(op.immediate),
                  .length = static_cast<u8>(extends ? op.d2 : x),
                  .operands = {{key_of(a), key_of(b), key_of(c)}}};
    store_words(t, op, l, t.cache.result(key, [&] {
      return collapse(
          t.pool, apply(algebra, op, expand(t.pool, a.words, a.value, op.a_bits),
                        expand(t.pool, b.words, b.value, op.b_bits), expand(t.pool, c.words, c.value, op.c_bits), x));
    }));
  }
  t.choice(op.d, op.d_bits, by);
}

void tag_compare(TagContext& t, const Op& op, u32 mask) {
  const u32 c = op.bool_op == BoolOp::none ? 0 : t.decided(op.c);
  u32 decided = (t.lanes_with_data(op.a, op.a_bits, mask) | t.lanes_with_data(op.b, op.b_bits, mask) | c) & mask;
  if (t.chosen != no_data && decided != 0 && op.bool_op != BoolOp::none) {  // false and x, true or x
    const u32 value = *row<u32>(t.values, op.c) ^ op.flip;
    if (op.bool_op == BoolOp::and_) decided &= value | c;
    if (op.bool_op == BoolOp::or_) decided &= ~value | c;
  }
  for (u32 p : {op.d, op.d2}) {
    u32& flags = *row<u32>(t.tags, p);
    flags = (flags & ~mask) | decided;
  }
}

void tag_predicates(TagContext& t, const Op& op, u32 mask) {
  u32& flags = *row<u32>(t.tags, op.d);
  u32 decided = (t.decided(op.a) | t.decided(op.b) | t.decided(op.c)) & mask;
  // Lanes whose result is the same for any deciding operands: false and x, true or x.
  if (t.chosen != no_data && decided != 0) {
    const std::array<u32, 3> from{op.a, op.b, op.c};
    std::array<u32, 3> values{}, data{};
    for (std::size_t i = 0; i < 3; ++i) {
      data[i] = t.decided(from[i]);
      values[i] = *row<u32>(t.values, from[i]) ^ ((op.flip >> i & 1) != 0 && i < 2 ? all_lanes : 0);
    }
    u32 can_be_true = 0, can_be_false = 0;
    for (u32 bits = 0; bits < 8; ++bits) {  // a is the highest bit of the table's index
      u32 possible = all_lanes;
      for (std::size_t i = 0; i < 3; ++i) {
        const u32 wanted = (bits >> (2 - i) & 1) != 0 ? all_lanes : 0;
        possible &= data[i] | ~(values[i] ^ wanted);
      }
      ((op.immediate >> bits & 1) != 0 ? can_be_true : can_be_false) |= possible;
    }
    decided &= can_be_true & can_be_false;
  }
  flags = (flags & ~mask) | decided;
}

void tag_lop3_predicate(TagContext& t, const Op& op, u32 mask) {
  const u32 decided = (t.decided(op.carry) | t.lanes_with_data(op.a, 32, mask) | t.lanes_with_data(op.b, 32, mask) |
                       t.lanes_with_data(op.c, 32, mask)) &
                      mask;
  tag_bits(t, op, mask);
  u32& flags = *row<u32>(t.tags, op.d2);
  flags = (flags & ~mask) | decided;
}

}  // namespace lanescope::emulator
