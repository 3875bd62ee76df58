#pragma once
// Elements of matrices as numbers, from the bits of a register part. Private to the emulator.

#include <bit>
#include <cmath>
#include <limits>

#include "kernels/emulator/lanes/half_float.h"
#include "kernels/emulator/machine/program.h"

namespace lanescope::emulator {

inline float small_float(u32 bits, u32 exponent_bits, u32 mantissa_bits, bool has_infinity, bool has_nan) {
  const u32 sign = bits >> (exponent_bits + mantissa_bits) & 1;
  const u32 exponent = bits >> mantissa_bits & ((1u << exponent_bits) - 1);
  const u32 mantissa = bits & ((1u << mantissa_bits) - 1);
  const int bias = (1 << (exponent_bits - 1)) - 1;
  const u32 last = (1u << exponent_bits) - 1;
  float value = 0;
  if (has_infinity && exponent == last)
    value = mantissa == 0 ? std::numeric_limits<float>::infinity() : std::numeric_limits<float>::quiet_NaN();
  else if (has_nan && exponent == last && mantissa == (1u << mantissa_bits) - 1)
    value = std::numeric_limits<float>::quiet_NaN();
  else if (exponent == 0)
    value = std::ldexp(static_cast<float>(mantissa), 1 - bias - static_cast<int>(mantissa_bits));
  else
    value = std::ldexp(static_cast<float>(mantissa | 1u << mantissa_bits),
                       static_cast<int>(exponent) - bias - static_cast<int>(mantissa_bits));
  return sign != 0 ? -value : value;
}

/// Formats of 6 bits are the lower bits of a byte, those of 4 bits its middle.
inline double float_of(MmaOp::Element e, u32 bits) {
  switch (e) {
    case MmaOp::Element::f16:
      return half_to_float(static_cast<u16>(bits));
    case MmaOp::Element::bf16:
      return bfloat_to_float(static_cast<u16>(bits));
    case MmaOp::Element::tf32:
      return std::bit_cast<float>(bits & 0xffffe000u);
    case MmaOp::Element::e4m3:
      return small_float(bits, 4, 3, false, true);
    case MmaOp::Element::e3m2:
      return small_float(bits & 0x3f, 3, 2, false, false);
    case MmaOp::Element::e2m3:
      return small_float(bits & 0x3f, 2, 3, false, false);
    case MmaOp::Element::e2m1:
      return small_float(bits >> 2 & 0xf, 2, 1, false, false);
    case MmaOp::Element::e2m1_packed:
      return small_float(bits & 0xf, 2, 1, false, false);
    default:
      return small_float(bits, 5, 2, true, false);
  }
}

inline s32 integer_of(MmaOp::Element e, u32 bits) {
  switch (e) {
    case MmaOp::Element::s8:
      return static_cast<std::int8_t>(bits);
    case MmaOp::Element::s4:
      return static_cast<s32>(bits << 28) >> 28;
    default:
      return static_cast<s32>(bits);
  }
}

}  // namespace lanescope::emulator
