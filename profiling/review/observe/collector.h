#pragma once
// Watches the plain run and keeps, in little memory, what the rules need: per memory instruction its cost in total and
// at worst, with the worst access itself; which loads could be one; where lanes diverge; which barriers order accesses;
// races; and, for buffers whose pointer offsets carry comments, every address; the writers of each element of each
// buffer; barriers to which only part of a block comes.
//
// Data that grow with the launch keep to a budget (Budget): addresses of commented pointers are kept for as many blocks as
// fit, and watched_blocks() says how many; a buffer whose table of writers does not fit is not watched, and its summary
// says so. Everything else is kept per instruction, or for the blocks that run at the moment.

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "kernels/trace/event_log.h"
#include "profiling/access/access.h"
#include "profiling/races/races.h"
#include "profiling/review/observe/incoherent_reads.h"
#include "profiling/review/observe/launch_review.h"
#include "profiling/review/observe/shared_order.h"
#include "profiling/review/observe/write_table.h"
#include "profiling/uninitialised/loads.h"

namespace lanescope::review {

/// All accesses of one instruction to one space. Atomics are not among them.
struct AccessTotals {
  std::uint32_t pc = 0;
  int buffer = -1;                 ///< of the worst access; -1: shared memory, or none of the launch's buffers
  std::uint64_t bad_accesses = 0;  ///< global: not entire lines; shared: with bank conflicts; constant: with replays
  access::Sum sum;
  // the worst access
  trace::Where worst;
  std::uint64_t worst_excess = 0;  ///< unrequested bytes, bank conflicts or replays
  access::Access access;
  access::Cost cost;

  /// Sums of both, and the worst access of either.
  void add(const AccessTotals& other);
};

/// Atomics of one instruction whose lanes a warp could combine (combinable_atomics).
struct AtomicTotals {
  std::uint64_t executions = 0, updates = 0;
  std::uint64_t spread = 0;  ///< executions whose lanes are at several addresses
  // the execution with the most lanes
  int buffer = -1;  ///< -1: shared memory, or none of the launch's buffers
  trace::Where worst;
  access::Access access;

  void add(const AtomicTotals& other);
};

/// A load or store of at most 4 bytes a lane beside the first one of its kind in the same straight piece of code.
struct Neighbour {
  std::uint32_t pc = 0, leader = 0;
  trace::AccessKind kind = trace::AccessKind::load;
  int width_bytes = 4;
  int buffer = -1;         ///< of the launch; in_shared: shared memory
  std::uint32_t mask = 0;  ///< active lanes of `first`
  bool constant = true;    ///< the same distance to the leader in every lane, at every time
  std::int64_t distance_bytes = 0;
  std::uint64_t times = 0;
  static constexpr int in_shared = -2;
  // of a leader:
  std::uint32_t residues = 0;       ///< which addresses modulo 16 occurred
  bool consecutive = true;          ///< all 32 lanes, one after the other
  std::uint32_t base_residues = 0;  ///< the same of lane 0 alone
  trace::Where first;
  std::array<std::uint64_t, 32> addresses{};  ///< of `first`
};

/// Accesses outside of the shared array whose address they are computed from, inside shared memory.
struct Overrun {
  std::uint32_t pc = 0;
  int variable = -1;        ///< of LaunchReview::shared
  std::uint64_t times = 0;  ///< lanes
  trace::Where first;
  int lane = 0;
  access::Access access;  ///< the first one
};

/// Where lanes diverge, and for how long.
struct Divergence {
  std::uint64_t times = 0;         ///< divergent executions
  std::uint64_t instructions = 0;  ///< warp instructions until lanes reconverged
  std::uint64_t idle_lanes = 0;    ///< summed over those
  /// One warp of a block at a time is divided, in two runs of lanes: at the border between threads that work and
  /// threads that do not, as in `if (thread < n)`. No other choice of threads would divide fewer warps.
  bool at_border = true;
  trace::Where first;
};

/// One access to a watched buffer, `bytes` at base + lane*stride for each active lane, or at its own places.
struct Reach {
  std::uint32_t block = 0, pc = 0, mask = 0;
  std::uint8_t warp = 0, width_bytes = 0;
  bool writes = false;
  std::int32_t irregular = -1;  ///< index of its 32 offsets in AccessCollector::irregular()
  std::int64_t base = 0, stride = 0;
};

/// Bytes that one launch's review may take.
struct Budget {
  std::size_t addresses = std::size_t{128} << 20;  ///< Reach and what belongs to it
  std::size_t writers = std::size_t{256} << 20;    ///< WriteTable, until the launch ends
  std::size_t races = races::RaceObserver::default_budget;
  std::size_t incoherent = std::size_t{64} << 20;  ///< IncoherentReads, until the launch ends
};

class AccessCollector final : public trace::Observer {
 public:
  /// `watched`: buffers whose every address is kept. `unwritten`: unwritten bytes of the buffers, brought up
  /// to date as the launch writes; may be nullptr. Both references must outlive the collector.
  explicit AccessCollector(const LaunchReview& launch, const std::vector<int>& watched = {}, Budget budget = {},
                           uninitialised::UnwrittenBytes* unwritten = nullptr);
  /// Before the launch. `like`, by block: an earlier one that accesses shared memory as it does, lane by lane and without
  /// a race; itself where there is none. Once that one has ended, its accesses count for both, and those of the other
  /// are not looked at.
  void repeat(std::vector<std::uint32_t> like);
  void on_step(const trace::Where&) override;
  void on_access(const trace::AccessEvent&) override;
  void on_branch(const trace::BranchEvent&) override;
  void on_barrier(const trace::BarrierEvent&) override;
  void on_release(const trace::ReleaseEvent&) override;
  void on_shuffle(const trace::ShuffleEvent&) override;
  void on_barrier_object(const trace::BarrierObjectEvent&) override;
  void on_bulk_copy(const trace::BulkCopyEvent&) override;
  void on_matrix_read(const trace::MatrixReadEvent& event) override {
    has_no_part();
    races_.on_matrix_read(event);
  }
  void on_cluster_barrier(const trace::ClusterBarrierEvent& event) override {
    has_no_part();
    races_.on_cluster_barrier(event);
  }
  void on_remote_access(const trace::RemoteAccessEvent& event) override {
    has_no_part();
    races_.on_remote_access(event);
    loads_.on_remote_access(event);
  }
  void on_warp_sync(const trace::WarpSyncEvent&) override;
  // Blocks that run beside others (collector_parts.cpp)
  std::unique_ptr<trace::Observer> part() const override;
  bool can_take(const trace::Observer& part) const override;
  void take(trace::Observer& part, std::uint64_t first_step) override;
  void keep_to(std::size_t bytes) override;
  Atomics needs_atomics() const override { return Atomics::in_turn; }
  void settle(std::span<const std::uint64_t> values) override;
  std::size_t part_bytes() const override;
  /// The launch has ended: computes the sums.
  void launch_ended();

