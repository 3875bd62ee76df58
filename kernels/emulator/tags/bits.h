#pragma once
// Identities bit by bit, for the exact rules. Private to this folder.
//
// A value here is up to 64 bits; each either carries data (it has a BitTag) or is known (its run-time value acts).

#include <array>

#include "kernels/emulator/lanes/op.h"
#include "kernels/trace/tags.h"

namespace lanescope::emulator {

struct TaggedBits {
  std::array<trace::BitTag, 64> tag{};
  u64 value = 0;
  u64 data = 0;  ///< bits that carry data; the others are `value`
  u32 bits = 32;

  bool carries(u32 i) const { return (data >> i & 1) != 0; }
  bool known(u32 i) const { return (value >> i & 1) != 0; }
  void put(u32 i, trace::BitTag t) {
    tag[i] = t;
    if (t.kind() == trace::BitKind::none)
      data &= ~(u64{1} << i);
    else
      data |= u64{1} << i;
  }
  /// Copies bit j of `from`, data or known.
  void copy(u32 i, const TaggedBits& from, u32 j) {
    put(i, from.carries(j) ? from.tag[j] : trace::BitTag{});
    set_known(i, from.known(j));
  }
  void set_known(u32 i, bool on) { value = (value & ~(u64{1} << i)) | u64{on} << i; }
};

/// One bit: a tag, or a known value.
struct OneBit {
  trace::BitTag tag;
  bool value = false;
  bool carries() const { return tag.kind() != trace::BitKind::none; }
};

class BitAlgebra {
 public:
  explicit BitAlgebra(trace::TagPool& pool) : pool_(pool) {}
  OneBit exclusive_or(OneBit a, OneBit b);
  /// A Boolean function of three bits by its truth table (bit index a*4 + b*2 + c). Exact where, once known bits are
  /// put in and equal identities identified, what is left is a sum of bits; otherwise "computed" from all of them.
  OneBit function(OneBit a, OneBit b, OneBit c, u32 table);
  OneBit computed(std::initializer_list<OneBit> from);

  TaggedBits logic(const TaggedBits& a, const TaggedBits& b, const TaggedBits& c, u32 table);
  TaggedBits add(const TaggedBits& a, const TaggedBits& b);
  TaggedBits subtract(const TaggedBits& a, const TaggedBits& b);
  /// a * b in `bits` bits, exact if one factor is known and its shifted copies of the other do not overlap.
  TaggedBits multiply(const TaggedBits& a, const TaggedBits& b, u32 bits);
  TaggedBits all_computed(std::initializer_list<const TaggedBits*> from, u32 bits, u64 value);

 private:
  trace::BitTag united(trace::BitTag a, trace::BitTag b);
  trace::TagPool& pool_;
};

TaggedBits extended(const TaggedBits& a, u32 from_bits, u32 to_bits, bool is_signed);
TaggedBits shifted_left(const TaggedBits& a, u64 amount);
TaggedBits shifted_right(const TaggedBits& a, u64 amount, bool is_signed);

}  // namespace lanescope::emulator
