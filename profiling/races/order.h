#pragma once
// The clocks of a happens-before check: accesses that happen before the current step of a thread.
//
// Edges: program order of a thread; barriers of a block (all, named, counted, bar.arrive), from each thread that
// arrived to each that is released; `.sync` operations of a warp, between their lanes; fence and strong write, to the
// readers of the written value (instruction.h). Lockstep of the emulator's lanes orders nothing. A thread that has
// exited counts as arrived at every later barrier that waits for all, as on hardware.
//
// The barrier of a cluster orders accesses before an arrival before accesses of others after their wait. A thread that
// arrives with .relaxed waits, too, but orders only accesses before an earlier fence.
//
// Barrier objects (mbarrier) order threads that arrive in a phase before threads that see the phase complete. Copies
// that such an object waits for write outside the program order of all threads: as an agent, a further warp of the
// block with a lane for each object, which is ordered before the threads that see the phase complete. (A thread that
// waits by a group for copies that are attached to an object as well is ordered after all copies of the object, those
// of other threads included.)
//
// Time is the step of the whole launch. A block keeps the step of its last barrier of all threads, a warp that of its
// last operation with all its lanes; both decide nearly every pair with one comparison. Only order beyond that is kept
// thread by thread (Known, below).

#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "kernels/trace/launch.h"
#include "kernels/trace/observer.h"
#include "profiling/races/instruction.h"

namespace lanescope::races {

// Order of a thread after others: for each of them the step up to which its accesses happen before the next step of
// this thread.
//
// Threads are numbered through the grid, and steps are those of the whole launch, so that "up to which step" is one
// number for each thread, and threads next to each other mostly share it. A worked case, blocks of 32 threads: block 0
// wrote, and its thread 0 executed a fence and an atomic at step 90; a thread of block 1 that read the atomic's value
// has
//
//   threads 0..31   accesses of steps below 90          (ranges: [0, 32) -> 90)
//
// An access of thread t at step s happens before the current step of this thread if s < before(t). Ranges are values
// that many threads share: after a barrier all threads of a block point to the same ones.

struct Range {
  std::uint64_t first = 0, end = 0;  ///< threads [first, end)
  std::uint64_t before = 0;          ///< steps below this are known
};
using Ranges = std::vector<Range>;  ///< ascending, disjoint
/// Null: nothing is known.
using Known = std::shared_ptr<const Ranges>;

/// 0: nothing of this thread is known.
std::uint64_t known_before(const Known& known, std::uint64_t thread);

/// The most that any of the ranges has, in any order and overlapping.
Ranges united(Ranges ranges);

/// Ranges collected from several, to be united at once.
class Gathering {
 public:
  void add(const Range& range) { ranges_.push_back(range); }
  /// The same value is added once.
  void add(const Known& known);
  bool empty() const { return ranges_.empty() && whole_.empty(); }
  /// Makes one of several values, where many were added.
  void compact() {
    if (whole_.size() > 64) add(take());
  }
  /// Null where nothing was added; the very value that was added where it was the only one.
  Known take();

 private:
  Ranges ranges_;
  std::vector<Known> whole_;
};

class Order {
 public:
  struct Warp {
    std::uint32_t live = 0;
    std::uint64_t floor = 0;                                 ///< steps below it are known among the lanes
    std::unique_ptr<std::array<std::uint64_t, 1024>> lanes;  ///< [knowing lane][lane], beyond that
    struct Parts {
      std::array<Known, 32> known;  ///< of any thread, beyond that
      /// Accesses that a fence has made ready for release, by its scope and those below: block, cluster, device.
      std::array<std::array<Known, 32>, 3> fenced;
      std::array<Known, 32> taken;         ///< the last release that was taken over
      std::array<Known, 32> fenced_inits;  ///< before a fence for barrier objects that were made
      /// After barriers of the cluster: what would be known if no thread had arrived relaxed, and which barrier objects
      /// made.
      std::array<Known, 32> unrelaxed, inits;
    };
    bool knows = false, fenced = false;  ///< some of known, of fenced
    std::unique_ptr<Parts> kept;         ///< there, where has or fenced
    Parts& parts() {
      if (kept == nullptr) kept = std::make_unique<Parts>();
      return *kept;
    }
  };
  struct Barrier {
    std::vector<std::uint32_t> came;  ///< by warp: lanes that arrived without waiting
    Gathering known;
    std::array<Gathering, 3> fenced;
    bool arrivals = false, counts = false;
  };
  struct Block {
    std::uint32_t number = 0;
    std::uint64_t threads = 0;
    std::uint64_t floor = 0;  ///< steps below it are known in the whole block
    std::vector<std::uint64_t> floors;
    std::vector<Warp> warps;
    std::uint64_t living = 0;
    std::array<Barrier, 16> barriers;
    struct Object {
      Gathering arriving;  ///< in the current phase
      Known done;          ///< of the last one that is over
      Gathering of_block;  ///< of those who arrive, threads of the block with the object; where clusters are used
      Known done_of_block;
      /// Order that their fences have made ready, as in Warp::Parts; of all arriving threads, and of the block's own.
      std::array<Gathering, 3> fenced, fenced_of_block;
      std::array<Known, 3> done_fenced, done_fenced_of_block;
      bool others = false, had_others = false;  ///< of other blocks arrive; arrived in the last phase
      int lane = -1;                            ///< of the agent; -1: none yet
    };
    std::unordered_map<std::uint64_t, Object> objects;  ///< by place in shared memory
    unsigned agents = 0;                                ///< lanes of the agent that objects have
  };

