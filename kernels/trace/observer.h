#pragma once
// Events emitted during execution. Recording, counting and claim checking are separate observers of the same events,
// which the emulator and GPU traces emit.

#include <cstdint>
#include <memory>
#include <span>

#include "kernels/trace/launch.h"
#include "kernels/trace/tags.h"

namespace lanescope::trace {

// Kinds of memory accesses.

enum class MemorySpace : std::uint8_t { global, shared, local, constant, param };
enum class AccessKind : std::uint8_t { load, store, atomic, reduction, async_copy };
/// Lanes that take turns at a bank in an atomic of shared memory, as the machine code has it
/// (kernels/ptx/value_numbers.h; bench/results/gpu_shared_atomics.json).
enum class AtomicTurns : std::uint8_t {
  lanes,  ///< each lane, also those at one word
  words,  ///< lanes at one word are served together
  one,    ///< one lane executes it for all, which are at one address
};
constexpr bool is_atomic(AccessKind kind) { return kind == AccessKind::atomic || kind == AccessKind::reduction; }

inline constexpr int lanes_per_warp = 32;

/// One dynamic warp instruction. Steps count warp instructions of the whole launch in the seeded serial order.
struct Where {
  std::uint64_t step = 0;
  std::uint32_t block = 0;  ///< linear: x + y*grid.x + z*grid.x*grid.y
  std::uint32_t warp = 0;   ///< in its block
  std::uint32_t pc = 0;     ///< instruction number in the entry's code
  /// Lanes that execute it (guard predicate applied). A branch is executed by all lanes there, taken by some.
  std::uint32_t active = 0;
};

/// Emitted after the on_step of its instruction. Loads carry the values read, stores and reductions the contents of
/// memory afterwards (lane by lane in ascending order where lanes access the same bytes). cp.async is two events: its
/// read and its write.
struct AccessEvent {
  Where where;
  MemorySpace space = MemorySpace::global;
  AccessKind kind = AccessKind::load;
  int width_bytes = 4;                       ///< per lane, all vector elements together
  bool read_only = false;                    ///< ld.global.nc
  bool is_run = false;                       ///< of all lanes, each where the one before it ends; false says nothing
  std::span<const std::uint64_t> addresses;  ///< 32; byte address; shared: offset in the block's shared memory
  /// width_bytes/4 rounded up, times 32: values and tags moved, word-major ([word][lane]); tags empty when off.
  std::span<const std::uint32_t> values;
  std::span<const WordTag> tags;
  /// 0 but for ldmatrix and stmatrix: 8x8 matrices of 16-bit elements moved (1, 2 or 4). Their rows count as accesses
  /// of 16 bytes each: lane l gives the address of row l % 8 of matrix l / 8, `where.active` holds those 8 * matrix
  /// lanes only (the instruction runs in all 32), and values are the rows in memory, not the contents of registers.
  int matrix = 0;
  /// Of a store: lanes whose bytes another lane of the same instruction overwrote with another value.
  std::uint32_t overwritten = 0;
  /// Of an atomic: lanes whose values are not known yet (Observer::settle).
  std::uint32_t deferred = 0;
  AtomicTurns turns = AtomicTurns::lanes;  ///< of an atomic in shared memory
  /// Of the read of a cp.async.cg: 32 offsets in shared memory to which its lanes copy; else empty.
  std::span<const std::uint64_t> destinations{};
};

struct ProbeEvent {
  Where where;
  int probe = 0, variable = 0, byte_offset = 0;
  std::span<const std::uint32_t> values;  ///< 32
  std::span<const WordTag> tags;          ///< 32; empty when tags are off
};

struct ShuffleEvent {
  Where where;
  std::span<const std::int8_t> source_lane;  ///< 32; -1: the lane did not take part
};

struct BranchEvent {
  Where where;
  std::uint32_t taken = 0;  ///< subset of where.active
};

/// Data of a buffer steers the execution: the run's verdicts hold for this input only.
struct SteerEvent {
  enum class What : std::uint8_t { branch, address, lane, select };
  Where where;
  What what = What::branch;
  std::uint32_t lanes = 0;  ///< in which data decide, among where.active
};

/// Lanes arrive at a barrier of their block. Their earlier accesses are ordered before later ones of the released
/// threads.
struct BarrierEvent {
  Where where;
  int barrier = 0;
  bool waits = true;  ///< false: bar.arrive, after which they continue at once
};

/// A barrier of a block is complete.
struct ReleaseEvent {
  std::uint32_t block = 0;
  int barrier = 0;
  std::uint64_t step = 0;                  ///< all earlier accesses of the arrived lanes have a smaller step
  std::span<const std::uint32_t> waiting;  ///< by warp: lanes that continue now
};

/// Lanes of a warp wait for each other at a `.sync` operation, and all have arrived (where.active). Emitted before the
/// operation's own step. Lanes of the operation's mask that have exited are not among them.
struct WarpSyncEvent {
  Where where;
  bool one_place = true;  ///< false: lanes are at several instructions, of which `where` has one
};

/// Lanes access shared memory of a cluster, and some of them that of another block than their own. It is no
/// AccessEvent; lanes that access their own block's are among them, as they are one instruction.
struct RemoteAccessEvent {
  AccessEvent access;                     ///< addresses: offsets in the shared memory of the lane's block below
  std::span<const std::uint32_t> blocks;  ///< 32; of active lanes: the block of the shared memory, as Where::block
};

/// Threads arrive at the barrier of their cluster (barrier.cluster), and continue after it.
struct ClusterBarrierEvent {
  enum class Kind : std::uint8_t {
    arrive,    ///< where.active arrive, and continue
    complete,  ///< all threads of the cluster of where.block have arrived or exited; of `where` only block and step hold
    pass,      ///< where.active continue after barrier.cluster.wait
  };
  Where where;
  Kind kind = Kind::arrive;
};

/// An operation of a lane on a barrier object (mbarrier) of its block, or of another one of its cluster. Emitted after
/// the operation, lane by lane.
struct BarrierObjectEvent {
  enum class Kind : std::uint8_t { init, inval, arrive, expect, complete, test };
  Where where;  ///< active: one lane
  Kind kind = Kind::init;
  std::uint32_t block = 0;    ///< of the shared memory with the object
  std::uint64_t address = 0;  ///< offset in there
  bool completes = false;     ///< the phase of the object is over with it
  bool passes = false;        ///< of a test: the phase that it requests is over
  bool copies = false;        ///< cp.async.mbarrier.arrive: it is about the lane's asynchronous copies
};

/// A lane issues a bulk copy, or stores to another block in an asynchronous way (st.async, red.async). Its accesses are
/// no AccessEvents: each is as long as the copy. One to several blocks (.multicast::cluster) is an event for each of
/// them.
struct BulkCopyEvent {
  struct Range {
    MemorySpace space = MemorySpace::global;
    std::uint64_t address = 0;  ///< as in AccessEvent
    std::uint32_t block = 0;    ///< of the shared memory
  };
  Where where;  ///< active: one lane
  Range to{}, from{};
  bool reads = true;     ///< false: it fills with zeros, or stores registers
  bool reduces = false;  ///< it also reads at `to`
  std::uint64_t bytes = 0;
  bool has_object = false;  ///< its bytes are those that a barrier object waits for
  std::uint64_t object = 0;
  std::uint32_t object_block = 0;  ///< of the shared memory with the object
};

/// A warp issues a product of matrices that it reads from shared memory (wgmma) at any time until it has waited for the
/// group of the product. Emitted after the on_step of its instruction; these reads are no AccessEvents.
struct MatrixReadEvent {
  Where where;
  std::span<const std::uint64_t> words;  ///< offsets in the block's shared memory, ascending, each once
  /// Of the elements in shared memory: the warp's own rows of A (0: A is in registers), and the whole of B, which all
  /// four warps of a group multiply.
  std::uint64_t a_bytes = 0, b_bytes = 0;
};

class Observer {
 public:
  virtual ~Observer() = default;
  virtual void on_step(const Where&) {}
  /// Steps of one warp that follow each other, in the launch and in the code: `first` is the first of them, `active` the
  /// lanes of each. The same as as many calls of on_step().
  virtual void on_steps(const Where& first, std::span<const std::uint32_t> active) {
    for (std::uint32_t i = 0; i < active.size(); ++i)
      on_step({first.step + i, first.block, first.warp, first.pc + i, active[i]});
  }
  /// Whether it needs the order in which warps of a block take turns. Otherwise steps and branches that come between other
  /// events may come warp by warp, numbered as they come.
  virtual bool needs_turns() const { return true; }
  virtual void on_access(const AccessEvent&) {}
  virtual void on_remote_access(const RemoteAccessEvent&) {}
  virtual void on_probe(const ProbeEvent&) {}
  virtual void on_shuffle(const ShuffleEvent&) {}
  virtual void on_branch(const BranchEvent&) {}
  virtual void on_steer(const SteerEvent&) {}
  virtual void on_barrier(const BarrierEvent&) {}
  virtual void on_release(const ReleaseEvent&) {}
  virtual void on_warp_sync(const WarpSyncEvent&) {}
  virtual void on_cluster_barrier(const ClusterBarrierEvent&) {}
  virtual void on_barrier_object(const BarrierObjectEvent&) {}
  virtual void on_bulk_copy(const BulkCopyEvent&) {}
  virtual void on_matrix_read(const MatrixReadEvent&) {}
  /// An observer for some blocks that follow each other, which may run beside others on other threads: it receives them
  /// as this one would be, but steps count from the first of its blocks, and is handed to take() when they have their
  /// turn. In the end this observer has to be in the same state as after receiving all events itself, in their order.
  /// nullptr: it has to receive them itself, and blocks run one after the other. Several threads may call this at the
  /// same time, while it receives no events.
  virtual std::unique_ptr<Observer> part() const { return nullptr; }
  /// `part` is one of part() and has received its blocks, the first of which began at `first_step`.
  virtual void take(Observer& /*part*/, std::uint64_t /*first_step*/) {}
  /// Whether take() can accept this part; called in the turn of its blocks, before anything is taken. false: the blocks
  /// run again.
  virtual bool can_take(const Observer& /*part*/) const { return true; }
  /// Of a part: it may take so much memory. Beyond that, it cannot be taken.
  virtual void keep_to(std::size_t /*bytes*/) {}
  virtual std::size_t part_bytes() const { return 0; }
  /// When it needs the values of atomics and reductions (AccessEvent::values). Where the kernel does not read the
  /// result of one, it need not wait for those of other blocks, unless an observer needs the value at once.
  enum class Atomics : std::uint8_t { never, in_turn, at_once };
  virtual Atomics needs_atomics() const { return Atomics::at_once; }
  /// Of a part that needs them in its turn: the values that memory held after them, in the order of the events, and
  /// lane by lane (AccessEvent::deferred). Comes before take().
  virtual void settle(std::span<const std::uint64_t> /*values*/) {}
  /// Of a part in a run with identities: their numbers in the pool of the launch. Comes before take().
  virtual void renumber(const TagPool::Renumbered& /*numbers*/) {}
  /// A block has ended, or will not continue. `steps`: warp instructions that it executed.
  virtual void on_block_end(std::uint32_t /*block*/, std::uint64_t /*steps*/) {}
};

}  // namespace lanescope::trace
