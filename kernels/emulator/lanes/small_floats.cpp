// Conversions from and to floating-point formats of 4 to 19 bits: value by value, through double, which holds all of them.
//
//   format  exponent mantissa  infinities  NaN                largest
//   f16     5        10        yes         0x7fff             65504
//   bf16    8        7         yes         0x7fff             0x7f7f
//   tf32    8        10        yes         0x7fffe000         0x7f7fe000 (the upper 19 of 32 bits)
//   e4m3    4        3         no          0x7f, 0xff         448
//   e5m2    5        2         yes         0x7d..0x7f         57344
//   e2m3    2        3         no          none               7.5
//   e3m2    3        2         no          none               28
//   e2m1    2        1         no          none               6
//   ue8m0   8        0         no          0xff               2^127; no sign
//
// Source: PTX ISA 9.0, "Alternate Floating-Point Data Formats", cvt.

#include <cmath>

#include "kernels/base/enum_size.h"
#include "kernels/emulator/lanes/lane_math.h"
#include "kernels/emulator/lanes/operations.h"

namespace lanescope::emulator {

namespace {

struct Layout {
  int exponent, mantissa;
  bool infinities;
  u32 nan;
  u32 largest;  ///< magnitude
};
constexpr Layout layouts[] = {{8, 23, true, 0x7fffffff, 0x7f7fffff},
                              {5, 10, true, 0x7fff, 0x7bff},
                              {8, 7, true, 0x7fff, 0x7f7f},
                              {8, 10, true, 0x3ffff, 0x3fbff},
                              {4, 3, false, 0x7f, 0x7e},
                              {5, 2, true, 0x7f, 0x7b},
                              {2, 3, false, 0x1f, 0x1f},
                              {3, 2, false, 0x1f, 0x1f},
                              {2, 1, false, 0x7, 0x7},
                              {8, 0, false, 0xff, 0xfe}};
const Layout& layout_of(SmallFormat f) { return entry_for(layouts, f); }

double decoded(SmallFormat f, u32 bits) {
  const Layout& y = layout_of(f);
  if (f == SmallFormat::ue8m0) return bits == 0xff ? std::nan("") : std::ldexp(1.0, static_cast<int>(bits) - 127);
  const u32 sign = bits >> (y.exponent + y.mantissa) & 1;
  const u32 exponent = bits >> y.mantissa & ((1u << y.exponent) - 1), mantissa = bits & ((1u << y.mantissa) - 1);
  const u32 top = (1u << y.exponent) - 1;
  const int bias = (1 << (y.exponent - 1)) - 1;
  double value = 0;
  if (y.infinities && exponent == top)
    value = mantissa == 0 ? HUGE_VAL : std::nan("");
  else if (f == SmallFormat::e4m3 && exponent == top && mantissa == 7)
    value = std::nan("");
  else
    value = std::ldexp(exponent == 0 ? mantissa : mantissa + (1u << y.mantissa),
                       (exponent == 0 ? 1 : static_cast<int>(exponent)) - bias - y.mantissa);
  return sign != 0 ? -value : value;
}

/// Exponent of the power of two, rounded; the sign does not count.
u32 scale_of(double x, const SmallConversion& c) {
  if (std::isnan(x)) return 0xff;
  x = std::fabs(x);
  if (std::isinf(x)) return c.finite ? 0xfe : 0xff;
  int exponent = 0;
  const double fraction = std::frexp(x, &exponent);  // 0.5 <= fraction < 1
  s64 e = x == 0 ? -1 : exponent - 1 + 127;
  if (e >= 0 && c.rounding == SmallConversion::Rounding::up && fraction != 0.5) ++e;
  if (e < 0) e = x > std::ldexp(1.0, -127) && c.rounding == SmallConversion::Rounding::up ? 1 : 0;
  return static_cast<u32>(e > 0xfe ? (c.finite ? 0xfe : 0xff) : e);
}

/// `random` of `random_bits` bits is added where the discarded part begins.
u32 encoded(double x, const SmallConversion& c, u32 random, int random_bits) {
  using Rounding = SmallConversion::Rounding;
  const Layout& y = layout_of(c.to);
  if (c.to == SmallFormat::ue8m0) return scale_of(x, c);
  if (std::isnan(x)) return y.nan;
  if (c.relu && x <= 0) x = 0;  // -0, too
  const u32 sign = u32{std::signbit(x)} << (y.exponent + y.mantissa);
  const double m = std::fabs(x);
  const u32 over = c.finite || !y.infinities ? y.largest : (((1u << y.exponent) - 1) << y.mantissa);
  if (std::isinf(m)) return sign | over;
  if (m == 0) return sign;
  const int least = 2 - (1 << (y.exponent - 1));  // exponent of the smallest normal number
  const int exponent = std::max(std::ilogb(m), least);
  const double units = std::ldexp(m, y.mantissa - exponent);  // exact
  double whole = std::floor(units);
  const double rest = units - whole;
  const bool odd = std::fmod(whole, 2) != 0;
  switch (c.rounding) {
    case Rounding::nearest:
      whole += rest > 0.5 || (rest == 0.5 && odd) ? 1 : 0;
      break;
    case Rounding::away:
      whole += rest >= 0.5 ? 1 : 0;
      break;
    case Rounding::random:
      whole += rest + std::ldexp(double(random), -random_bits) >= 1 ? 1 : 0;
      break;
    default:
      break;
  }
  // A carry out of the mantissa enters the exponent by itself.
  const double bits = whole + std::ldexp(double(exponent - least), y.mantissa);
  if (bits > y.largest) return sign | (c.rounding == Rounding::zero ? y.largest : over);
  return sign | static_cast<u32>(bits);
}

u32 bits_of_format(SmallFormat f) {
  switch (f) {
    case SmallFormat::f32:
    case SmallFormat::tf32:
      return 32;
    case SmallFormat::f16:
    case SmallFormat::bf16:
      return 16;
    case SmallFormat::e2m1:
      return 4;
    default:
      return 8;
  }
}

u32 random_of(const SmallConversion& c, u32 word, u32 element, int& bits) {
  if (c.to == SmallFormat::f16) return bits = 13, word >> (element == 1 ? 16 : 0) & 0x1fff;
  if (c.to == SmallFormat::bf16) return bits = 16, word >> (element == 1 ? 16 : 0) & 0xffff;
  const u32 half = element >= 2 ? word >> 16 : word & 0xffff;
  if (c.to != SmallFormat::e2m1) return bits = 16, half;
  // Upper bytes of both halves for the upper two elements, lower bytes for the others.
  const u32 shift = element >= 2 ? 8 : 0;
  return bits = 16, (word >> 16 >> shift & 0xff) << 8 | (word >> shift & 0xff);
}

}  // namespace

void exec_small_floats(u8* r, const Op& op, u32 mask) {
  const SmallConversion c = SmallConversion::of(op.immediate);
  const u32 in_bits = bits_of_format(c.from), out_bits = bits_of_format(c.to);
  const u32 keep = in_bits == 32 ? ~0u : (1u << in_bits) - 1;
  const u32 sources[] = {op.a, op.b, op.c, op.d2};
  for (int l = 0; l < lanes; ++l) {
    if ((mask >> l & 1) == 0) continue;
    u32 result = 0;
    for (u32 e = 0; e < c.count; ++e) {  // from the lowest
      const u32 word = c.from == SmallFormat::f32 ? row<u32>(r, sources[c.count - 1 - e])[l]
                                                  : row<u32>(r, op.a)[l] >> (in_bits * e) & keep;
      const double x = decoded(c.from, word);
      int random_bits = 1;
      const u32 random =
          c.rounding == SmallConversion::Rounding::random ? random_of(c, row<u32>(r, op.carry)[l], e, random_bits) : 0;
      u32 bits = encoded(x, c, random, random_bits);
      if (c.to == SmallFormat::tf32) {
        // A NaN keeps its upper bits where halves are rounded away from zero, else it is canonical (measured on H200).
        const bool keeps = std::isnan(x) && c.rounding == SmallConversion::Rounding::away;
        bits = !keeps ? bits << 13 : (word & 0xffffe000u) - (c.finite ? 0x2000u : 0u);
      }
      result |= c.count == 1 ? bits : bits << (out_bits * e);
    }
    row<u32>(r, op.d)[l] = result;
  }
}

}  // namespace lanescope::emulator