  /// `clusters`: blocks of a cluster are ordered among each other.
  explicit Order(const trace::Launch& launch, bool clusters = false) : launch_(&launch), clusters_used_(clusters) {}
  /// Later blocks belong to this launch, and `known` happens before all of its threads, as if a fence followed it: a
  /// launch makes earlier accesses visible to the device.
  void begin(const trace::Launch& launch, Known known) {
    launch_ = &launch;
    start_ = std::move(known);
  }
  /// Everything that happens before the next step of a lane, its own steps included.
  Known all_known(const trace::Where& where, std::size_t lane);
  /// Collects what happens before the exits of threads; of their own launch it is not complete.
  void collect_at_exit(Gathering* into) { at_exit_ = into; }

  /// Opens it where it is new.
  Block& block(std::uint32_t number);
  /// `counts`: it waits for a number of threads.
  void came(const trace::BarrierEvent& event, bool counts);
  void released(const trace::ReleaseEvent& event);
  void warp_synced(const trace::Where& where);
  /// All lanes execute an instruction together, and continue together.
  void together(trace::Where where) {
    ++where.step;
    warp_synced(where);
  }
  void fence(const trace::Where& where, Scope scope);
  void cluster(const trace::ClusterBarrierEvent& event, bool relaxed);
  void fence_inits(const trace::Where& where);
  // `block` is the one whose shared memory the object is in; the lane may be of another one of the cluster.
  /// An arriving thread is ordered after this, too.
  void arrive_knowing(Block& block, std::uint64_t object, const Range& range);
  /// Semantics of an arrival or wait: relaxed, it passes on only accesses before a fence; with the scope of a block, it
  /// orders only threads of its own block.
  void arrive(Block& block, const trace::Where& where, std::size_t lane, std::uint64_t object, const Instruction& how);
  void see_phase(Block& block, const trace::Where& where, std::size_t lane, std::uint64_t object,
                 const Instruction& how);
  /// Threads of other blocks arrived in the last phase.
  bool phase_had_others(const Block& block, std::uint64_t object) const {
    const auto at = block.objects.find(object);
    return at != block.objects.end() && at->second.had_others;
  }
  /// The agent's lane for an object.
  std::size_t agent_lane(Block& block, std::uint64_t object);
  /// A lane has waited itself for what the agent did up to a step.
  void know_agent(Block& block, const trace::Where& where, std::size_t lane, std::size_t agent_lane);
  /// `step`: all that the object waited for is done before the next one. Returns the agent's lane.
  std::size_t phase_over(Block& block, std::uint64_t object, std::uint64_t step);
  static constexpr std::uint32_t agent() { return most_warps; }
  static constexpr bool is_agent(std::uint32_t warp) { return warp >= most_warps; }
  /// True: it was the block's last thread, and the block is closed.
  bool exited(const trace::Where& where);

