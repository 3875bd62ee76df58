#pragma once
// Numbers of the launch header as the bytes that a kernel sees, and elements of buffers as numbers that people read.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/base/diagnostic.h"

namespace lanescope::engine {

/// A scalar of the C++ type `type` ("float", "const unsigned int", "__half", ...) in `bytes` bytes, little-endian. Types
/// that are not known by name are integers. Error: the number does not fit.
Expected<std::vector<std::byte>> scalar_bytes(std::string_view type, std::uint64_t bytes, double value);

/// A vector or struct argument: fields of equal width, of the type that `type` names ("float4", "uint2", "dim3").
Expected<std::vector<std::byte>> field_bytes(std::string_view type, std::uint64_t bytes,
                                             std::span<const double> fields);

/// Element `index` of an array whose element type is a name of the launch header ("f16", "u4", "b1", ...).
double element_value(std::string_view element_type, std::span<const std::byte> data, std::uint64_t index);
/// The same as people write it: as many digits as tell it from its neighbours, 64-bit integers in full.
std::string element_words(std::string_view element_type, std::span<const std::byte> data, std::uint64_t index);
bool is_floating(std::string_view element_type);

std::uint16_t half_bits(double value);      ///< round to nearest even
std::uint16_t bfloat16_bits(double value);  ///< round to nearest even
double half_value(std::uint16_t bits);

}  // namespace lanescope::engine
