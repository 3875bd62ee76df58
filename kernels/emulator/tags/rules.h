#pragma once
// How identities follow values through operations. The exact rules work on single bits (bits.h); whole words take
// short cuts, and results are remembered by operation, tags and the values of operands that carry no data.

#include "kernels/emulator/lanes/op.h"
#include "kernels/emulator/tags/cache.h"
#include "kernels/trace/observer.h"
#include "kernels/trace/tags.h"

namespace lanescope::emulator {

struct TagContext {
  trace::TagPool& pool;
  TagCache& cache;
  u8* values;  ///< the warp's registers, before the operation
  u8* tags;
  u8* tagged;  ///< by row: 0 no data, 1 data, 3 data and every word whole and computed (or without data)
  void (*steer)(void* self, trace::SteerEvent::What what, u32 lanes);
  void* self;
  /// Options::unwritten: a word that depends on it is one that data have chosen. Then choosing is no use of a value,
  /// and what comes out of it carries this word. no_data: choices steer, and their results are what was chosen.
  trace::WordTag chosen = trace::no_data;
  /// With it: identity of values that a shuffle takes from a lane that does not take part in it.
  trace::WordTag absent = trace::no_data;

  u32* words(u32 offset) { return row<u32>(tags, offset); }
  bool carries(u32 offset, u8 bits) const { return bits != 0 && tagged[offset >> 7] != 0; }
  /// Data decided this predicate in these lanes.
  u32 decided(u32 predicate) const { return *row<u32>(tags, predicate); }
  /// No data in these lanes any more.
  void clear(u32 offset, u8 bits, u32 mask);
  /// The words of one register to another, lane by lane.
  void copy(u32 from, u32 to, u8 bits, u32 mask);
  void mark(u32 offset) { tagged[offset >> 7] = 1; }
  /// Lanes of the mask in which the register carries data.
  u32 lanes_with_data(u32 offset, u8 bits, u32 mask);

  /// Bits [first, first + bits) of a word moved to bit 0, zero- or sign-extended to 32 bits.
  trace::WordTag cut(trace::WordTag word, u32 first, u32 bits, bool is_signed);
  /// Bits [first, first + bits) of `into` replaced by the low bits of `from`.
  trace::WordTag merge(trace::WordTag into, trace::WordTag from, u32 first, u32 bits);
  /// Everything the words depend on, as a word (or, `per_half`, half by half) computed from it.
  trace::WordTag computed(trace::WordTag a, trace::WordTag b, trace::WordTag c = 0, bool per_half = false);
  /// Data chose `by` lanes of d: reports it, or has d carry that (`chosen`).
  void choice(u32 d, u8 d_bits, u32 by);
  /// The bitwise function with this truth table, for constants known by value (used by atomics too).
  trace::WordTag logic(trace::WordTag a, u32 a_value, trace::WordTag b, u32 b_value, u32 table);
};

// Tag steps. Each moves the identities of one kind of operation.
void tag_nothing(TagContext& t, const Op& op, u32 mask);           ///< the result carries no data
void tag_copy(TagContext& t, const Op& op, u32 mask);              ///< d = a, same width
void tag_select(TagContext& t, const Op& op, u32 mask);            ///< d = p(c) ? a : b
void tag_select_sign(TagContext& t, const Op& op, u32 mask);       ///< d = c >= 0 ? a : b
void tag_bits(TagContext& t, const Op& op, u32 mask);              ///< op.rule, bit by bit
void tag_computed(TagContext& t, const Op& op, u32 mask);          ///< d depends on all of a, b, c
void tag_computed_of_five(TagContext& t, const Op& op, u32 mask);  ///< of d2 and carry, too
void tag_computed_halves(TagContext& t, const Op& op, u32 mask);   ///< each half of d on the same half of a, b, c
void tag_convert_pair(TagContext& t, const Op& op, u32 mask);      ///< d = {computed(a) : computed(b)}
void tag_compare(TagContext& t, const Op& op, u32 mask);           ///< predicates d, d2 from a, b and predicate c
void tag_predicates(TagContext& t, const Op& op, u32 mask);        ///< predicate d from predicates a, b, c
void tag_set(TagContext& t, const Op& op, u32 mask);               ///< a value decided by comparing a and b
void tag_carry(TagContext& t, const Op& op, u32 mask);             ///< d and the carry flag from a, b, c and the flag
void tag_lop3_predicate(TagContext& t, const Op& op, u32 mask);    ///< op.rule, and predicate d2 from all operands
void tag_pack(TagContext& t, const Op& op, u32 mask);              ///< op.move: parts into one register
void tag_unpack(TagContext& t, const Op& op, u32 mask);            ///< op.move: one register into its parts

}  // namespace lanescope::emulator