  /// Order that an atomic or strong write leaves at its place for its readers. `place` is a key of the caller's.
  void release(Block& block, const trace::Where& where, std::size_t lane, std::uint64_t place, const Instruction& how);
  /// How far a strong write is itself in order for who reads it, by a fence before it: not, or in the block, the
  /// cluster, the device. (.release needs none: there the write is part of what is released.)
  Scope released(const Block& block, const trace::Where& where, std::size_t lane, const Instruction& how) const;
  /// A plain write: who reads the place from now on does not read the release.
  void forget(std::uint64_t place);
  bool has_releases() const { return !releases_.empty(); }
  void acquire(Block& block, const trace::Where& where, std::size_t lane, std::uint64_t place, const Instruction& how);
  /// A strong write at a place, and how far it is released.
  struct Released {
    std::uint32_t block = 0, warp = 0;
    std::size_t lane = 0;
    std::uint64_t step = 0;
    Scope scope = Scope::none;
  };
  /// Whether a thread has read it, or the result of an atomic on it, before what a lane of `block` does now: the last
  /// block of a reduction sets the counter back that all blocks have counted with. A fence releases only what comes
  /// before it, so the clocks do not show this of the counting itself.
  bool read_before(std::uint64_t place, const Released& write, const Block& block, std::uint32_t my_warp,
                   std::size_t my_lane) const;

  /// Whether what `thread` of block `number` did at `step` happens before what a lane of `block` does now.
  bool before(std::uint32_t number, std::uint32_t warp, std::size_t lane, std::uint64_t step, const Block& block,
              std::uint32_t my_warp, std::size_t my_lane) const;
  /// The same of a barrier object that was made: fences for those count as well.
  bool made_before(std::uint32_t number, std::uint32_t warp, std::size_t lane, std::uint64_t step, const Block& block,
                   std::uint32_t my_warp, std::size_t my_lane) const;
  /// They would be in order if no thread had arrived relaxed at the last barrier of the cluster.
  bool before_unrelaxed(std::uint32_t number, std::uint32_t warp, std::size_t lane, std::uint64_t step,
                        const Block& block, std::uint32_t my_warp, std::size_t my_lane) const;
  /// Some thread of block `number` has begun before what a lane of `block` does now.
  bool begun(std::uint32_t number, const Block& block, std::uint32_t my_warp, std::size_t my_lane) const;
  std::uint32_t cluster_of(std::uint32_t block) const {
    return clusters_used_ ? trace::cluster_place(*launch_, block).cluster : block;
  }
  std::uint32_t rank_of(std::uint32_t block) const {
    return clusters_used_ ? trace::cluster_place(*launch_, block).rank : 0;
  }
  /// The block of a rank in the cluster of another one.
  std::uint32_t block_of_rank(std::uint32_t other, std::uint32_t rank) const {
    return clusters_used_ ? trace::block_at(*launch_, {cluster_of(other), rank}) : other;
  }

  /// Numbers of a block's threads, then those of the agent.
  static constexpr std::uint64_t block_threads = 33 * 32;
  static constexpr std::uint64_t thread(std::uint32_t block, std::uint32_t warp, std::size_t lane) {
    return block * block_threads + warp * 32 + lane;
  }

 private:
  struct Release {
    std::array<Known, 3> known;  ///< to the block, the cluster, the device of who released it
    std::uint32_t block = 0, cluster = 0;
    std::array<std::uint64_t, 3> since{};  ///< step of the first write that is still released, to these three
    /// Who has taken it over, the last ones.
    struct Reader {
      std::uint32_t block = 0, warp = 0, cluster = 0;
      std::size_t lane = 0;
      std::uint64_t step = 0;
      std::array<std::uint64_t, 3> since{};  ///< as it was then
      Scope scope = Scope::none;
    };
    static constexpr std::size_t most_readers = 16;
    std::vector<Reader> readers{};
    std::size_t next_reader = 0;
  };
  /// Of a cluster: what comes to its barrier in this phase, and what happens before those that pass it.
  struct Cluster {
    Gathering arriving, unrelaxed, inits;
    std::array<Gathering, 3> fenced;
    Known done, done_unrelaxed, done_inits;
    std::array<Known, 3> done_fenced;
    bool relaxed = false;  ///< a thread arrived so
    std::uint64_t ended_blocks = 0;
  };
  void arrive_at_cluster(const trace::Where& where, bool relaxed);
  void pass_cluster(const trace::Where& where);
  /// All that happens before a lane, itself included up to `now`.
  void gather(const Block& b, std::uint32_t warp, std::size_t lane, std::uint64_t now, Gathering& into) const;
  void know(Warp& w, std::size_t lane, Known known);

  static constexpr std::uint32_t most_warps = 32;

  const trace::Launch* launch_;
  bool clusters_used_ = false;
  std::unordered_map<std::uint32_t, Cluster> clusters_;
  Known start_;
  Gathering* at_exit_ = nullptr;
  std::unordered_map<std::uint32_t, Block> blocks_;
  std::uint32_t last_number_ = 0;
  Block* last_ = nullptr;
  std::unordered_map<std::uint64_t, Release> releases_;
};

}  // namespace lanescope::races
