#pragma once
// A grid laid out on the multiprocessors. Blocks that last equally long leave in waves: each fills every place of the
// GPU, the last one perhaps not, and then most multiprocessors wait for few. 265 blocks of a kernel that has one block
// resident on each of 132 multiprocessors need 3 waves, and the third runs one block: 67 % of the GPU's time is used.
//
// Real blocks differ in length and the hardware promises no order; this is the arithmetic of the even case, with blocks
// dealt to the multiprocessors in turn.

#include <cstdint>

#include "kernels/base/diagnostic.h"

namespace lanescope::occupancy {

struct Waves {
  std::int64_t blocks = 0;
  int multiprocessors = 0, blocks_per_multiprocessor = 0;
  std::int64_t blocks_per_wave = 0;
  std::int64_t full_waves = 0;
  std::int64_t waves = 0;        ///< a partial last wave counts
  double waves_exact = 0;        ///< blocks / blocks_per_wave
  std::int64_t tail_blocks = 0;  ///< in the partial last wave; 0: there is none
  double used_percent = 0;       ///< blocks against the places of all waves

  /// Blocks of the wave on that multiprocessor.
  int blocks_on(std::int64_t wave, int multiprocessor) const;
};

/// Errors: no block, no multiprocessor, or a block that is nowhere resident.
Expected<Waves> lay_out(std::int64_t blocks, int multiprocessors, int blocks_per_multiprocessor);

}  // namespace lanescope::occupancy
