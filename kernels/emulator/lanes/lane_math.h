#pragma once
// The scalar meaning of PTX operations, one lane at a time, where a C++ operator is not enough. Inline so that the
// loops over lanes become vector code for whichever instruction set they are compiled for.

#include <bit>
#include <cmath>
#include <string_view>
#include <type_traits>

#include "kernels/emulator/lanes/half_float.h"
#include "kernels/emulator/lanes/op.h"

namespace lanescope::emulator {

/// 16-bit operands would be promoted to int, where 0xffff * 0xffff overflows.
template <class U>
inline U low_product(U a, U b) {
  if constexpr (sizeof(U) == 2)
    return static_cast<U>(u32{a} * u32{b});
  else
    return a * b;
}
template <class T>
inline T high_product(T a, T b) {
  if constexpr (sizeof(T) == 8) {
    using Wide = std::conditional_t<std::is_signed_v<T>, __int128, unsigned __int128>;
    return static_cast<T>((Wide{a} * Wide{b}) >> 64);
  } else {
    using Wide = std::conditional_t<std::is_signed_v<T>, s64, u64>;
    return static_cast<T>((Wide{a} * Wide{b}) >> (8 * sizeof(T)));
  }
}
/// Division by zero gives all ones (PTX leaves it open; this is the result of the hardware's code sequence).
template <class T>
inline T quotient(T a, T b) {
  if (b == 0) return static_cast<T>(~T{0});
  if constexpr (std::is_signed_v<T>)
    if (b == -1) return static_cast<T>(std::make_unsigned_t<T>(0) - std::make_unsigned_t<T>(a));
  return static_cast<T>(a / b);
}
template <class T>
inline T remainder_of(T a, T b) {
  if (b == 0) return static_cast<T>(~T{0});  // measured on H200, as PTX leaves it open
  if constexpr (std::is_signed_v<T>)
    if (b == -1) return 0;
  return static_cast<T>(a % b);
}
template <class T>
inline T absolute(T a) {
  if constexpr (std::is_signed_v<T>)
    return a < 0 ? static_cast<T>(std::make_unsigned_t<T>(0) - std::make_unsigned_t<T>(a)) : a;
  else
    return a;
}
template <class T>
inline T shift_right(T a, u32 amount) {
  constexpr u32 bits = 8 * sizeof(T);
  const u32 clamped = amount < bits ? amount : bits - 1;
  if constexpr (std::is_signed_v<T>)
    return static_cast<T>(a >> clamped);
  else
    return amount < bits ? static_cast<T>(a >> clamped) : T{0};
}
inline s32 clamp_s32(s64 x) {
  return static_cast<s32>(x > 0x7fffffff ? 0x7fffffff : x < -0x7fffffff - 1 ? -0x7fffffff - 1 : x);
}
inline u64 product24(u32 a, u32 b) { return u64{a & 0xffffff} * (b & 0xffffff); }
inline u64 signed_product24(u32 a, u32 b) {
  const auto low24 = [](u32 x) { return s64{static_cast<s32>(x << 8) >> 8}; };
  return static_cast<u64>(low24(a) * low24(b));
}
inline u64 joined(u32 high, u32 low) { return u64{high} << 32 | low; }

inline u32 truth_table(u32 a, u32 b, u32 c, u32 table) {
  u32 result = 0;
  for (u32 row_index = 0; row_index < 8; ++row_index) {
    const u32 on = 0u - (table >> row_index & 1);
    result |= on & ((row_index & 4) != 0 ? a : ~a) & ((row_index & 2) != 0 ? b : ~b) & ((row_index & 1) != 0 ? c : ~c);
  }
  return result;
}

/// prmt modes in the order of this enumeration; `selector` is the nibble list of each mode.
enum PermuteMode : u32 {
  permute_generic,
  permute_f4e,
  permute_b4e,
  permute_rc8,
  permute_ecl,
  permute_ecr,
  permute_rc16
};
inline u32 permute_selector(u32 control, u32 mode) {
  constexpr u16 table[7][4] = {{},
                               {0x3210, 0x4321, 0x5432, 0x6543},
                               {0x5670, 0x6701, 0x7012, 0x0123},
                               {0x0000, 0x1111, 0x2222, 0x3333},
                               {0x3210, 0x3211, 0x3222, 0x3333},
                               {0x0000, 0x1110, 0x2210, 0x3210},
                               {0x1010, 0x3232, 0x1010, 0x3232}};
  return mode == permute_generic ? control : table[mode][control & 3];
}
inline u32 permute_bytes(u32 a, u32 b, u32 control, u32 mode) {
  const u64 both = u64{b} << 32 | a;
  const u32 selector = permute_selector(control, mode);
  u32 result = 0;
  for (u32 i = 0; i < 4; ++i) {
    const u32 nibble = selector >> (4 * i) & 15;
    const u32 byte = static_cast<u32>(both >> (8 * (nibble & 7))) & 0xff;
    result |= ((nibble & 8) != 0 ? ((byte & 0x80) != 0 ? 0xffu : 0u) : byte) << (8 * i);
  }
  return result;
}
/// Position and length are the low bytes of their registers by the PTX ISA; for 64 bits an H200 uses the whole words.
template <class T>
inline T extract_field(T a, u32 position, u32 length, bool is_signed) {
  constexpr u32 bits = 8 * sizeof(T);
  constexpr u32 most = sizeof(T) == 8 ? 0x200 : 0xff;
  position = sizeof(T) == 8 ? (position < most ? position : most) : position & most;
  length = sizeof(T) == 8 ? (length < most ? length : most) : length & most;
  if (length == 0) return 0;
  const u32 last = position + length - 1 < bits - 1 ? position + length - 1 : bits - 1;
  const T sign = is_signed && (a >> last & 1) != 0 ? ~T{0} : T{0};
  if (position >= bits) return sign;
  const T field = a >> position;
  if (length >= bits) return position == 0 ? field : static_cast<T>(field | (sign & ~(~T{0} >> position)));
  const T keep = (T{1} << length) - 1;
  const T inside = position + length <= bits ? keep : static_cast<T>(~T{0} >> position);
  return static_cast<T>((field & inside) | (sign & ~inside));
}
template <class T>
inline T insert_field(T a, T b, u32 position, u32 length) {
  constexpr u32 bits = 8 * sizeof(T);
  if (sizeof(T) == 4) position &= 0xff, length &= 0xff;  // else as for extract_field
  if (position >= bits || length == 0) return b;
  const T keep = length >= bits ? ~T{0} : static_cast<T>((T{1} << length) - 1);
  const T mask = static_cast<T>(keep << position);
  return static_cast<T>((b & ~mask) | ((a << position) & mask));
}
inline u32 find_bit(u32 a) { return a == 0 ? ~0u : 31u - static_cast<u32>(std::countl_zero(a)); }
inline u32 find_bit(u64 a) { return a == 0 ? ~0u : 63u - static_cast<u32>(std::countl_zero(a)); }
inline u32 shift_amount(u32 bit, u32 top) { return bit == ~0u ? ~0u : top - bit; }
inline u32 ones(u32 a) {
  a -= a >> 1 & 0x55555555u;
  a = (a & 0x33333333u) + (a >> 2 & 0x33333333u);
  return ((a + (a >> 4)) & 0x0f0f0f0fu) * 0x01010101u >> 24;
}
inline u32 reversed(u32 a) {
  a = (a >> 1 & 0x55555555u) | (a & 0x55555555u) << 1;
  a = (a >> 2 & 0x33333333u) | (a & 0x33333333u) << 2;
  a = (a >> 4 & 0x0f0f0f0fu) | (a & 0x0f0f0f0fu) << 4;
  a = (a >> 8 & 0x00ff00ffu) | (a & 0x00ff00ffu) << 8;
  return a >> 16 | a << 16;
}
inline u64 reversed64(u64 a) { return u64{reversed(static_cast<u32>(a))} << 32 | reversed(static_cast<u32>(a >> 32)); }
/// Position of the n-th set bit from `base`, upwards for n > 0, downwards for n < 0; base itself for n == 0 if set.
inline u32 find_nth_set(u32 mask, u32 base, s32 n) {
  if (n == -0x7fffffff - 1) return 0;  // measured on H200
  if (base > 31) return ~0u;
  if (n == 0) return (mask >> base & 1) != 0 ? base : ~0u;
  s32 left = n < 0 ? -n : n;
  for (s32 i = static_cast<s32>(base); i >= 0 && i<32; i += n> 0 ? 1 : -1)
    if ((mask >> i & 1) != 0 && --left == 0) return static_cast<u32>(i);
  return ~0u;
}
inline u32 sized(u32 a, u32 bits, bool is_signed) {
  if (bits == 0) return 0;
  if (bits >= 32) return a;
  const u32 kept = a & ((1u << bits) - 1);
  return is_signed && (kept >> (bits - 1) & 1) != 0 ? kept | ~0u << bits : kept;
}
inline u32 bit_mask(u32 start, u32 bits) {
  if (start >= 32 || bits == 0) return 0;
  return (bits >= 32 ? ~0u : (1u << bits) - 1) << start;
}
template <class A, class B>
inline u32 dot4(u32 a, u32 b, u32 c) {
  for (int i = 0; i < 4; ++i)
    c += static_cast<u32>(s32{static_cast<A>(a >> (8 * i))} * s32{static_cast<B>(b >> (8 * i))});
  return c;
}
/// `high`: take the upper two bytes of b (dp2a.hi).
template <class A, class B>
inline u32 dot2(u32 a, u32 b, u32 c, u32 high) {
  for (int i = 0; i < 2; ++i)
    c +=
        static_cast<u32>(s32{static_cast<A>(a >> (16 * i))} * s32{static_cast<B>(b >> (8 * i + (high != 0 ? 16 : 0)))});
  return c;
}

// NaN results of f32 are canonical. Of f64 they are an operand that is one, made quiet: the second before the third
// before the first, in a quotient the first before the second; else as 0/0 gives it (measured on H200; a host unit
// keeps whichever payload comes first in its own order).
inline float canonical(float x) { return x == x ? x : __builtin_bit_cast(float, 0x7fffffffu); }
inline double canonical(double x) { return x == x ? x : __builtin_bit_cast(double, u64{0xfff8} << 48); }
inline double quiet(double x) { return __builtin_bit_cast(double, __builtin_bit_cast(u64, x) | u64{1} << 51); }
inline float propagated(float x, float, float = 0, float = 0) { return canonical(x); }
inline double propagated(double x, double a, double b = 0, double c = 0) {
  return x == x ? x : b != b ? quiet(b) : c != c ? quiet(c) : a != a ? quiet(a) : canonical(x);
}
inline float fused(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
inline double fused(double a, double b, double c) { return __builtin_fma(a, b, c); }
inline float square_root(float a) { return __builtin_sqrtf(a); }
inline double square_root(double a) { return __builtin_sqrt(a); }
inline float flushed(float x) {
  const u32 bits = __builtin_bit_cast(u32, x);
  return __builtin_bit_cast(float, (bits & 0x7f800000u) == 0 ? bits & 0x80000000u : bits);
}
inline double flushed(double x) { return x; }
// With .ftz a result is 0 that would be subnormal if exponents had no end, rounded to 24 bits: less than the smallest
// normal value by more than 1/2^25 of it. Rounded to a float, some of these are that value (tests/data/corners, an H100).
inline constexpr double smallest_not_flushed = 0x1.ffffffp-127;
inline float product(float a, float b) { return a * b; }
inline float flushed_product(float a, float b) {
  const float x = a * b;
  return __builtin_fabs(double{a} * double{b}) < smallest_not_flushed ? __builtin_copysignf(0, x) : x;
}
inline float flushed_fused(float a, float b, float c) {
  const float x = __builtin_fmaf(a, b, c);
  return __builtin_fabs(fused_to_odd(a, b, c)) < smallest_not_flushed ? __builtin_copysignf(0, x) : x;
}
inline double saturated(double x) { return x > 0 ? (x < 1 ? x : 1.0) : 0.0; }
inline float saturated(float x) { return x > 0 ? (x < 1 ? x : 1.0f) : 0.0f; }
inline float saturated_and_flushed(float x) { return flushed(saturated(x)); }
inline float negated(float x) { return __builtin_bit_cast(float, __builtin_bit_cast(u32, x) ^ 0x80000000u); }
inline double negated(double x) { return __builtin_bit_cast(double, __builtin_bit_cast(u64, x) ^ u64{1} << 63); }
inline float magnitude(float x) { return __builtin_bit_cast(float, __builtin_bit_cast(u32, x) & 0x7fffffffu); }
inline double magnitude(double x) { return __builtin_bit_cast(double, __builtin_bit_cast(u64, x) & ~(u64{1} << 63)); }
/// neg and abs of a NaN: canonical, of f64 as it was.
inline float negation(float x) { return canonical(negated(x)); }
inline double negation(double x) { return x == x ? negated(x) : quiet(x); }
inline float absolute_value(float x) { return canonical(magnitude(x)); }
inline double absolute_value(double x) { return x == x ? magnitude(x) : quiet(x); }
inline bool sign_of(float x) { return __builtin_bit_cast(u32, x) >> 31 != 0; }
inline bool sign_of(double x) { return __builtin_bit_cast(u64, x) >> 63 != 0; }
/// PTX copysign takes the sign of its first operand.
inline float copy_sign(float sign, float x) { return sign_of(sign) ? negated(magnitude(x)) : magnitude(x); }
inline double copy_sign(double sign, double x) { return sign_of(sign) ? negated(magnitude(x)) : magnitude(x); }
inline float settled(float x) { return canonical(x); }
inline double settled(double x) { return x == x ? x : quiet(x); }
/// One NaN: the other operand. -0 < +0.
template <class T>
inline T float_min(T a, T b) {
  if (a != a) return settled(b);
  if (b != b) return a;
  return a < b || (a == b && sign_of(a)) ? a : b;
}
template <class T>
inline T float_max(T a, T b) {
  if (a != a) return settled(b);
  if (b != b) return a;
  return a > b || (a == b && !sign_of(a)) ? a : b;
}
template <class T>
inline T float_min_nan(T a, T b) {
  return a != a || b != b ? canonical(a + b) : float_min(a, b);
}
template <class T>
inline T float_max_nan(T a, T b) {
  return a != a || b != b ? canonical(a + b) : float_max(a, b);
}

/// The 16-bit halves of a word, each with its own function.
template <class H, class F>
inline u32 both_halves(u32 a, u32 b, F f) {
  const auto one = [&](u32 shift) {
    return u32{static_cast<u16>(f(static_cast<H>(a >> shift), static_cast<H>(b >> shift)))} << shift;
  };
  return one(0) | one(16);
}
inline u32 add_halves(u32 a, u32 b) { return ((a & 0x7fff7fffu) + (b & 0x7fff7fffu)) ^ ((a ^ b) & 0x80008000u); }
/// f16 and f16x2: subnormal halves become zeros of their sign.
template <class T>
inline T flushed_halves(T x) {
  const u32 low = (x & 0x7c00u) == 0 ? 0x8000u : 0xffffu,
            high = (u32{x} & 0x7c000000u) == 0 ? 0x80000000u : 0xffff0000u;
  return static_cast<T>(x & (low | high));
}

inline float flushed_half_to_float(u16 h) { return half_to_float(flushed_halves(h)); }

/// neg and abs of halves: `after` is the result for `before`; a NaN becomes 0x7fff. `infinity`: of the type.
template <class T>
inline T halves_without_nan(T before, T after, u32 infinity) {
  const auto one = [&](u32 shift) -> u32 {
    const bool nan = (u32{before} >> shift & 0x7fffu) > infinity;
    return (nan ? 0x7fffu : u32{after} >> shift & 0xffffu) << shift;
  };
  if constexpr (sizeof(T) == 2)
    return static_cast<T>(one(0));
  else
    return one(0) | one(16);
}

struct Half {
  static constexpr u32 infinity = 0x7c00;
  static float widen(u16 h) { return half_to_float(h); }
  static u16 narrow(float f) { return float_to_half(f); }
};
struct Bfloat {
  static constexpr u32 infinity = 0x7f80;
  static float widen(u16 h) { return bfloat_to_float(h); }
  static u16 narrow(float f) { return float_to_bfloat(f); }
};
template <class C, class T, class F>
inline T halves(T a, T b, F f) {
  const u32 low = C::narrow(f(C::widen(static_cast<u16>(a)), C::widen(static_cast<u16>(b))));
  if constexpr (sizeof(T) == 2)
    return static_cast<T>(low);
  else
    return low | u32{C::narrow(f(C::widen(static_cast<u16>(a >> 16)), C::widen(static_cast<u16>(b >> 16))))} << 16;
}
template <class C>
inline float fused_half(u16 a, u16 b, u16 c) {
  return double_to_odd_float(fused_to_odd(double{C::widen(a)}, double{C::widen(b)}, double{C::widen(c)}));
}
template <class C, class T, class F>
inline T halves3(T a, T b, T c, F after) {
  const u32 low = C::narrow(after(fused_half<C>(static_cast<u16>(a), static_cast<u16>(b), static_cast<u16>(c))));
  if constexpr (sizeof(T) == 2)
    return static_cast<T>(low);
  else
    return low | u32{C::narrow(after(
                     fused_half<C>(static_cast<u16>(a >> 16), static_cast<u16>(b >> 16), static_cast<u16>(c >> 16))))}
                     << 16;
}
template <class C, class T>
inline T halves_fused(T a, T b, T c) {
  return halves3<C>(a, b, c, [](float x) { return x; });
}
template <class C, class T>
inline T halves_fused_sat(T a, T b, T c) {
  return halves3<C>(a, b, c, [](float x) { return saturated(x); });
}
template <class C, class T>
inline T halves_fused_relu(T a, T b, T c) {
  return halves3<C>(a, b, c, [](float x) { return x != x ? x : x > 0 ? x : 0.0f; });
}

/// f16 and f16x2 with subnormal operands flushed.
template <class T, class F>
inline T halves_of_flushed(T a, T b, F f) {
  return halves<Half, T>(flushed_halves(a), flushed_halves(b), f);
}
/// The same for f16, of 11 bits.
inline float zero_if_subnormal_half(float x) {
  return __builtin_fabsf(x) < 0x1.ffep-15f ? __builtin_copysignf(0, x) : x;
}
template <class T, class F>
inline T fused_of_flushed(T a, T b, T c, F after) {
  return halves3<Half>(flushed_halves(a), flushed_halves(b), flushed_halves(c),
                       [&](float x) { return after(zero_if_subnormal_half(x)); });
}

}  // namespace lanescope::emulator
