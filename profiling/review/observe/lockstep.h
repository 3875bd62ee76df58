#pragma once
// Lanes that wait for another lane of their own warp: a lock that lanes of one warp compete for, a flag between two
// lanes.
//
// Since compute capability 7.0 each lane has its own program counter, and the one that is waited for continues. Before,
// lanes of a warp ran in lockstep, and after they diverged one side ran until the point of reconvergence, which is
// after the loop in which the others poll: no lane would ever have continued. A worked case:
//
//   while (atomicCAS(&lock, 0, 1) != 0) {}   // lane 0 leaves the loop and waits for the others after it
//   count += 1;
//   atomicExch(&lock, 0);                    // which wait for this
//
// Seen is: lanes read one location again and again in a loop, with the same value, and meanwhile another lane of the
// warp writes there, by an instruction outside of the loop.

#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "profiling/review/observe/launch_review.h"

namespace lanescope::review {

class Lockstep {
 public:
  explicit Lockstep(const LaunchReview& launch);

  /// One like this, of blocks that have not begun yet; and what it has seen of them, from the step on where they began.
  Lockstep part() const;
  void take(const Lockstep& part, std::uint64_t first_step);

  void access(const trace::AccessEvent& event);
  void block_ended(std::uint32_t block);
  /// It reads the values of this access.
  bool reads_value(std::uint32_t pc) const { return some_ && pc < polls_.size() && polls_[pc]; }

  /// One for each pair of instructions.
  struct Wait {
    trace::Where polls, writes;
    int writer = 0;  ///< lane
    trace::MemorySpace space = trace::MemorySpace::global;
    std::uint64_t address = 0;
  };
  const std::vector<Wait>& waits() const { return waits_; }

 private:
  struct Poll {
    trace::Where where;
    trace::MemorySpace space = trace::MemorySpace::global;
    std::uint64_t address = 0;
    std::uint32_t value = 0, times = 0;
  };
  bool outside_of_its_loops(std::uint32_t pc, std::uint32_t poll_pc) const;
  void poll(const trace::AccessEvent& event);
  void write(const trace::AccessEvent& event);

  std::vector<bool> polls_;  ///< by pc: a strong or volatile load, or an atomic, in a loop
  bool some_ = false;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> loops_;                                    ///< first and last pc
  std::unordered_map<std::uint32_t, std::unordered_map<std::uint32_t, std::vector<Poll>>> open_;  ///< by block, by warp
  std::vector<Wait> waits_;
};

}  // namespace lanescope::review
