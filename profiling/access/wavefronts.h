#pragma once
// Which lanes a shared access serves in which wavefront, and the same access under another layout.
//
// How many wavefronts there are is measured (access.h); who goes first is not: hardware does not tell. Here, wavefront k
// of a group of lanes serves the k-th word of each bank, words of a bank in the order in which lanes ask for them.

#include <cstdint>
#include <vector>

#include "profiling/access/access.h"

namespace lanescope::access {

struct WavefrontGroup {
  std::uint32_t lanes = 0;           ///< that get a word (at least one of their words) in it
  std::vector<std::uint64_t> words;  ///< address / bank bytes; one per bank at most; ascending by bank
};
/// As many as shared_cost(pattern, model).wavefronts.
std::vector<WavefrontGroup> wavefront_groups(const Pattern& pattern, const MemoryModel& model = h200_memory());

/// What if each row of `row_bytes` were followed by `pad_words` unused words: offset o moves by 4*pad_words for every
/// row before it.
std::uint64_t padded_offset(std::uint64_t offset, std::uint64_t row_bytes, int pad_words);

/// What if the pieces of row r traded places by XOR with r. Pieces are `unit_bytes` wide; only as many low bits of the
/// piece number change as keep it inside the row and inside 128 bytes, so rows of any length are permuted, never torn.
struct Swizzle {
  std::uint64_t row_bytes = 128;
  std::uint64_t unit_bytes = 4;     ///< a power of two that divides row_bytes; at least as wide as the access
  std::uint64_t rows_per_step = 1;  ///< r counts so many rows as one
};
std::uint64_t swizzled_offset(std::uint64_t offset, const Swizzle& swizzle);

/// Every lane's address moved so; addresses count from the array's begin.
Pattern padded(Pattern pattern, std::uint64_t row_bytes, int pad_words);
/// The unit is widened to the access where it is narrower.
Pattern swizzled(Pattern pattern, Swizzle swizzle);

}  // namespace lanescope::access
