#pragma once

#include <cstdint>

namespace lanescope::engine {

/// How far the kernels of a request have run.
struct RanSoFar {
  std::uint64_t steps = 0;  ///< warp instructions, in both variants together
  /// Blocks that have ended and those of all launches, in the variant that is behind; 0: nothing runs that has to end.
  std::uint64_t blocks = 0, all_blocks = 0;
};

}  // namespace lanescope::engine
