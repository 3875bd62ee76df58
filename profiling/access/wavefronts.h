#pragma once
// Which lanes a shared access serves in which wavefront, and the same access under another layout.
//
// The number of wavefronts is measured (access.h); their order is not: hardware does not show it. Here, wavefront k of a
// group of lanes serves the k-th word of each bank, words of a bank in the order in which lanes request them (of an atomic
// whose lanes take turns: the k-th lane of each bank).

#include <cstdint>
#include <vector>

#include "profiling/access/access.h"

namespace lanescope::access {

struct WavefrontGroup {
  std::uint32_t lanes = 0;           ///< that get a word (at least one of their words) in it
  std::vector<std::uint64_t> words;  ///< address / bank bytes; one per bank at most; ascending by bank
};
/// As many as cost(access, model).wavefronts.
std::vector<WavefrontGroup> wavefront_groups(const Access& access, const MemoryModel& model = h200_memory());

/// The offset if each row of `row_bytes` were followed by `pad_words` unused words: offset o moves by 4*pad_words for
/// every row before it.
std::uint64_t padded_offset(std::uint64_t offset, std::uint64_t row_bytes, int pad_words);

/// The exchange of pieces in row r by XOR with r. Pieces are `unit_bytes` wide; only as many low bits of the piece
/// number change as keep it inside the row and inside 128 bytes, so rows of any length are permuted, never torn.
struct Swizzle {
  std::uint64_t row_bytes = 128;
  std::uint64_t unit_bytes = 4;     ///< a power of two that divides row_bytes; at least as wide as the access
  std::uint64_t rows_per_step = 1;  ///< r counts so many rows as one
};
std::uint64_t swizzled_offset(std::uint64_t offset, const Swizzle& swizzle);

/// Every lane's address moved so; addresses count from the array's begin.
Access padded(Access access, std::uint64_t row_bytes, int pad_words);
/// The unit is widened to the access where it is narrower.
Access swizzled(Access access, Swizzle swizzle);

}  // namespace lanescope::access
