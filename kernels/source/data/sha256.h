#pragma once
// SHA-256 (FIPS 180-4): digests of outputs and keys of stored PTX.

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace lanescope::source {

/// 64 lower-case hexadecimal digits.
std::string sha256(std::span<const std::byte> bytes);
std::string sha256(std::string_view text);

}  // namespace lanescope::source
