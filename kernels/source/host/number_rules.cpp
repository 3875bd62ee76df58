#include "kernels/source/host/number_rules.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "kernels/source/data/number_format.h"

namespace lanescope::source::host {
namespace {

struct Format {
  int mantissa_bits, bias;
  std::uint8_t largest;  ///< finite
};
Format format_of(Fp8 f) { return f == Fp8::e4m3 ? Format{3, 7, 0x7e} : Format{2, 15, 0x7b}; }

}  // namespace

double fp8_value(Fp8 format, std::uint8_t bits) {
  const Format f = format_of(format);
  const double sign = (bits & 0x80) != 0 ? -1 : 1;
  const int rest = bits & 0x7f;
  if (rest > f.largest)
    return format == Fp8::e5m2 && rest == 0x7c ? sign * std::numeric_limits<double>::infinity()
                                               : std::numeric_limits<double>::quiet_NaN();
  const int exponent = rest >> f.mantissa_bits, mantissa = rest & ((1 << f.mantissa_bits) - 1);
  const int whole = exponent == 0 ? mantissa : mantissa | 1 << f.mantissa_bits;
  return sign * std::ldexp(whole, std::max(exponent, 1) - f.bias - f.mantissa_bits);
}

std::uint8_t fp8_bits(Fp8 format, double value) {
  const Format f = format_of(format);
  const std::uint8_t sign = std::signbit(value) ? 0x80 : 0;
  if (std::isnan(value)) return sign | (format == Fp8::e4m3 ? 0x7f : 0x7e);
  const double size = std::abs(value);
  if (size >= fp8_value(format, f.largest)) return sign | f.largest;
  // In units of the last place at this size; those below the smallest normal number have that of the smallest.
  const int exponent = size == 0 ? 1 - f.bias : std::max(std::ilogb(size), 1 - f.bias);
  const double units = std::ldexp(size, f.mantissa_bits - exponent);
  double rounded = std::floor(units);
  const double left = units - rounded;
  if (left > 0.5 || (left == 0.5 && std::fmod(rounded, 2) == 1)) ++rounded;
  // A carry out of the mantissa is one into the exponent, and so is the first bit of a normal number.
  const int code = ((exponent + f.bias - 1) << f.mantissa_bits) + static_cast<int>(rounded);
  return sign | static_cast<std::uint8_t>(std::min<int>(code, f.largest));
}

namespace {

std::string_view half_format(const Type* t) { return t->device ? "bf16" : "f16"; }
Fp8 byte_format(const Type* t) { return t->device ? Fp8::e5m2 : Fp8::e4m3; }

}  // namespace

double real_of(std::uint64_t bits, const Type* t) {
  if (t->bytes == 8) return std::bit_cast<double>(bits);
  if (t->bytes == 4) return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
  return t->bytes == 1 ? fp8_value(byte_format(t), static_cast<std::uint8_t>(bits)) : decode(half_format(t), bits);
}

std::uint64_t bits_of(double v, const Type* t) {
  if (t->bytes == 8) return std::bit_cast<std::uint64_t>(v);
  if (t->bytes == 4) return std::bit_cast<std::uint32_t>(static_cast<float>(v));
  return t->bytes == 1 ? fp8_bits(byte_format(t), v) : encode(half_format(t), v);
}

}  // namespace lanescope::source::host
