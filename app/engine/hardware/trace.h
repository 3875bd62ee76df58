#pragma once
// A launch that records what its warps access, compared with the same program in the emulator.

#include <cstdint>
#include <optional>
#include <string>

#include "app/engine/hardware/run.h"
#include "app/engine/summary/access_info.h"
#include "kernels/instrument/decode.h"
#include "results/measured.h"

namespace lanescope::engine {

/// One block of one launch of a run.
struct TracedRun {
  HardwareRun run;
  std::size_t launch = 0;
  std::uint32_t block = 0;
};

/// The recorded accesses of the block compared with the emulator's; the launch timed against the plain one.
void measure_trace(const TracedRun& what, results::Measured& measured);

/// The accesses of one block as a GPU makes them, in the numbering of `emulated`, the same program's record.
struct WatchedOnGpu {
  SeenAccesses seen{};
  std::string difference{};  ///< the first one, in words; empty: none
};
Expected<WatchedOnGpu> watch_on_gpu(const TracedRun& what, const trace::Trace& emulated);

/// The first access or shuffle of one block in which the GPU and the emulator differ, each from the contents that the
/// GPU has before the launch. Error: it cannot be traced.
struct TracedBlock {
  std::optional<instrument::Difference> difference{};
  std::uint64_t dropped = 0;  ///< records that did not fit
};
Expected<TracedBlock> trace_block(const TracedRun& what);

}  // namespace lanescope::engine
