#pragma once
// Numbers as the bits of an element type and back.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/source/model/buffer.h"

namespace lanescope::source {

/// The bits of `value` as an element: rounded to nearest even for floats; cut to the width for integers.
std::uint64_t encode(std::string_view element_type, double value);
double decode(std::string_view element_type, std::uint64_t bits);

/// Why an element cannot hold a given number; empty messages: it can. A float is rounded, which is no
/// misfit, but must become neither infinite nor zero; an integer must be whole and within its type's range.
struct Misfit {
  std::string message, remedy;
};
Misfit misfit(std::string_view element_type, double value);
/// The first misfit among the numbers of `contents`.
Misfit misfit(std::string_view element_type, const Contents& contents);

/// Element `n` of an iota: n itself for integers (cut to the width). A float counts as far as it can show neighbours
/// apart: from 0; from minus its largest exact count when that is enough; else the n-th normal number by bit pattern.
std::uint64_t iota_bits(std::string_view element_type, std::uint64_t n, std::uint64_t elements);

/// All of them, as they lie in memory.
std::vector<std::byte> iota_bytes(std::string_view element_type, std::uint64_t elements);

bool is_float_type(std::string_view t);

// Values given as their bits: numbers that no double holds, patterns of NaN, structures.

/// Whether a text of the launch header is one: "0x..." or "bytes ...". Names of buffers begin with neither.
bool is_exact_bits(std::string_view text);

/// "0x1234abcd": a number in base 16, its lowest byte first (`_` between digits is ignored); "bytes 01 02 ff": bytes in the
/// order of memory. Nothing where it is neither, or longer than 64 KiB.
std::optional<std::vector<std::byte>> exact_bits(std::string_view text);

/// The same value in `bytes` bytes: zeros are added or taken away. Nothing where it does not fit.
std::optional<std::vector<std::byte>> resized_bits(std::vector<std::byte> value, std::size_t bytes);

}  // namespace lanescope::source
