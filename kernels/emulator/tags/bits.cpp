#include "kernels/emulator/tags/bits.h"

#include <algorithm>
#include <bit>
#include <vector>

namespace lanescope::emulator {

using trace::BitKind;
using trace::BitTag;

namespace {

/// Longer sums of bits are reported as "computed": a checksum of a whole array is no layout.
constexpr std::size_t longest_parity = 64;

bool is_linear(BitTag t) { return t.kind() == BitKind::source || t.kind() == BitKind::parity; }
BitTag inverse(BitTag t) { return {t.raw ^ (std::uint64_t{1} << 61)}; }

OneBit bit_of(const TaggedBits& a, u32 i) { return {a.carries(i) ? a.tag[i] : BitTag{}, a.known(i)}; }
void store(TaggedBits& to, u32 i, OneBit b) {
  to.put(i, b.tag);
  to.set_known(i, b.value);
}

}  // namespace

BitTag BitAlgebra::united(BitTag a, BitTag b) {
  if (a.kind() == BitKind::none) return BitTag::computed(pool_.element_set(b));
  if (b.kind() == BitKind::none) return BitTag::computed(pool_.element_set(a));
  return BitTag::computed(pool_.set_union(pool_.element_set(a), pool_.element_set(b)));
}

OneBit BitAlgebra::computed(std::initializer_list<OneBit> from) {
  BitTag all;
  for (const OneBit& b : from)
    if (b.carries()) all = united(all, b.tag);
  return {all, false};
}

OneBit BitAlgebra::exclusive_or(OneBit a, OneBit b) {
  if (!a.carries() && !b.carries()) return {{}, a.value != b.value};
  if (!a.carries()) std::swap(a, b);
  if (!b.carries()) return {is_linear(a.tag) && b.value ? inverse(a.tag) : a.tag, false};
  if (!is_linear(a.tag) || !is_linear(b.tag)) return computed({a, b});
  const auto members = [&](BitTag t) {
    if (t.kind() == BitKind::source) return std::vector<u64>{t.payload()};
    const auto span = pool_.set(static_cast<u32>(t.payload()));
    return std::vector<u64>(span.begin(), span.end());
  };
  const std::vector<u64> x = members(a.tag), y = members(b.tag);
  std::vector<u64> sum;
  std::ranges::set_symmetric_difference(x, y, std::back_inserter(sum));
  const bool inverted = a.tag.inverted() != b.tag.inverted();
  if (sum.empty()) return {{}, inverted};
  if (sum.size() == 1) return {BitTag::source(sum[0], inverted), false};
  if (sum.size() > longest_parity) return computed({a, b});
  const u32 set = pool_.intern_set(sum);
  return set == trace::TagPool::too_many ? computed({a, b}) : OneBit{BitTag::parity(set, inverted), false};
}

OneBit BitAlgebra::function(OneBit a, OneBit b, OneBit c, u32 table) {
  const std::array<OneBit, 3> in{a, b, c};
  // Which independent unknown each operand is, and whether inverted. A "computed" bit equals itself only by luck of
  // having the same set, so it is always an unknown of its own.
  std::array<int, 3> unknown{-1, -1, -1};
  std::array<bool, 3> flip{};
  std::array<OneBit, 3> unknowns{};
  u32 count = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    if (!in[i].carries()) continue;
    const bool linear = is_linear(in[i].tag);
    for (u32 k = 0; k < count && linear; ++k) {
      if (unknowns[k].tag == in[i].tag) unknown[i] = static_cast<int>(k);
      if (is_linear(unknowns[k].tag) && unknowns[k].tag == inverse(in[i].tag))
        unknown[i] = static_cast<int>(k), flip[i] = true;
    }
    if (unknown[i] < 0) {
      unknowns[count] = in[i];
      unknown[i] = static_cast<int>(count++);
    }
  }
  // The truth table over the unknowns alone.
  std::array<bool, 8> out{};
  for (u32 assignment = 0; assignment < (1u << count); ++assignment) {
    u32 index = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      const bool on = unknown[i] < 0 ? in[i].value : ((assignment >> unknown[i] & 1) != 0) != flip[i];
      index |= u32{on} << (2 - i);
    }
    out[assignment] = (table >> index & 1) != 0;
  }
  // A sum of bits: flipping one unknown either always or never flips the result.
  OneBit sum{{}, out[0]};
  OneBit depends_on{};
  bool linear = true;
  for (u32 k = 0; k < count; ++k) {
    bool always_flips = true, never_flips = true;
    for (u32 assignment = 0; assignment < (1u << count); ++assignment) {
      const bool flips = out[assignment] != out[assignment ^ 1u << k];
      always_flips &= flips;
      never_flips &= !flips;
    }
    if (never_flips) continue;
    linear = linear && always_flips;
    depends_on = depends_on.carries() ? computed({depends_on, unknowns[k]}) : unknowns[k];
    if (linear) sum = exclusive_or(sum, unknowns[k]);
  }
  if (linear) return sum;
  return computed({depends_on});
}

