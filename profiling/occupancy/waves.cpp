#include "profiling/occupancy/waves.h"

#include "kernels/base/check.h"

namespace lanescope::occupancy {

int Waves::blocks_on(std::int64_t wave, int multiprocessor) const {
  LS_CHECK_LE(0, multiprocessor);
  LS_CHECK_LT(multiprocessor, multiprocessors);
  if (wave < 0 || wave >= waves) return 0;
  if (wave < full_waves) return blocks_per_multiprocessor;
  return static_cast<int>((tail_blocks + multiprocessors - 1 - multiprocessor) / multiprocessors);
}

Expected<Waves> lay_out(std::int64_t blocks, int multiprocessors, int blocks_per_multiprocessor) {
  if (blocks < 1) return failure("a grid has at least one block", "correct the grid");
  if (multiprocessors < 1)
    return failure("a GPU has at least one multiprocessor", "name the GPU or its multiprocessors");
  if (blocks_per_multiprocessor < 1)
    return failure("no block of this kernel fits on a multiprocessor",
                   "use fewer threads, registers or less shared memory");
  Waves w{.blocks = blocks, .multiprocessors = multiprocessors, .blocks_per_multiprocessor = blocks_per_multiprocessor};
  w.blocks_per_wave = std::int64_t{multiprocessors} * blocks_per_multiprocessor;
  w.full_waves = blocks / w.blocks_per_wave;
  w.tail_blocks = blocks % w.blocks_per_wave;
  w.waves = w.full_waves + (w.tail_blocks > 0 ? 1 : 0);
  w.waves_exact = static_cast<double>(blocks) / static_cast<double>(w.blocks_per_wave);
  w.used_percent = 100.0 * w.waves_exact / static_cast<double>(w.waves);
  return w;
}

}  // namespace lanescope::occupancy
