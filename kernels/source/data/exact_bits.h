#pragma once
// Values given as their bits: numbers that no double holds, patterns of NaN, structures.

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace lanescope::source {

/// Whether a text of the launch header is one: "0x..." or "bytes ...". Names of buffers begin with neither.
bool is_exact_bits(std::string_view text);

/// "0x1234abcd": a number in base 16, its lowest byte first (`_` between digits is ignored); "bytes 01 02 ff": bytes in the
/// order of memory. Nothing where it is neither, or longer than 64 KiB.
std::optional<std::vector<std::byte>> exact_bits(std::string_view text);

/// The same value in `bytes` bytes: zeros are added or taken away. Nothing where it does not fit.
std::optional<std::vector<std::byte>> resized_bits(std::vector<std::byte> value, std::size_t bytes);

}  // namespace lanescope::source
