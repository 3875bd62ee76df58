#pragma once
// Results of a second run of a launch, made only if the first one left a question (app/engine/prepare/second_run.cpp).

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/trace/observer.h"
#include "profiling/uninitialised/reads.h"

namespace lanescope::review {

struct SecondLook {
  std::vector<uninitialised::Read> reads;
  /// Barriers without which no race would appear and none that is there would occur more often; in all executions of
  /// one place of the source at once.
  struct Unneeded {
    std::uint32_t pc = 0;
    std::uint64_t times = 0;  ///< executions by a block, by a warp or by a cluster
    bool of_warp = false, of_cluster = false;
    trace::Where last;
  };
  std::vector<Unneeded> unneeded;
  /// Why reads of unwritten memory were not followed; empty: they were, or there are none.
  std::string not_followed{};
};

}  // namespace lanescope::review
