// cvt: every pair of number types, with rounding, saturation, and extension to the destination register.

#include <cmath>
#include <limits>
#include <type_traits>

#include "kernels/emulator/lanes/lane_math.h"
#include "kernels/emulator/lanes/operations.h"

namespace lanescope::emulator {

using ptx::Type;

namespace {

struct F16 {
  using Narrow = Half;
};
struct Bf16 {
  using Narrow = Bfloat;
};
template <class T>
concept Small = std::is_same_v<T, F16> || std::is_same_v<T, Bf16>;
template <class T>
concept Integer = std::is_integral_v<T>;

template <class T>
constexpr u32 bits_of_type = Small<T> ? 16 : 8 * sizeof(T);

/// The value in a row, as the widest number that holds it exactly.
template <class S>
auto load(const u8* r, u32 offset, int l) {
  if constexpr (Small<S>)
    return double{S::Narrow::widen(static_cast<u16>(row<u32>(r, offset)[l]))};
  else if constexpr (std::is_same_v<S, double>)
    return __builtin_bit_cast(double, row<u64>(r, offset)[l]);
  else if constexpr (std::is_same_v<S, float>)
    return double{__builtin_bit_cast(float, row<u32>(r, offset)[l])};
  else if constexpr (sizeof(S) == 8)
    return static_cast<S>(row<u64>(r, offset)[l]);
  else
    return static_cast<S>(row<u32>(r, offset)[l]);
}

double to_integral(double x, u32 mode) {
  switch (mode) {
    case convert_rz:
      return std::trunc(x);
    case convert_rm:
      return std::floor(x);
    case convert_rp:
      return std::ceil(x);
    default:
      return std::nearbyint(x);
  }
}

/// Clamped to the type. NaN is 0, or the top bit alone for 64-bit numbers (PTX ISA, cvt).
template <Integer D>
D float_to_integer(double x, u32 mode, bool from_double) {
  if (x != x)
    return from_double || sizeof(D) == 8 ? static_cast<D>(std::make_unsigned_t<D>(1) << (8 * sizeof(D) - 1)) : D{0};
  const double whole = to_integral(x, mode);
  constexpr double low = static_cast<double>(std::numeric_limits<D>::min());
  const double high = std::ldexp(1.0, static_cast<int>(8 * sizeof(D)) - (std::is_signed_v<D> ? 1 : 0));
  if (whole >= high) return std::numeric_limits<D>::max();
  if (whole < low) return std::numeric_limits<D>::min();
  return static_cast<D>(whole);
}

template <Integer D, Integer S>
D integer_to_integer(S x, bool saturate) {
  if (!saturate) return static_cast<D>(x);
  if (std::cmp_less(x, std::numeric_limits<D>::min())) return std::numeric_limits<D>::min();
  if (std::cmp_greater(x, std::numeric_limits<D>::max())) return std::numeric_limits<D>::max();
  return static_cast<D>(x);
}

/// The nearest value, moved by one unit where the mode requests the other side. Exact: long double holds all sources.
template <class Bits, class Value>
Bits directed(Bits nearest, Value value, long double exact, u32 mode, auto widen) {
  const long double got = static_cast<long double>(widen(nearest));
  if (mode == convert_rn || got == exact || exact != exact) return nearest;
  const bool too_high = got > exact;
  const bool want_lower = mode == convert_rm || (mode == convert_rz && exact > 0);
  const bool want_higher = mode == convert_rp || (mode == convert_rz && exact < 0);
  static_cast<void>(value);
  const bool is_negative = exact < 0;
  if (too_high && want_lower) {
    if (got == 0 && !is_negative) return nearest;
    return static_cast<Bits>(is_negative ? nearest + 1 : nearest - 1);
  }
  if (!too_high && want_higher) return static_cast<Bits>(is_negative ? nearest - 1 : nearest + 1);
  return nearest;
}

template <class D>
u64 narrow(long double exact, u32 mode) {
  if constexpr (std::is_same_v<D, double>) {
    const double nearest = static_cast<double>(exact);
    if (nearest != nearest) return __builtin_bit_cast(u64, canonical(nearest));
    return directed(__builtin_bit_cast(u64, nearest), 0, exact, mode,
                    [](u64 b) { return __builtin_bit_cast(double, b); });
  } else if constexpr (std::is_same_v<D, float>) {
    const float nearest = static_cast<float>(exact);
    if (nearest != nearest) return 0x7fffffffu;
    return directed(__builtin_bit_cast(u32, nearest), 0, exact, mode,
                    [](u32 b) { return __builtin_bit_cast(float, b); });
  } else {
    using N = typename D::Narrow;
    // Through odd-rounded double and float: each step keeps a sticky bit, so the last one rounds once.
    double d = static_cast<double>(exact);
    if (static_cast<long double>(d) != exact && std::isfinite(d)) {
      u64 bits = __builtin_bit_cast(u64, d);
      if ((bits & 1) == 0) bits += std::fabs(static_cast<long double>(d)) < std::fabs(exact) ? 1 : ~u64{0};
      d = __builtin_bit_cast(double, bits);
    }
    const u16 nearest = N::narrow(double_to_odd_float(d));
    return directed(nearest, 0, exact, mode, [](u16 b) { return N::widen(b); });
  }
}

template <class D>
u64 finish_float(long double x, u32 flags) {
  if ((flags & convert_sat) != 0) x = x > 0 ? (x < 1 ? x : 1.0L) : 0.0L;
  if ((flags & convert_relu) != 0 && x <= 0) x = 0;  // -0 becomes +0
  u64 bits = narrow<D>(x, flags & convert_rounding);
  if ((flags & convert_ftz) != 0 && std::is_same_v<D, float> && (bits & 0x7f800000u) == 0) bits &= 0x80000000u;
  return bits;
}

/// Result for a NaN between f64 and another format, measured on an H200: its sign and the upper bits of its payload,
/// quiet. f64 to f64, f32 to f32 and bf16 to f32 only move bits if they do not round. Others give the canonical NaN.
template <class D, class S>
u64 converted_nan(const u8* r, u32 offset, int l, u32 flags) {
  const bool integral = (flags & convert_to_integral) != 0;
  if constexpr (std::is_same_v<S, double>) {
    const double given = load<double>(r, offset, l);
    if constexpr (std::is_same_v<D, double>) return __builtin_bit_cast(u64, integral ? quiet(given) : given);
    const u64 x = __builtin_bit_cast(u64, quiet(given));
    if constexpr (std::is_same_v<D, float>) return (x >> 32 & 0x80000000u) | 0x7f800000u | (x >> 29 & 0x7fffffu);
    if constexpr (std::is_same_v<D, F16>) return (x >> 48 & 0x8000u) | 0x7c00u | (x >> 42 & 0x3ffu);
    if constexpr (std::is_same_v<D, Bf16>) return (x >> 48 & 0x8000u) | 0x7f80u | (x >> 45 & 0x7fu);
  }
  const u64 raw = row<u32>(r, offset)[l];
  if constexpr (std::is_same_v<D, double>) {
    constexpr u64 infinite = u64{0x7ff8} << 48;
    if constexpr (std::is_same_v<S, float>)
      return (flags & convert_ftz) != 0 ? 0x7fffffffe0000000u
                                        : (raw >> 31 & 1) << 63 | infinite | (raw & 0x7fffffu) << 29;
    if constexpr (std::is_same_v<S, F16>) return (raw >> 15 & 1) << 63 | infinite | (raw & 0x3ffu) << 42;
    if constexpr (std::is_same_v<S, Bf16>) return (raw >> 15 & 1) << 63 | infinite | (raw & 0x7fu) << 45;
  }
  if constexpr (std::is_same_v<D, float> && std::is_same_v<S, float>)
    return integral || (flags & convert_ftz) != 0 ? 0x7fffffffu : raw;
  if constexpr (std::is_same_v<D, float> && std::is_same_v<S, Bf16>) return raw << 16 & 0xffffffffu;
  return std::is_same_v<D, float> ? 0x7fffffffu : 0x7fffu;
}

template <class D, class S>
u64 convert_value(const u8* r, u32 offset, int l, u32 flags) {
  auto x = load<S>(r, offset, l);
  if constexpr (!Integer<S> && !Integer<D>)
    if (x != x && (flags & convert_sat) == 0) return converted_nan<D, S>(r, offset, l, flags);
  // Subnormal numbers that become halves are not flushed: an H200 rounds them up or down like others.
  if constexpr (!Integer<S> && std::is_same_v<S, float> && !Small<D>)
    if ((flags & convert_ftz) != 0) x = double{flushed(static_cast<float>(x))};
  if constexpr (Integer<D> && Integer<S>) {
    return static_cast<u64>(static_cast<s64>(integer_to_integer<D>(x, (flags & convert_sat) != 0)));
  } else if constexpr (Integer<D>) {
    return static_cast<u64>(
        static_cast<s64>(float_to_integer<D>(x, flags & convert_rounding, std::is_same_v<S, double>)));
  } else if constexpr (Integer<S>) {
    return finish_float<D>(static_cast<long double>(x), flags);
  } else {
    double y = x;
    if ((flags & convert_to_integral) != 0) {
      y = to_integral(x, flags & convert_rounding);
      flags &= ~u32{convert_rounding};
    }
    return finish_float<D>(static_cast<long double>(y), flags);
  }
}

template <class D, class S>
void convert(u8* r, const Op& op, u32 mask) {
  const u32 flags = op.immediate & 0xff;
  const u32 width = op.immediate >> convert_register_shift;
  const u8* from = r;
  u32 offset = op.a;
  alignas(64) u32 low[lanes];
  if constexpr (bits_of_type<S> <= 32)
    if ((flags & convert_wide_source) != 0) {
      for (int l = 0; l < lanes; ++l) low[l] = static_cast<u32>(row<u64>(r, op.a)[l]);
      from = reinterpret_cast<const u8*>(low);
      offset = 0;
    }
  for (int l = 0; l < lanes; ++l) {
    if ((mask >> l & 1) == 0) continue;
    u64 value = convert_value<D, S>(from, offset, l, flags);
    if constexpr (!Integer<D> || std::is_unsigned_v<D>)
      if constexpr (bits_of_type<D> < 64) value &= (u64{1} << bits_of_type<D>)-1;
    if (width == 64)
      row<u64>(r, op.d)[l] = value;
    else
      row<u32>(r, op.d)[l] = static_cast<u32>(width == 16 ? value & 0xffff : value);
  }
}

template <class D>
Exec from(Type s) {
  switch (s) {
    case Type::u8:
    case Type::b8:
      return convert<D, u8>;
    case Type::s8:
      return convert<D, s8>;
    case Type::u16:
    case Type::b16:
      return convert<D, u16>;
    case Type::s16:
      return convert<D, s16>;
    case Type::u32:
    case Type::b32:
      return convert<D, u32>;
    case Type::s32:
      return convert<D, s32>;
    case Type::u64:
    case Type::b64:
      return convert<D, u64>;
    case Type::s64:
      return convert<D, s64>;
    case Type::f16:
      return convert<D, F16>;
    case Type::bf16:
      return convert<D, Bf16>;
    case Type::f32:
      return convert<D, float>;
    case Type::f64:
      return convert<D, double>;
    default:
      return nullptr;
  }
}

template <class N>
void convert_pair(u8* r, const Op& op, u32 mask) {
  for (int l = 0; l < lanes; ++l) {
    if ((mask >> l & 1) == 0) continue;
    const auto half = [&](u32 offset) {
      const float x = __builtin_bit_cast(float, row<u32>(r, offset)[l]);
      return static_cast<u32>(finish_float<N>(x, op.immediate));
    };
    row<u32>(r, op.d)[l] = half(op.a) << 16 | half(op.b);
  }
}

}  // namespace

Exec find_conversion(Type to, Type s) {
  switch (to) {
    case Type::u8:
    case Type::b8:
      return from<u8>(s);
    case Type::s8:
      return from<s8>(s);
    case Type::u16:
    case Type::b16:
      return from<u16>(s);
    case Type::s16:
      return from<s16>(s);
    case Type::u32:
    case Type::b32:
      return from<u32>(s);
    case Type::s32:
      return from<s32>(s);
    case Type::u64:
    case Type::b64:
      return from<u64>(s);
    case Type::s64:
      return from<s64>(s);
    case Type::f16:
      return from<F16>(s);
    case Type::bf16:
      return from<Bf16>(s);
    case Type::f32:
      return from<float>(s);
    case Type::f64:
      return from<double>(s);
    default:
      return nullptr;
  }
}

Exec convert_pair_exec(Type to) {
  return to == Type::f16x2 ? convert_pair<F16> : to == Type::bf16x2 ? convert_pair<Bf16> : nullptr;
}

}  // namespace lanescope::emulator
