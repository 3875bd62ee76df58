#pragma once
// Another layout of shared memory: the addresses of an access under it, and the costs of both. The price under the other
// layout is the only one that a view computes.

#include <cstdint>
#include <string>

#include "profiling/access/wavefronts.h"
#include "viz/views/base/selection.h"

namespace lanescope::views {

/// Another layout of shared memory.
struct WhatIf {
  enum class Kind : std::uint8_t { none, padding, swizzle };
  Kind kind = Kind::none;
  int row_words = 32;     ///< of one row of the array, 4 bytes each
  int padding_words = 1;  ///< unused words after each row
  int unit_words = 1;     ///< swizzle: pieces that stay together; a power of two
  int rows_per_step = 1;  ///< swizzle: rows that share one permutation
  bool operator==(const WhatIf&) const = default;
};

/// The addresses of the lanes under the other layout; unchanged for WhatIf::Kind::none.
access::Access apply(const access::Access& access, const WhatIf& what_if);
/// The same of one byte.
std::uint64_t apply(std::uint64_t byte, const WhatIf& what_if);
/// "rows of 32 words, 1 word of padding", "XOR swizzle of 4-word pieces in rows of 32 words".
std::string words(const WhatIf& what_if);

struct BankCosts {
  access::Cost before, after;
  int wavefronts = 0;  ///< that can be played: the larger of both
};
BankCosts bank_costs(const AccessInfo& info, const WhatIf& what_if);

/// "layout,wavefront,lane,word,bank,row"; layout is "as it is" or "what if".
std::string to_csv(const AccessInfo& info, const WhatIf& what_if);

}  // namespace lanescope::views
