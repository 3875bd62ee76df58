#pragma once
// The multifunction unit of the GPU: MUFU.RCP, RSQ, SQRT, EX2, LG2, SIN, COS, TANH, RCP64H and RSQ64H, and the instructions
// that ptxas puts around them for each PTX operation. Every bit is that of the hardware.
//
// All functions share one interpolator (S. Oberman, M. Siu, "A High-Performance Area-Efficient Multifunction Interpolator",
// ARITH-17, 2005). The leading bits of the argument select a segment, the other 17 are x, and in fixed point
//
//   result = c0 * 2^k + bias + c1 * x + c2 * square(x) * 2^s
//
// is cut, not rounded: the bias, which is known in sum with c0, rounds. The square is cut in each of its rows, which decides
// the last bit: row i is x >> (18 - i), so the product's columns below 2^18 never exist.
//
//   function  argument              segments  k   s  bias    result's unit
//   rcp       [1, 2)                128       14  1  0x8fce  2^-40
//   rsq       [1, 4)                64 + 64   14  2  0x3fff  2^-40
//   sqrt      [1, 4)                64 + 64   15  1  0x7fff  2^-40
//   ex2       fraction of x, [0, 1) 64        13  0  0x17e2  2^-38
//   lg2       [1, 2)                64        12  1  0x0345  2^-38
//   sin, cos  a quarter of a turn   64        11  0  0       2^-37
//   tanh      [2^-8, 2^3)           1 to 16   15  1  0       2^-38 of the argument's power of two, or of 2^-1 if that is less
//                                   a power
//
// Coefficients, biases and widths were fitted to measurements of an H100 (scripts/multifunction_table.cu): with this square,
// one solution or a few reproduce all arguments of a segment. The forms around the unit are what ptxas 13.0 emits
// for sm_90; all results for all 2^32 operands agree with an H100 (tests/gpu/multifunction_test.cpp).

#include <algorithm>

#include "kernels/emulator/lanes/lane_math.h"