  /// By pc.
  const std::map<std::pair<std::uint32_t, trace::MemorySpace>, AccessTotals>& totals() const { return totals_; }
  const std::map<std::uint32_t, AtomicTotals>& atomics() const { return atomics_; }     ///< by pc
  const std::map<std::uint32_t, Neighbour>& neighbours() const { return neighbours_; }  ///< by pc
  /// By pc: number of the straight piece of code that it belongs to; an atomic or a barrier begins one.
  const std::vector<int>& pieces() const { return piece_; }
  const std::map<std::uint32_t, Divergence>& divergences() const { return divergences_; }  ///< by pc of the branch
  const std::map<std::uint32_t, Overrun>& overruns() const { return overruns_; }           ///< by pc
  const SharedOrder& order() const { return order_; }
  std::uint64_t instructions() const { return instructions_; }
  const std::map<int, std::vector<Reach>>& reaches() const { return reaches_; }  ///< by buffer
  const std::vector<std::array<std::int64_t, 32>>& irregular() const { return irregular_; }
  /// False: reaches() are those of the first watched_blocks() blocks that ended, as more would have passed the budget.
  bool all_blocks_watched() const { return !truncated_; }
  std::uint64_t watched_blocks() const { return ended_blocks_; }
  std::size_t address_bytes() const { return address_bytes_; }
  const Budget& budget() const { return budget_; }
  const BarrierReach& barriers() const { return barriers_; }
  const WriteTable& writes() const { return writes_; }
  const races::RaceObserver& races() const { return races_; }
  /// Some load may have read unwritten memory.
  bool reads_unwritten() const { return loads_.any(); }
  const Lockstep& lockstep() const { return lockstep_; }
  const IncoherentReads& incoherent() const { return incoherent_; }

