#pragma once
// What a run is asked for, and what it yields besides the buffers.

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "kernels/trace/observer.h"
#include "kernels/trace/tags.h"

namespace lanescope::emulator {

struct Options {
  std::uint64_t seed = 1;                 ///< fixes the schedule; reruns with a seed are byte-identical
  std::uint64_t max_steps = 200'000'000;  ///< warp instructions; more is reported as a runaway loop
  /// Warp instructions of one warp before the next warp of the block has its turn. 1 shows warps side by side; 0 runs
  /// each to its next barrier, which is fastest. Results of kernels without races do not depend on it.
  std::uint32_t slice = 1;
  /// Null: identities are off. Its `space` must match the buffers. Once it is full, blocks that start run without.
  trace::TagPool* tags = nullptr;
  std::vector<trace::Observer*> observers{};
  const std::atomic<bool>* cancel = nullptr;
};

struct Fault {
  enum class Kind : std::uint8_t {
    out_of_bounds,
    misaligned,
    barrier_never_completes,
    deadlock,
    runaway,
    unsupported,
    trap,
    uninitialised_shuffle,
    member_mask,  ///< a lane executes a `.sync` operation whose member mask does not name it
    cancelled,
  };
  Kind kind = Kind::trap;
  trace::Where where;
  int lane = -1;
  int line = 0;  ///< the user's line; 0 when unknown
  std::uint64_t address = 0;
  std::string message;  ///< complete sentence with block, warp, lane, address, what was expected
};

struct Result {
  std::vector<Fault> faults;  ///< empty: ran to the end
  std::uint64_t warp_instructions = 0;
  std::uint64_t thread_instructions = 0;
  std::uint32_t shared_bytes = 0;
  /// Blocks that ran with identities: all of them unless the pool was full before the last one started.
  std::uint64_t identified_blocks = 0;
};

}  // namespace lanescope::emulator
