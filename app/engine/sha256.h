#pragma once
// SHA-256 (FIPS 180-4), by which outputs are named and compared.

#include <cstddef>
#include <span>
#include <string>

namespace lanescope::engine {

/// 64 lower-case hexadecimal digits.
std::string sha256(std::span<const std::byte> data);

}  // namespace lanescope::engine
