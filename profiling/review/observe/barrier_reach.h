#pragma once
// Barriers of the whole block that only a part of it reaches.
//
// Counted per thread: how often it executed each barrier of the source. All threads of a block must have reached it
// equally often when the block ends. The order of events does not matter, so the seed does not either. A worked case,
// 64 threads:
//
//   if (threadIdx.x < 32) __syncthreads();   // A: 32 threads once, 32 never: part of the block
//   q[threadIdx.x] = s[63 - threadIdx.x];
//   __syncthreads();                         // B: 64 threads once. Some pass it while others wait at A, but A is to blame
//
// Copies that the compiler made of one barrier (unrolled loops) have one place in the source, and are counted together.

#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

#include "profiling/review/observe/launch_review.h"

namespace lanescope::review {

class BarrierReach {
 public:
  explicit BarrierReach(const LaunchReview& launch);

  /// One like this, of blocks that have not begun yet; and what it has seen of them, from the step on where they began.
  BarrierReach part() const;
  void take(const BarrierReach& part, std::uint64_t first_step);

  void barrier(const trace::Where& where);
  /// Lanes that access memory: one that does so after a barrier at which others wait continues without it.
  void access(const trace::Where& where);
  void block_ends(std::uint32_t number);

  /// One place of the source, as its first block has it.
  struct Partial {
    int place = 0;
    std::uint32_t block = 0;
    std::uint64_t threads = 0, reached = 0;  ///< of that block; reached: at least once
    std::uint32_t least = 0, most = 0;       ///< times that one of its threads reached it
    bool continues = false;                  ///< in some block a thread with fewer visits accesses memory after it
    int other = -1;                          ///< place that those reach instead; -1: none
    std::uint64_t blocks = 0;                ///< in which it is so
    /// The others have ended, and no thread waits for those.
    bool harmless() const { return !continues && other < 0; }
    trace::Where first;  ///< a group of lanes that reached it
  };
  const std::vector<Partial>& partial() const { return partial_; }
  std::uint32_t pc_of(int place) const { return pcs_[static_cast<std::size_t>(place)].front(); }
  /// Two accesses that one of those barriers would order if the whole block came to it: one before it and one after it
  /// in the code, or all of them in one loop.
  bool would_order(std::uint32_t pc, std::uint32_t other_pc) const;

 private:
  struct Block {
    std::map<int, std::vector<std::uint32_t>> times;  ///< by place, then thread
    std::map<int, trace::Where> first;
    std::vector<std::uint32_t> furthest;  ///< by thread: highest pc of an access
  };
  Block& block(std::uint32_t number);
  void judge(std::uint32_t number, const Block& b, int place, const std::vector<std::uint32_t>& times);
  int instead(const Block& b, int place, const std::vector<std::uint32_t>& times) const;
  bool in_one_loop(std::uint32_t low, std::uint32_t high) const;

  const LaunchReview& launch_;
  std::uint64_t threads_ = 0;
  std::vector<int> place_of_;                                   ///< by pc; -1: no barrier of the whole block
  std::vector<std::vector<std::uint32_t>> pcs_;                 ///< by place, ascending
  std::vector<std::pair<std::uint32_t, std::uint32_t>> loops_;  ///< first and last pc
  std::unordered_map<std::uint32_t, Block> blocks_;
  std::uint32_t last_number_ = ~0u;
  Block* last_ = nullptr;
  std::vector<Partial> partial_;
};

}  // namespace lanescope::review