namespace lanescope::emulator {

/// c0, c1, c2 of each segment, function after function.
inline constexpr s32 coefficients[][3] = {
#include "kernels/emulator/lanes/multifunction_table.inc.h"
};

struct Interpolation {
  s32 first;  ///< row of `coefficients`
  int constant_shift, square_shift;
  s64 bias;
};
inline constexpr Interpolation rcp_interpolation{0, 14, 1, 0x8fce};
inline constexpr Interpolation rsq_interpolation{128, 14, 2, 0x3fff};
inline constexpr Interpolation sqrt_interpolation{256, 15, 1, 0x7fff};
inline constexpr Interpolation ex2_interpolation{384, 13, 0, 0x17e2};
inline constexpr Interpolation lg2_interpolation{448, 12, 1, 0x0345};
inline constexpr Interpolation sin_interpolation{512, 11, 0, 0};
inline constexpr Interpolation tanh_interpolation{576, 15, 1, 0};

/// x^2 / 2^19 of a 17-bit x, each row cut.
[[gnu::always_inline]] inline s32 cut_square(u32 x) {
  u32 sum = 0;
  for (u32 i = 2; i < 17; ++i) sum += (x >> i & 1) != 0 ? x >> (18 - i) : 0;
  return static_cast<s32>(sum >> 1);
}
[[gnu::always_inline]] inline s64 interpolate(const Interpolation& f, u32 segment, u32 x) {
  const s32 row = f.first + static_cast<s32>(segment);
  return s64{coefficients[row][0]} * (s64{1} << f.constant_shift) + f.bias +
         s64{coefficients[row][1]} * s64{static_cast<s32>(x)} +
         s64{coefficients[row][2] * cut_square(x)} * (s64{1} << f.square_shift);
}
/// The low 17 bits of the argument are x, those above the segment.
[[gnu::always_inline]] inline s64 interpolate(const Interpolation& f, u32 argument) {
  return interpolate(f, argument >> 17, argument & 0x1ffff);
}

[[gnu::always_inline]] inline float as_float(u32 bits) { return __builtin_bit_cast(float, bits); }
[[gnu::always_inline]] inline u32 bits_of(float x) { return __builtin_bit_cast(u32, x); }
inline constexpr u32 sign_bit = 0x80000000u, infinite = 0x7f800000u, least_normal = 0x00800000u, a_nan = 0x7fffffffu;

/// Both are computed, so that loops over lanes stay without branches.
[[gnu::always_inline]] inline u32 pick(bool which, u32 yes, u32 no) {
  const u32 mask = 0u - u32{which};
  return (yes & mask) | (no & ~mask);
}

/// Bits of the float below or at fixed * 2^-scale, for 0 <= fixed < 2^52.
[[gnu::always_inline]] inline u32 cut_float(s64 fixed, u32 scale) {
  const double value = __builtin_bit_cast(double, u64{0x433} << 52 | static_cast<u64>(fixed)) - 0x1p52;
  const u32 bits = static_cast<u32>(__builtin_bit_cast(u64, value) >> 29) - ((1023 - 127 + scale) << 23);
  return pick(fixed == 0, 0, bits);
}

// The unit itself, from bits to bits of f32. Subnormal operands count as zeros, subnormal results are zeros.

[[gnu::always_inline]] inline u32 mufu_rcp(u32 x) {
  const u32 sign = x & sign_bit, a = x & ~sign_bit;
  const s32 mantissa = static_cast<s32>(interpolate(rcp_interpolation, (a & 0x7fffff) << 1) >> 16);
  const s32 number = mantissa + (252 - static_cast<s32>(a >> 23)) * 0x800000;
  const u32 result = pick(number < 0x800000, 0, static_cast<u32>(number));
  return pick(a > infinite, a_nan, sign | pick(a < least_normal, infinite, result));
}

/// The fraction of a number in [1, 4), and half its exponent; exponents have this bias, which is odd.
struct HalvedExponent {
  u32 fraction;
  s32 half;
};
[[gnu::always_inline]] inline HalvedExponent halved(u32 exponent, u32 fraction, s32 bias) {
  return {fraction | (~exponent & 1) << 23, (static_cast<s32>(exponent) - bias) >> 1};
}
/// 2^24 / sqrt(x) for that fraction; powers of four are exact.
[[gnu::always_inline]] inline s32 rsq_mantissa(u32 fraction) {
  const s32 mantissa = static_cast<s32>(interpolate(rsq_interpolation, fraction) >> 16);
  return static_cast<s32>(pick(fraction == 0, 0x1000000, static_cast<u32>(mantissa)));
}
[[gnu::always_inline]] inline u32 mufu_rsq(u32 x) {
  const u32 a = x & ~sign_bit;
  const HalvedExponent h = halved(a >> 23, a & 0x7fffff, 127);
  const u32 number = static_cast<u32>(rsq_mantissa(h.fraction) + (125 - h.half) * 0x800000);
  const u32 result = pick(x != a || a > infinite, a_nan, pick(a == infinite, 0, number));
  return pick(a < least_normal, (x & sign_bit) | infinite, result);
}
[[gnu::always_inline]] inline u32 mufu_sqrt(u32 x) {
  const u32 a = x & ~sign_bit;
  const HalvedExponent h = halved(a >> 23, a & 0x7fffff, 127);
  const s32 mantissa = static_cast<s32>(interpolate(sqrt_interpolation, h.fraction) >> 17);
  const u32 number = static_cast<u32>(mantissa + (126 + h.half) * 0x800000);
  const u32 result = pick(x != a || a > infinite, a_nan, pick(a == infinite, infinite, number));
  return pick(a < least_normal, x & sign_bit, result);
}

/// mantissa * 2^places, cut.
[[gnu::always_inline]] inline u32 shifted(u32 mantissa, s32 places) {
  return mantissa << std::clamp(places, 0, 31) >> std::clamp(-places, 0, 31);
}
/// x becomes a number with 23 binary places, cut; of a negative one with places, one unit is lost.
[[gnu::always_inline]] inline u32 mufu_ex2(u32 x) {
  const u32 a = x & ~sign_bit, exponent = a >> 23;
  const bool negative = x != a, large = exponent >= 127 + 8;
  const u32 fixed = pick(large, 0xffu << 23, shifted((a & 0x7fffff) | 0x800000, static_cast<s32>(exponent) - 127));
  const u32 turned = pick((fixed & 0x7fffff) != 0, ~fixed, 0u - fixed);
  const s32 argument = static_cast<s32>(pick(negative, turned, fixed)), whole = argument >> 23;
  const s32 power = static_cast<s32>(interpolate(ex2_interpolation, argument & 0x7fffff) >> 15);
  const s32 number = (std::clamp(whole, -130, 127) + 126) * 0x800000 + power;
  const u32 result = pick(number < 0x800000, 0, static_cast<u32>(number));
  return pick(a > infinite, a_nan, pick(whole > 127, infinite, result));
}

/// Negative sums are turned bit by bit, so they are one unit nearer to zero.
[[gnu::always_inline]] inline u32 mufu_lg2(u32 x) {
  const u32 a = x & ~sign_bit;
  const s64 fraction = interpolate(lg2_interpolation, a & 0x7fffff) >> 2;
  const s64 sum = fraction + (static_cast<s32>(a >> 23) - 127) * (s64{1} << 36), turned = sum >> 63;
  const u32 number = (static_cast<u32>(turned) & sign_bit) | cut_float(sum ^ turned, 36);
  const u32 result = pick(a == 0x3f800000, 0, pick(a == infinite, infinite, number));
  return pick(a < least_normal, sign_bit | infinite, pick(x != a || a > infinite, a_nan, result));
}

/// The sine of 2 pi times a number of turns that has 25 binary places, cut; `quarters` more are added.
[[gnu::always_inline]] inline u32 mufu_sin(u32 turns, u32 sign, u32 quarters) {
  const u32 place = turns + (quarters << 23);
  const u32 argument = (place ^ (0u - (place >> 23 & 1))) & 0x7fffff;
  return (sign ^ (place >> 24 & 1) << 31) | cut_float(interpolate(sin_interpolation, argument), 37);
}

/// Segments of each power of two from 2^-8 on: their number is 2^bits.
inline constexpr s32 tanh_first[] = {0, 1, 2, 3, 5, 7, 11, 15, 19, 27, 43};
inline constexpr s32 tanh_bits[] = {0, 0, 0, 1, 1, 2, 2, 2, 3, 4, 3};
/// Small arguments are their own result, and it is 1 from 8 on.
[[gnu::always_inline]] inline u32 mufu_tanh(u32 x) {
  const u32 a = x & ~sign_bit, exponent = a >> 23;
  const bool small = exponent < 0x77, large = exponent >= 0x82;
  const s32 power = std::clamp(static_cast<s32>(exponent) - 0x77, 0, 10);
  const u32 fraction = a & 0x7fffff, bits = static_cast<u32>(tanh_bits[power]);
  const u32 segment = static_cast<u32>(tanh_first[power]) + (fraction >> (23 - bits));
  const s64 value = interpolate(tanh_interpolation, segment, fraction >> (6 - bits) & 0x1ffff);
  const u32 number = cut_float(value, 23 + 15 + 127 - std::min(exponent, 126u));
  return pick(a > infinite, a_nan, (x & sign_bit) | pick(small, a, pick(large, 0x3f800000u, number)));
}

/// The upper words of f64: the unit sees 20 bits of the mantissa. A NaN that has no other bits is an infinity here.
[[gnu::always_inline]] inline u32 mufu_rcp64h(u32 x) {
  const u32 sign = x & sign_bit, a = x & ~sign_bit;
  const s32 mantissa = static_cast<s32>(interpolate(rcp_interpolation, (a & 0xfffff) << 4) >> 19);
  const s32 number = mantissa + (2044 - static_cast<s32>(a >> 20)) * 0x100000;
  const u32 result = pick(number < 0x100000, 0, static_cast<u32>(number));
  return pick(a > 0x7ff00000u, a_nan, sign | pick(a < 0x100000, 0x7ff00000u, result));
}
[[gnu::always_inline]] inline u32 mufu_rsq64h(u32 x) {
  const u32 a = x & ~sign_bit;
  const HalvedExponent h = halved(a >> 20, (a & 0xfffff) << 3, 1023);
  const u32 number = static_cast<u32>((rsq_mantissa(h.fraction) >> 3) + (1021 - h.half) * 0x100000);
  const u32 result = pick(x != a || a > 0x7ff00000u, a_nan, pick(a == 0x7ff00000u, 0, number));
  return pick(a < 0x100000, (x & sign_bit) | 0x7ff00000u, result);
}

// The PTX operations. Without .ftz, subnormal operands are scaled into the unit's range, and its result back.

inline bool is_tiny(float x) { return magnitude(x) < 0x1p-126f; }
inline bool is_huge(float x) { return magnitude(x) > 0x1p126f; }
[[gnu::always_inline]] inline float pick(bool which, float yes, float no) {
  return as_float(pick(which, bits_of(yes), bits_of(no)));
}

[[gnu::always_inline]] inline float approximate_rcp(float x) {
  const float scale = pick(is_huge(x), 0.25f, pick(is_tiny(x), 0x1p24f, 1.0f));
  return canonical(scale * as_float(mufu_rcp(bits_of(x * scale))));
}
[[gnu::always_inline]] inline float approximate_div(float a, float b) {
  const float scale = pick(is_tiny(b), 0x1p24f, 1.0f);
  return canonical(as_float(mufu_rcp(bits_of(b * scale))) * (a * scale));
}
[[gnu::always_inline]] inline float full_div(float a, float b) {
  const float scale = pick(is_huge(b), 0.25f, pick(is_tiny(b), 0x1p24f, 1.0f));
  return canonical(as_float(mufu_rcp(bits_of(b * scale))) * (a * scale));
}
[[gnu::always_inline]] inline float approximate_div_ftz(float a, float b) {
  return flushed(canonical(flushed(a) * as_float(mufu_rcp(bits_of(b)))));
}
[[gnu::always_inline]] inline float full_div_ftz(float a, float b) {
  const float scale = pick(is_huge(b), 0.25f, 1.0f);
  return flushed(canonical(as_float(mufu_rcp(bits_of(b * scale))) * flushed(flushed(a) * scale)));
}
[[gnu::always_inline]] inline float approximate_sqrt(float x) {
  const bool tiny = is_tiny(x);
  return canonical(as_float(mufu_sqrt(bits_of(x * pick(tiny, 0x1p24f, 1.0f)))) * pick(tiny, 0x1p-12f, 1.0f));
}
[[gnu::always_inline]] inline float approximate_rsqrt(float x) {
  const bool tiny = is_tiny(x);
  return canonical(as_float(mufu_rsq(bits_of(x * pick(tiny, 0x1p24f, 1.0f)))) * pick(tiny, 0x1p12f, 1.0f));
}
[[gnu::always_inline]] inline float approximate_lg2(float x) {
  const bool tiny = is_tiny(x);
  return canonical(as_float(mufu_lg2(bits_of(x * pick(tiny, 0x1p24f, 1.0f)))) - pick(tiny, 24.0f, 0.0f));
}
[[gnu::always_inline]] inline float approximate_ex2(float x) {
  const bool low = x < -126.0f;
  const float root = as_float(mufu_ex2(bits_of(x * pick(low, 0.5f, 1.0f))));
  return canonical(root * pick(low, root, 1.0f));
}
/// x is multiplied by 1 / (2 pi) and cut to a float, which is cut to 25 binary places.
[[gnu::always_inline]] inline u32 approximate_sin(float x, u32 quarters) {
  const u32 sign = pick(quarters == 0, bits_of(x) & sign_bit, 0);
  const u64 turns = __builtin_bit_cast(u64, double{magnitude(x)} * double{as_float(0x3e22f983)});
  const u32 mantissa = (static_cast<u32>(turns >> 29) & 0x7fffff) | 0x800000;
  const u32 place = shifted(mantissa, static_cast<s32>(turns >> 52) - 1023 - 23 + 25);
  return pick(bits_of(magnitude(x)) < infinite, mufu_sin(place, sign, quarters), a_nan);
}

[[gnu::always_inline]] inline double upper_word(u32 x) { return __builtin_bit_cast(double, u64{x} << 32); }
[[gnu::always_inline]] inline u32 upper_word(double x) { return static_cast<u32>(__builtin_bit_cast(u64, x) >> 32); }

/// One step of refinement of third order; subnormal operands are scaled.
[[gnu::always_inline]] inline double approximate_rsqrt(double x) {
  const bool tiny = x < 0x1p-1022;
  const double scaled = tiny ? x * 0x1p54 : x, y = upper_word(mufu_rsq64h(upper_word(scaled)));
  const double error = fused(scaled, -(y * y), 1.0);
  const double refined = fused(fused(error, 0.375, 0.5), y * error, y);
  return x != x                 ? quiet(x)
         : x == 0               ? upper_word((upper_word(x) & sign_bit) | 0x7ff00000u)
         : x < 0                ? upper_word(0xfff80000u)
         : x == __builtin_inf() ? 0.0
                                : refined * (tiny ? 0x1p27 : 1.0);
}

// Halves: the unit computes in f32 and cuts the result.
struct CutHalf : Half {
  static u16 narrow(float f) {
    const u32 bits = bits_of(f), a = bits & ~sign_bit;
    const u32 small = static_cast<u32>(static_cast<s32>(as_float(a < 0x38800000u ? a : 0) * 0x1p24f));
    const u32 number = a < 0x38800000u ? small : a >= 0x47800000u ? 0x7c00u : (a - 0x38000000u) >> 13;
    return static_cast<u16>(a > infinite ? u32{half_nan} : (bits >> 16 & 0x8000u) | number);
  }
};
struct CutBfloat : Bfloat {
  static u16 narrow(float f) { return static_cast<u16>(bits_of(f) >> 16); }
};

}  // namespace lanescope::emulator
