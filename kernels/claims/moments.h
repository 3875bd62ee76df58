#pragma once
// The contents of any group of variables just after any probe, from the log of a block: each variable as the last probe
// before that moment saw it.

#include <cstdint>
#include <map>
#include <span>
#include <tuple>
#include <vector>

#include "kernels/claims/check.h"

namespace lanescope::claims {

class Moments {
 public:
  explicit Moments(const BlockLog& log);
  std::size_t entries() const { return count_; }
  /// How often some lane of the block came to the probe.
  std::uint32_t iterations(int probe) const;
  /// Empty where the probe did not run in that iteration. Lanes that did not run it are left out.
  Snapshot at(const BlockLog& log, int probe, std::uint32_t block, std::uint32_t iteration,
              std::span<const ProbeWords::Word> words) const;

 private:
  struct Moment {
    std::uint64_t step = 0;
    std::uint32_t mask = 0;
    std::uint32_t pc = 0;
  };
  std::size_t count_ = 0;
  std::map<std::pair<int, std::uint32_t>, std::map<std::uint32_t, Moment>> moments_;  ///< (probe, iteration) -> warp
  std::map<std::tuple<int, int, std::uint32_t>, std::vector<std::uint32_t>>
      words_;  ///< (variable, offset, warp) -> entries
  std::map<int, std::uint32_t> iterations_;
};

}  // namespace lanescope::claims
