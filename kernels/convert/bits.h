#pragma once
// Words of bits as vectors over F2.

#include <cstddef>
#include <cstdint>
#include <span>

namespace lanescope::convert {

constexpr std::uint64_t bit(int n) { return std::uint64_t{1} << n; }
constexpr bool has(std::uint64_t v, int n) { return (v >> n & 1) != 0; }
constexpr std::size_t index(int n) { return static_cast<std::size_t>(n); }

/// The sum of `columns` that the bits of `x` choose.
inline std::uint64_t combine(std::span<const std::uint64_t> columns, std::uint64_t x) {
  std::uint64_t out = 0;
  for (std::size_t i = 0; i < columns.size(); ++i)
    if ((x >> i & 1) != 0) out ^= columns[i];
  return out;
}

}  // namespace lanescope::convert
