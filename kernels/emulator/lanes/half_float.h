#pragma once
// f16 and bf16 as bits. Written without branches so that loops over lanes become vector code.
//
// Why results are exact although arithmetic happens in float: for +, -, *, / and sqrt, rounding to p' >= 2p + 2 bits
// first and to p bits afterwards gives the correctly rounded result (f16: p = 11, bf16: p = 8, float: p' = 24). A fused
// multiply-add has no such bound; it passes through double with the sticky bit kept (round to odd).

#include <bit>
#include <cmath>
#include <cstdint>

namespace lanescope::emulator {

inline float half_to_float(std::uint16_t h) {
  const std::uint32_t sign = std::uint32_t{h & 0x8000u} << 16;
  const std::uint32_t magnitude = h & 0x7fffu;
  // Subnormals: value * 2^-24 exactly, by the float unit. Others: rebias the exponent.
  const float small = static_cast<float>(static_cast<std::int32_t>(magnitude)) * 0x1p-24f;
  const std::uint32_t normal = (magnitude << 13) + 0x38000000u;
  const std::uint32_t special = (magnitude << 13) | 0x7f800000u;
  const std::uint32_t bits = magnitude >= 0x7c00u ? special
                             : magnitude < 0x400u ? std::bit_cast<std::uint32_t>(small)
                                                  : normal;
  return std::bit_cast<float>(bits | sign);
}

inline constexpr std::uint16_t half_nan = 0x7fff;
inline constexpr std::uint16_t bfloat_nan = 0x7fff;

/// Round to nearest even; NaN becomes the canonical one.
inline std::uint16_t float_to_half(float f) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(f);
  const std::uint32_t sign = bits >> 16 & 0x8000u;
  const std::uint32_t magnitude = bits & 0x7fffffffu;
  // Subnormal results: adding 0.5 puts the unit of the half in the last place of the float.
  const std::uint32_t small = std::bit_cast<std::uint32_t>(std::bit_cast<float>(magnitude) + 0.5f) - 0x3f000000u;
  const std::uint32_t normal = (magnitude - 0x38000000u + 0xfffu + (magnitude >> 13 & 1u)) >> 13;
  std::uint32_t h = magnitude < 0x38800000u ? small : normal;
  h = magnitude >= 0x47800000u ? 0x7c00u : h;
  return static_cast<std::uint16_t>(magnitude > 0x7f800000u ? half_nan : h | sign);
}

inline float bfloat_to_float(std::uint16_t h) { return std::bit_cast<float>(std::uint32_t{h} << 16); }

inline std::uint16_t float_to_bfloat(float f) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(f);
  const std::uint32_t rounded = (bits + 0x7fffu + (bits >> 16 & 1u)) >> 16;
  return static_cast<std::uint16_t>((bits & 0x7fffffffu) > 0x7f800000u ? bfloat_nan : rounded);
}

/// a * b + c with the last bit set if the result is inexact. The product of two f16 or bf16 is exact in double.
inline double fused_to_odd(double a, double b, double c) {
  const double product = a * b;
  const double sum = product + c;
  const double back = sum - product;
  const double lost = (product - (sum - back)) + (c - back);
  std::uint64_t bits = std::bit_cast<std::uint64_t>(sum);
  if (lost != 0 && std::isfinite(sum) && (bits & 1) == 0) bits += (lost > 0) == (sum > 0) ? 1 : std::uint64_t(-1);
  return std::bit_cast<double>(bits);
}

/// Rounds a double that was rounded to odd, or any double, to f16 or bf16 once: toward odd in float keeps the sticky
/// bit.
inline float double_to_odd_float(double x) {
  const float f = static_cast<float>(x);
  if (static_cast<double>(f) == x || !std::isfinite(x) || std::isinf(f)) return f;
  std::uint32_t bits = std::bit_cast<std::uint32_t>(f);
  if ((bits & 1) != 0) return f;
  const bool away = std::fabs(x) > std::fabs(static_cast<double>(f));
  return std::bit_cast<float>(away ? bits + 1 : bits - 1);
}

}  // namespace lanescope::emulator
