#pragma once
// One decoded instruction and the register file it works on. Private to the emulator.
//
// A warp's registers are one block of bytes. A register of up to 32 bits is a row of 32 words (one per lane, 16-bit
// values zero-extended); a 64-bit register is a row of 32 double words; a predicate is one word with a bit per lane.
// Immediates, addresses of variables and special registers are rows of the same block, so every operand of every
// operation is just a byte offset. Identities live in a second block with the same offsets: a 64-bit register has the
// 32 tags of its low words, then those of its high words; a predicate has the mask of lanes in which data decided it.

#include <cstddef>
#include <cstdint>
#include <vector>

namespace lanescope::emulator {

using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using s8 = std::int8_t;
using s16 = std::int16_t;
using s32 = std::int32_t;
using s64 = std::int64_t;

inline constexpr u32 all_lanes = 0xffffffffu;
inline constexpr int lanes = 32;

struct Op;
struct Context;     // machine/machine.h
struct TagContext;  // tags/rules.h

// Offsets that every register file has.
inline constexpr u32 always = 0;  ///< a predicate that is true
inline constexpr u32 never = 4;
inline constexpr u32 sink_predicate = 8;
inline constexpr u32 sink_row = 128;  ///< 256 bytes
inline constexpr u32 first_free = 384;

/// Computes lanes of registers from registers; nothing else can happen.
using Exec = void (*)(u8* registers, const Op& op, u32 mask);
/// The lanes for which a comparison of two operands holds.
using Compare = u32 (*)(const u8* registers, u32 a, u32 b);
/// Effect of a step beyond registers on its group of lanes.
enum class Flow : u8 {
  next,     ///< continue with the following instruction
  jumped,   ///< the program counter is set already (or the group has ended)
  waiting,  ///< not executed yet: must wait for other lanes or warps
  faulted,
};
using Step = Flow (*)(Context& context, const Op& op, u32 mask);
/// Moves identities; runs before the values change.
using TagStep = void (*)(TagContext& context, const Op& op, u32 mask);

enum class BoolOp : u8 { none, and_, or_, xor_ };

/// How bits of the result follow from bits of the operands (tags/rules.cpp).
enum class BitRule : u8 {
  lop3,
  shl,
  shr_u,
  shr_s,
  shf_l_wrap,
  shf_l_clamp,
  shf_r_wrap,
  shf_r_clamp,
  bfe_u,
  bfe_s,
  bfi,
  prmt,
  brev,
  extend_u,
  extend_s,
  add,
  sub,
  neg,
  mul_lo,
  mul_hi_u,
  mul_hi_s,
  mul_wide_u,
  mul_wide_s,
  mad_lo,
  mad_wide_u,
  mad_wide_s,
  szext_u,
  szext_s,
  movm,
};

/// mov between a register and a vector of its parts.
struct MoveOp {
  bool packs = true;
  u32 whole = 0;
  u8 whole_bits = 32, part_bits = 16;
  std::vector<u32> parts;  ///< rows; 0 where the text has `_`
};

/// Video instructions: parts of a and b, an operation, and the treatment of the result (video.cpp).
struct VideoOp {
  enum class Kind : u8 { add, sub, absdiff, min, max, shl, shr, mad, set, average } kind = Kind::add;
  enum class Second : u8 { none, add, min, max } second = Second::none;
  enum class Compare : u8 { eq, ne, lt, le, gt, ge } compare = Compare::eq;
  u8 count = 1;  ///< parts that are computed at once
  u8 a_bits = 32, b_bits = 32, d_bits = 32;
  u8 a_at[4] = {}, b_at[4] = {};  ///< first bit of the part, in the 64 bits of a (low) and b (high)
  u8 d_mask = 0;  ///< of several: which parts of d are written, or summed; of one: 1 where it is merged into c
  u8 d_at = 0;
  bool a_signed = false, b_signed = false, d_signed = false, saturates = false, wraps = false;
  bool negates_product = false, negates_c = false, plus_one = false;
  u8 scale = 0;
};

/// An operation made of another (composed.cpp).
struct ComposedOp {
  /// contracted: a sum of which an fma is made; its a is the product, b the other term (ptx/contraction.h).
  /// keeps_factors: a product whose factors are read later.
  enum class Kind : u8 { pairs_of_64, three, signs_apart, widened, contracted, keeps_factors } kind = Kind::pairs_of_64;
  Exec inner = nullptr;
  u64 sign = 0;         ///< signs_apart, three with .abs: bits of the sign; contracted: those of a factor to change
  u64 other_sign = 0;   ///< contracted: those of the other term
  u32 factors[2] = {};  ///< contracted, keeps_factors: rows
  u8 widened = 0;       ///< bit i: operand i is a half
  bool is_bfloat = false;
};

/// Fields that are read for each instruction are first, in one cache line.
struct Op {
  Exec exec = nullptr;                     ///< exactly one of exec and step is set
  u32 guard = 0, guard_flip = 0;           ///< lanes that execute: (word at guard) ^ guard_flip
  u32 d = 0, a = 0, b = 0, c = 0, d2 = 0;  ///< byte offsets
  u32 immediate = 0;                       ///< lut, mode, label, index into a side table
  u32 flip = 0;                            ///< all ones where a predicate operand is negated
  u32 carry = 0;                           ///< offset of the carry flag; of lop3, of the predicate that it reads
  u32 parts = 0;                           ///< row; see gathers
  BoolOp bool_op = BoolOp::none;
  BitRule rule = BitRule::lop3;
  u8 d_bits = 32, a_bits = 32, b_bits = 32, c_bits = 32;  ///< operand widths; 0: absent
  bool guarded = false;
  bool is_branch = false;  ///< executed by the whole group, taken by the lanes of the guard
  bool warp_wide = false;  ///< `parts` is a member mask, and the lanes that it names must be there
  bool gathers =
      false;  ///< lanes whose words at `parts` differ execute one group after the other (machine/convergence.cpp)
  bool one_part = false;    ///< that row is a constant
  bool whole_warp = false;  ///< an aligned barrier: all lanes of the warp that have not exited execute it together
  Step step = nullptr;
  TagStep tag = nullptr;  ///< set for every exec
  union {                 ///< additional operands, one of these
    Compare compare = nullptr;
    const MoveOp* move;  ///< of vector moves
    const VideoOp* video;
    const ComposedOp* composed;
  };
};

static_assert(sizeof(Op) <= 88);

template <class T>
inline T* row(u8* registers, u32 offset) {
  return reinterpret_cast<T*>(registers + offset);
}
template <class T>
inline const T* row(const u8* registers, u32 offset) {
  return reinterpret_cast<const T*>(registers + offset);
}

}  // namespace lanescope::emulator
