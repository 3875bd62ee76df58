#pragma once
// Shared memory and barriers: which barriers ordered nothing. (Races are found elsewhere: profiling/races.)
//
// Time inside a block is cut into epochs by the barriers that all its living threads pass: two accesses of different
// warps are in order only if their epochs differ. (Barriers that only a part of the threads reaches: barrier_reach.h.)
// A worked case, one word, warps A and B:
//
//   epoch 0: A writes.   barrier 1.   epoch 1: B reads.   barrier 2.   epoch 2: C reads.
//
// A and B conflict across barrier 1, which is needed. B and C both only read, so barrier 2 is not needed for them; A's
// write and C's read are ordered by barrier 1 already. A pair more than one epoch apart needs one of the barriers
// between: the last one is charged only if none of them is needed for a pair of its own.
//
// A barrier between threads of one warp counts as needed. Launches that order warps by other means (named or partial
// barriers, mbarriers, flags in shared memory read by volatile loads) are not judged.

#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

#include "profiling/review/observe/launch_review.h"

namespace lanescope::review {

/// One of two conflicting accesses.
struct Touch {
  std::int32_t thread = -1;  ///< in its block; -1: none
  std::int32_t epoch = -1;
  std::uint32_t pc = 0;
  std::uint64_t step = 0;
};

class SharedOrder {
 public:
  explicit SharedOrder(const LaunchReview& launch);

  /// One like this, of blocks that have not begun yet; and what it has seen of them, from the step on where they began.
  SharedOrder part() const;
  void take(const SharedOrder& part, std::uint64_t first_step);

  void access(const trace::AccessEvent& event);
  void barrier(const trace::Where& where);
  void lanes_exit(std::uint32_t number, std::uint32_t warp, std::uint32_t lanes);

  bool judged() const { return judged_; }
  /// Barriers that a block has passed so far; -1 where the launch is not judged.
  std::int32_t epoch(std::uint32_t number);
  struct BarrierUse {
    std::uint64_t times = 0, needed = 0;
    trace::Where last;
  };
  const std::map<std::uint32_t, BarrierUse>& barriers() const { return barriers_; }  ///< by pc
  bool may_call_unneeded() const { return judged_ && !global_exchange_; }
  /// A buffer is both written and read: a barrier may order that.
  void note_global(int buffer, bool writes);

 private:
  struct Word {
    Touch write, other_write;  ///< other_write: the last one before it by another warp, of the same epoch
    std::uint32_t write_value = 0;
    bool atomic = false;
    Touch read, other_read;  ///< of one epoch, by different threads; other_read prefers another warp
    Touch older_read;        ///< of an earlier epoch
  };
  struct Crossing {
    std::uint32_t pc = 0;
    bool needed = false;
  };
  struct Block {
    std::vector<Word> words;
    std::int32_t epoch = 0;
    std::vector<std::uint32_t> arrived, live;  ///< by warp
    std::uint64_t waiting = 0, living = 0;     ///< threads
    trace::Where last_arrival;
    std::vector<Crossing> crossings;  ///< crossings[e]: between epochs e and e + 1
    std::map<std::pair<int, int>, bool> far_pairs;
  };

  Block& block(std::uint32_t number);
  void word(Block& b, std::uint64_t unit, const Touch& touch, bool writes, bool atomic, std::uint32_t value);
  void add_pair(Block& b, const Touch& before, const Touch& now);
  void complete(Block& b);
  void finish(std::uint32_t number);

  const LaunchReview& launch_;
  bool judged_ = true, global_exchange_ = false;
  unsigned unit_bytes_ = 4;
  std::unordered_map<std::uint32_t, Block> blocks_;
  std::uint32_t last_number_ = 0;
  Block* last_ = nullptr;
  std::map<std::uint32_t, BarrierUse> barriers_;
  std::vector<std::uint8_t> buffer_use_;
  std::vector<bool> votes_;  ///< by pc: the barrier returns a value, so it is needed
};

}  // namespace lanescope::review
