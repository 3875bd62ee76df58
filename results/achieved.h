#pragma once
// What each memory moved a second, by its own counters: a cache that holds the data leaves little for device memory.

#include <string>
#include <vector>

#include "results/measured.h"

namespace lanescope::results {

struct AchievedBandwidth {
  std::string memory;              ///< "device memory", "L2", "shared memory", as RoofInfo::memory
  double bytes = 0, gb_per_s = 0;  ///< 1 GB is 10^9 bytes
  std::string from;                ///< the counters, and the time
};
/// Of the memories whose counters and the time were measured.
std::vector<AchievedBandwidth> achieved_bandwidths(const Measured& measured);

}  // namespace lanescope::results