 private:
  struct WarpState {
    std::uint32_t live = 0;
    std::int64_t diverged_at = -1;  ///< pc of the last divergent branch, -1: together
    std::map<std::uint32_t, std::pair<std::uint32_t, std::array<std::uint64_t, 32>>> leaders;  ///< by leader pc
  };
  /// Of the accesses of one instruction to shared memory, in a block that others repeat: as much as each of them adds.
  struct SharedCounts {
    access::Sum sum;
    std::uint64_t bad_accesses = 0;
    std::uint64_t executions = 0, updates = 0, spread = 0;  ///< AtomicTotals
    std::uint64_t neighbours = 0, overruns = 0;             ///< times
  };
  using CountsByPc = std::map<std::uint32_t, SharedCounts>;
  struct BlockState {
    bool skips = false;            ///< its accesses to shared memory: those of a block that has ended count for them
    CountsByPc* counts = nullptr;  ///< nullptr: no block repeats it
    std::vector<WarpState> warps;
    std::uint64_t living = 0;
    std::map<std::uint32_t, std::pair<std::int32_t, std::uint32_t>> divided;  ///< by pc: epoch and warp
  };
  /// Of an access that other blocks repeat; nullptr: none does.
  SharedCounts* repeated(const trace::AccessEvent& event) {
    if (like_ == nullptr || event.space != trace::MemorySpace::shared || last_block_->counts == nullptr) return nullptr;
    return &(*last_block_->counts)[event.where.pc];
  }
  void add_repeated();

  struct OfBlocks {};
  AccessCollector(const AccessCollector& whole, OfBlocks);
  class InTurn;
  void keep_for_later(const trace::AccessEvent& event);
  static void take_totals(AccessTotals& t, AccessTotals theirs, std::uint64_t first_step);
  static void take_neighbour(Neighbour& n, const Neighbour& theirs, std::uint64_t first_step);
  void has_no_part() {
    if (later_ != nullptr) later_->unknown = true;
  }

  WarpState& warp(const trace::Where& where);
  void leave(const trace::Where& where);
  int buffer_of(std::uint64_t address) const;
  bool in_library(int buffer) const { return buffer >= 0 && launch_.buffers[static_cast<std::size_t>(buffer)].library; }
  void global(const trace::AccessEvent& event, int buffer);
  void count(const trace::AccessEvent& event, int buffer);
  void count_atomic(const trace::AccessEvent& event, int buffer);
  /// Passes an access to `races_`, without the lanes that discard what they load.
  void pass_to_races(const trace::AccessEvent& event);
  void neighbour(const trace::AccessEvent& event, int buffer);
  void reach(const trace::AccessEvent& event, int buffer);
  void find_variables();
  void overrun(const trace::AccessEvent& event);
  void find_pieces();
  void forget_unfinished();

  const LaunchReview& launch_;
  std::vector<int> piece_;
  std::vector<bool> beside_;  ///< by pc: a plain access, not the only one of its piece
  std::vector<bool> predicated_, exits_;
  std::vector<bool> combinable_;  ///< by pc
  std::vector<bool> watched_;     ///< by buffer
  Budget budget_;
  std::size_t address_bytes_ = 0;
  std::uint64_t ended_blocks_ = 0;  ///< while addresses were kept
  std::map<std::pair<std::uint32_t, trace::MemorySpace>, AccessTotals> totals_;
  std::map<std::uint32_t, AtomicTotals> atomics_;
  std::map<std::uint32_t, Neighbour> neighbours_;
  std::map<std::tuple<int, int, trace::AccessKind>, std::uint32_t> leader_of_;  ///< (piece, buffer, kind) -> pc
  std::vector<int> variable_;  ///< by pc: of LaunchReview::shared, whose array is accessed; -1: not known
  std::map<std::uint32_t, Overrun> overruns_;
  std::map<std::uint32_t, Divergence> divergences_;
  std::unordered_map<std::uint32_t, BlockState> blocks_;
  std::uint32_t last_number_ = 0;
  BlockState* last_block_ = nullptr;
  std::shared_ptr<const std::vector<std::uint32_t>> like_;  ///< nullptr: no block repeats another
  std::map<std::uint32_t, CountsByPc> of_repeated_;         ///< by block that others repeat
  std::set<std::uint32_t> ended_repeated_;                  ///< of those
  std::map<std::uint32_t, std::uint64_t> repeats_;  ///< by block: the ended ones that repeat it and were skipped
  SharedOrder order_;
  BarrierReach barriers_;
  WriteTable writes_;
  std::shared_ptr<const DiscardedLoads> discarded_;
  races::RaceObserver races_;
  uninitialised::Loads loads_;
  Lockstep lockstep_;
  IncoherentReads incoherent_;
  std::uint64_t instructions_ = 0;
  std::map<int, std::vector<Reach>> reaches_;
  std::vector<std::array<std::int64_t, 32>> irregular_;
  bool truncated_ = false;
  /// Of a part: its events on global memory, for its turn.
  struct Later {
    trace::EventLog log{};
    std::vector<std::int32_t> epochs{};  ///< by access of the log: SharedOrder::epoch()
    bool unknown = false;                ///< an event occurred that is not in the log
  };
  std::unique_ptr<Later> later_;
};

/// Global memory that is checked for races: the launch's buffers, in their order; tables of libraries have no bytes.
std::vector<races::Area> watched_areas(const LaunchReview& launch);

}  // namespace lanescope::review
