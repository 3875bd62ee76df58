#pragma once
// Shared memory and barriers: which barriers ordered nothing. (Races are found elsewhere: profiling/races.)
//
// Time inside a block is cut into epochs by the barriers that all its living threads pass: two accesses of different
// warps are in order only if their epochs differ. (Barriers that only a part of the threads reaches: BarrierReach.)
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
#include <utility>
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
