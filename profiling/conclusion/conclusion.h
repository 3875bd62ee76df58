#pragma once
// The bottleneck of a measured kernel, in one paragraph: the limit, the evidence, the first remedy and its saving.
//
// A kernel is held either by the rate of a unit or by waiting. The roofline shows which of the two: a memory (or the
// arithmetic) that works at 60 % of its peak or more is the limit, even against the stalls, for then warps wait because
// the unit is busy. Below, the order is: a grid that leaves multiprocessors without a block; then the reason for which
// most sampled warps wait, with the counters that belong to it (bank conflicts to waiting for shared memory,
// unrequested bytes to waiting for global memory). The thresholds are judgement, not physics: a conclusion is a place
// to begin, and it contains each of its numbers.
//
// A saving is an upper bound: all waste is gone and nothing else becomes the limit.

#include <span>
#include <string>
#include <vector>

#include "results/measured.h"
#include "results/occupancy.h"
#include "results/summary.h"

namespace lanescope::conclusion {

enum class Limit : std::uint8_t {
  unknown,
  device_memory,
  l2,
  shared_memory,
  arithmetic,
  grid,            ///< too few blocks for the multiprocessors
  global_latency,  ///< warps wait for global memory
  shared_latency,  ///< for shared memory or special functions
  exit,            ///< for stores, after the last instruction
  barrier,
  instruction_latency,  ///< of the instruction before, its fetch, a branch
  constant_cache,
  fence,
};

struct Input {
  const results::Measured& measured;
  /// Of the same kernel on the same GPU; nullptr: the GPU is not in the table.
  const results::OccupancyInfo* occupancy = nullptr;
  double operations = 0;  ///< floating-point operations of the launch, as predicted; 0: none, or not known
  std::span<const results::FindingInfo> findings{};  ///< of the review
};

struct Conclusion {
  Limit limit = Limit::unknown;
  std::string sentence;               ///< the bottleneck
  std::vector<std::string> evidence;  ///< each with its numbers
  std::string remedy, saving;         ///< empty: nothing is known
  std::string next;                   ///< the bottleneck after the remedy; empty: not known
};
Conclusion conclude(const Input& input);
std::string paragraph(const Conclusion& conclusion);

}  // namespace lanescope::conclusion
