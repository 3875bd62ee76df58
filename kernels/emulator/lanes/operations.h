#pragma once
// The operations that only touch registers, found by name: "add.s32", "fma.ftz.f32", opcode and the modifiers that change
// the result. nullptr: there is none of that name.

#include <string_view>

#include "kernels/emulator/lanes/op.h"
#include "kernels/ptx/program.h"

namespace lanescope::emulator {

/// In the fastest instruction set that this machine has.
Exec find_lane_operation(std::string_view key);
Compare find_lane_comparison(std::string_view key);  ///< "lt.s32"

/// Conversions between numbers of the machine's types; nullptr when there is none (conversions.cpp). The rest of how to
/// convert enters Op::immediate.
Exec find_conversion(ptx::Type to, ptx::Type s);
enum ConvertFlags : u32 {
  convert_rn,
  convert_rz,
  convert_rm,
  convert_rp,
  convert_rounding = 7,
  convert_to_integral = 8,
  convert_sat = 16,
  convert_ftz = 32,
  convert_relu = 64,
  convert_wide_source = 128,   ///< of 32 bits or less, in the low part of a register of 64
  convert_register_shift = 8,  ///< bits 8..15: width of the destination register
};
Exec convert_pair_exec(ptx::Type to);

/// Conversions from and to the formats of 4 to 19 bits, packed or not (small_floats.cpp). Op::a, b, c, d2 are the sources
/// from the upper part on, Op::carry the row of random bits.
void exec_small_floats(u8* registers, const Op& op, u32 mask);
enum class SmallFormat : u8 { f32, f16, bf16, tf32, e4m3, e5m2, e2m3, e3m2, e2m1, ue8m0 };
struct SmallConversion {
  SmallFormat to = SmallFormat::f16, from = SmallFormat::f32;
  u32 count = 1;  ///< elements: 1, 2 or 4
  enum class Rounding : u8 { nearest, zero, up, away, random } rounding = Rounding::nearest;
  bool relu = false, finite = false;
  u32 packed() const {
    return u32(to) | u32(from) << 4 | count << 8 | u32(rounding) << 12 | u32{relu} << 16 | u32{finite} << 17;
  }
  static SmallConversion of(u32 p) {
    return {SmallFormat(p & 15),    SmallFormat(p >> 4 & 15), p >> 8 & 15,
            Rounding(p >> 12 & 15), (p >> 16 & 1) != 0,       (p >> 17 & 1) != 0};
  }
};
/// Arithmetic with a rounding mode other than nearest: "add.rz.f32" (rounded.cpp).
Exec find_rounded_operation(std::string_view key);
Exec find_carry_operation(std::string_view key);  // carry.cpp
enum CarryFlags : u32 { carry_reads = 1, carry_writes = 2 };

// Operations on predicates and on vectors of register parts (predicates_and_parts.cpp).
void exec_setp(u8* registers, const Op& op, u32 mask);
void exec_setp_pair(u8* registers, const Op& op, u32 mask);
void exec_set(u8* registers, const Op& op, u32 mask);
void exec_set_pair(u8* registers, const Op& op, u32 mask);
void exec_lop3_predicate(u8* registers, const Op& op, u32 mask);
void exec_predicates(u8* registers, const Op& op, u32 mask);
void exec_pack(u8* registers, const Op& op, u32 mask);
void exec_unpack(u8* registers, const Op& op, u32 mask);
void exec_cvt_pack(u8* registers, const Op& op, u32 mask);
void exec_testp(u8* registers, const Op& op, u32 mask);
void exec_video(u8* registers, const Op& op, u32 mask);     // video.cpp
void exec_composed(u8* registers, const Op& op, u32 mask);  // composed.cpp
void exec_isspacep(u8* registers, const Op& op, u32 mask);

}  // namespace lanescope::emulator
