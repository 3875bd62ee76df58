#pragma once
// Which blocks of a launch access an element. Nothing of a run keeps that for every element of every buffer, so that the
// launch runs once more, without identities, until it is known.

#include <chrono>
#include <cstdint>
#include <utility>
#include <vector>

#include "app/engine/prepare/program.h"

namespace lanescope::engine {

struct BlocksQuestion {
  std::size_t launch = 0;
  std::vector<std::pair<int, std::uint64_t>> elements;  ///< buffer and element
  std::uint64_t seed = 1, max_steps = 200'000'000;
  std::chrono::milliseconds most_time{3'000};
};
struct AccessingBlocks {
  std::vector<std::vector<std::uint32_t>>
      blocks;          ///< by element: the first that accesses it in the order of the run; none
  bool whole = false;  ///< where there is none, no block that ran to its end accesses it
};
AccessingBlocks accessing_blocks(const Program& program, std::vector<trace::Buffer> buffers,
                                 const BlocksQuestion& question);

}  // namespace lanescope::engine
