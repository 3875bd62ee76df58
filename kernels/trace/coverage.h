#pragma once
// Which blocks of a launch ran, where a limit ended it before all of them had.

#include <cstdint>
#include <string>
#include <vector>

namespace lanescope::trace {

/// A launch is cut between blocks: those that run, run whole. Blocks run in their order until a limit is reached; then
/// the requested one, the last one and some spread evenly over the rest run, since the last blocks make the mistakes at
/// the end of an array. Only a block that runs for very long, or waits for one that will not run, is left midway.
struct Coverage {
  enum class Ended : std::uint8_t {
    whole,  ///< every block ran
    time,   ///< the time that there was
    steps,  ///< the limit of warp instructions
    asked,  ///< the requested number of blocks
  };
  Ended ended = Ended::whole;
  std::uint64_t blocks = 0;           ///< of the launch
  std::uint64_t in_order = 0;         ///< that ran in the order of the schedule: with seed 1, blocks 0 to in_order - 1
  std::vector<std::uint32_t> others;  ///< that ran beyond those, in the order in which they did
  std::uint64_t midway = 0;           ///< of those that ran: left before their end
  std::uint64_t grids_left = 0;       ///< that its kernels launched, and that did not run or not whole
  std::uint64_t ran() const { return in_order + others.size(); }
  bool whole() const { return ended == Ended::whole; }
  bool operator==(const Coverage&) const = default;
};

/// "81 of 4096 blocks ran" or, where some were left, "81 of 4096 blocks ran, 2 of them not to their end".
std::string words_of(const Coverage& coverage);

}  // namespace lanescope::trace