TaggedBits BitAlgebra::logic(const TaggedBits& a, const TaggedBits& b, const TaggedBits& c, u32 table) {
  TaggedBits out;
  out.bits = a.bits;
  for (u32 i = 0; i < a.bits; ++i) store(out, i, function(bit_of(a, i), bit_of(b, i), bit_of(c, i), table));
  return out;
}

TaggedBits BitAlgebra::add(const TaggedBits& a, const TaggedBits& b) {
  // Two numbers that carry data everywhere: no bit but the lowest could be determined exactly.
  if ((a.data & 1) != 0 && (b.data & 1) != 0 && std::popcount(a.data & b.data) > 4)
    return all_computed({&a, &b}, a.bits, 0);
  TaggedBits out;
  out.bits = a.bits;
  OneBit carry;
  for (u32 i = 0; i < a.bits; ++i) {
    const OneBit x = bit_of(a, i), y = bit_of(b, i);
    store(out, i, function(x, y, carry, 0x96));
    carry = function(x, y, carry, 0xe8);
  }
  return out;
}

TaggedBits BitAlgebra::subtract(const TaggedBits& a, const TaggedBits& b) {
  if ((a.data & 1) != 0 && (b.data & 1) != 0 && !(a.tag[0] == b.tag[0]) && std::popcount(a.data & b.data) > 4)
    return all_computed({&a, &b}, a.bits, 0);
  TaggedBits out;
  out.bits = a.bits;
  OneBit borrow;
  for (u32 i = 0; i < a.bits; ++i) {
    const OneBit x = bit_of(a, i), y = bit_of(b, i);
    store(out, i, function(x, y, borrow, 0x96));
    borrow = function(x, y, borrow, 0x8e);  // (~a & b) | (~a & c) | (b & c)
  }
  return out;
}

TaggedBits BitAlgebra::multiply(const TaggedBits& a, const TaggedBits& b, u32 bits) {
  const TaggedBits& data = a.data != 0 ? a : b;
  const TaggedBits& factor = a.data != 0 ? b : a;
  const u64 product = a.value * b.value;
  if (factor.data != 0) return all_computed({&a, &b}, bits, product);
  const u64 limit = bits == 64 ? ~u64{0} : (u64{1} << bits) - 1;
  const u64 times = factor.value & limit;
  // Bits of `data` that may be set, its known ones included.
  const u64 possible = (data.data | data.value) & limit;
  TaggedBits out;
  out.bits = bits;
  u64 taken = 0;
  for (u32 shift = 0; shift < bits; ++shift) {
    if ((times >> shift & 1) == 0) continue;
    const u64 here = (possible << shift) & limit;
    if ((here & taken) != 0) return all_computed({&data}, bits, product);
    taken |= here;
    for (u32 i = 0; i + shift < bits; ++i)
      if ((possible >> i & 1) != 0) out.copy(i + shift, data, i);
  }
  return out;
}

TaggedBits BitAlgebra::all_computed(std::initializer_list<const TaggedBits*> from, u32 bits, u64 value) {
  BitTag all, last;
  for (const TaggedBits* f : from)
    for (u32 i = 0; i < f->bits; ++i)
      if (f->carries(i)) {
        // Neighbouring bits mostly belong to the same element; uniting them again and again would only take time.
        if (f->tag[i] == last) continue;
        last = f->tag[i];
        all = united(all, last);
      }
  TaggedBits out;
  out.bits = bits;
  out.value = value;
  if (all.kind() != BitKind::none)
    for (u32 i = 0; i < bits; ++i) out.put(i, all);
  return out;
}

TaggedBits extended(const TaggedBits& a, u32 from_bits, u32 to_bits, bool is_signed) {
  TaggedBits out = a;
  out.bits = to_bits;
  for (u32 i = from_bits; i < 64; ++i) {
    if (is_signed && i < to_bits)
      out.copy(i, a, from_bits - 1);
    else
      out.put(i, {}), out.set_known(i, false);
  }
  return out;
}

TaggedBits shifted_left(const TaggedBits& a, u64 amount) {
  TaggedBits out;
  out.bits = a.bits;
  for (u32 i = 0; i < a.bits; ++i)
    if (i >= amount) out.copy(i, a, i - static_cast<u32>(amount));
  return out;
}

TaggedBits shifted_right(const TaggedBits& a, u64 amount, bool is_signed) {
  TaggedBits out;
  out.bits = a.bits;
  for (u32 i = 0; i < a.bits; ++i) {
    if (i + amount < a.bits)
      out.copy(i, a, i + static_cast<u32>(amount));
    else if (is_signed)
      out.copy(i, a, a.bits - 1);
  }
  return out;
}

}  // namespace lanescope::emulator
