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
/// convert goes into Op::immediate.
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
  convert_register_shift = 8,  ///< bits 8..15: width of the destination register
};
Exec convert_pair_exec(ptx::Type to);
/// Arithmetic with a rounding mode other than nearest: "add.rz.f32" (rounded.cpp).
Exec find_rounded_operation(std::string_view key);
/// sin, cos, lg2, ex2, tanh, rsqrt: the correctly computed value where the hardware approximates (approximate.cpp).
Exec find_approximate_operation(std::string_view key);
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
void exec_isspacep(u8* registers, const Op& op, u32 mask);

}  // namespace lanescope::emulator
