#pragma once
// Loads of shared memory that nothing has written: such bytes hold what an earlier block, or another kernel, has left.
//
// One bit for each byte of shared memory of the blocks that run at the moment, set by stores, atomics and asynchronous
// copies. An atomic reads before it writes; an exchange does not depend on what it reads. What a load reads besides (the
// padding of a structure, a neighbour that no lane uses) is told as well: the run does not know what a value is for.

#include <array>
#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

#include "profiling/review/review.h"

namespace lanescope::review {

class UnwrittenShared {
 public:
  explicit UnwrittenShared(const LaunchReview& launch);

  void access(const trace::AccessEvent& event);
  void block_ends(std::uint32_t block) {
    blocks_.erase(block);
    last_ = nullptr;
  }

  /// What one instruction read that nothing had written.
  struct Reading {
    std::uint64_t accesses = 0, unwritten = 0;  ///< warp instructions, and those of them that read such bytes
    trace::Where first;
    std::uint32_t lanes = 0;  ///< of the first one
    int width_bytes = 4;
    std::array<std::uint64_t, 32> addresses{};  ///< of the first one
  };
  /// By pc, also of instructions that read written bytes only.
  const std::map<std::uint32_t, Reading>& readings() const { return readings_; }

 private:
  using Bits = std::vector<std::uint64_t>;
  std::unordered_map<std::uint32_t, Bits> blocks_;
  std::uint32_t last_number_ = 0;
  Bits* last_ = nullptr;  ///< of last_number_
  std::map<std::uint32_t, Reading> readings_;
  std::vector<bool> exchanges_;  ///< by pc
};

}  // namespace lanescope::review
