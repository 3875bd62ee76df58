#pragma once
// Floats of 8 bits, as the constructors of cuda_fp8.h make them from a float or a double: rounded to nearest, ties to
// even, saturated to the largest finite value (__NV_SATFINITE).
//
//            sign exponent mantissa bias   largest        above it
//   e4m3       1     4        3       7    448 (0x7e)     NaN (0x7f); no infinity
//   e5m2       1     5        2      15    57344 (0x7b)   infinity (0x7c), NaN (0x7d to 0x7f)
//
// Source: the formats are those of the OCP 8-bit floating point specification; cuda_fp8.h of CUDA 13.0 was run on the
// host for comparison.

#include <cstdint>

namespace lanescope::source::host {

enum class Fp8 : std::uint8_t { e4m3, e5m2 };

std::uint8_t fp8_bits(Fp8 format, double value);
double fp8_value(Fp8 format, std::uint8_t bits);

}  // namespace lanescope::source::host
