#pragma once
// Races: two threads access the same byte, at least one writes, and nothing orders the two accesses (order.h), in this
// schedule or another. Shared and global memory; between blocks, warps and lanes of a warp.
//
// For each word of memory the accesses are kept that a later access may race with: one that happens before another of
// the same kind is dropped, as a later access that races with it races with the other, too. A worked case, one word,
// one block:
//
//   A writes            kept: A w
//   B reads             A and B race                       kept: A w, B r
//   barrier
//   C reads             no race: all happened before       kept: A w, C r      (B's read happened before C's)
//   D writes            C and D race                       kept: D w, C r
//
// In launches whose threads are ordered by whole blocks and `.sync` operations only, two accesses of different blocks,
// or of different warps of a block, are enough of one kind: a later access is unordered with one of them. So a word has
// a few records of 32 bytes at most there; where fences order threads, at most `most_records`. Words that do not fit
// into the budget are counted and not watched; global memory and shared memory have this budget each.
//
// Most accesses of a warp are 32 words side by side, and most of these words have the same accesses. Such words share
// their records: a row has one record for all lanes of an access and a value for each of them (`Row`), and an access to
// exactly the words of a row is compared once for all of them. Where that could find less than a comparison of each
// word, the row becomes records of its words. Rows are for speed only.
//
// Shared memory of another block of the cluster exists only while that block runs. Its begin has to be ordered before
// an access from another block, and the access before the exit of some thread of the block: both are edges like others,
// and an access without them is reported even if, in this run, the block was there. A barrier of the cluster that is
// relaxed counts here: threads wait for each other at it, and a load has happened when its thread waits.
//
// A race is reported once for each pair of instructions, with its number of occurrences. Writes of the same value are
// distinct: they leave the same memory in any order. So are two writers that had both read the location before (x[0] +=
// 1 without an atomic): the update of one of them is lost, also where their values are equal.
//
// Two strong accesses are no race in any order. If one of them is strong only because it is volatile, the pair is kept
// (`volatile_pairs`): CUDA C++ has no order for it, and flags, for which volatile is used, look like data here.

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "kernels/trace/observer.h"
#include "profiling/races/conflict.h"
#include "profiling/races/copies.h"
#include "profiling/races/order.h"

namespace lanescope::races {

enum class Missing : std::uint8_t {
  order,            ///< between blocks: atomics, a fence and a flag, or another launch
  barrier,          ///< between warps of a block
  warp_sync,        ///< between lanes of a warp: __syncwarp()
  one_writer,       ///< lanes of one instruction
  scope,            ///< atomics of .cta scope between blocks
  completion,       ///< of an asynchronous copy: no thread has waited for it
  grid,             ///< between a grid and one that it launches, or two that it launches (grid_races.h)
  cluster_scope,    ///< atomics of .cluster scope between blocks of different clusters
  cluster_barrier,  ///< between blocks of a cluster, at shared memory
  unrelaxed,        ///< the same where there is a barrier of the cluster, at which a thread arrives .relaxed
  begin,            ///< of the block whose shared memory is accessed: `second` is the same access
  end,              ///< of that block: `second` is where its last thread exits
};

struct Side {
  std::uint32_t block = 0, warp = 0, lane = 0, pc = 0;
  std::uint64_t step = 0;
  Touch touch = Touch::read;
  std::uint32_t value = 0;  ///< of the word: read, or held afterwards
};

struct Race {
  Side first, second;  ///< in the order of this run
  Missing missing = Missing::order;
  bool same_value = false;        ///< both write, and the same
  bool updates = false;           ///< both write, and the later one had read the location itself before
  std::vector<Side> own_reads{};  ///< where `updates`: of these two threads, as far as they are known; by step
  bool shared = false;
  std::uint32_t owner = 0;  ///< of shared memory: its block
  int buffer = -1;          ///< of global memory
  std::uint64_t byte = 0;   ///< the first common one, from the start of the buffer, or of shared memory
  std::uint8_t bytes = 0;   ///< the common ones of its 4-byte word, a bit each
  /// Pairs of accesses, at least: of accesses that a later one replaces in the records, and of threads that are ordered
  /// by more than barriers, not all are counted. 0: of none that is counted.
  std::uint64_t times = 0;
  int first_epoch = -1, second_epoch = -1;  ///< barriers of all threads that the block had passed
};

/// Global memory that is watched.
struct Area {
  std::uint64_t address = 0, bytes = 0;
};

class RaceObserver : public trace::Observer {
 public:
  static constexpr std::size_t record_bytes = 32;
  static constexpr std::size_t most_records = 64;
  static constexpr std::size_t default_budget = std::size_t{384} << 20;

  /// `launch` and `code` must outlive it. An area of no bytes is not watched.
  RaceObserver(const trace::Launch& launch, const std::vector<trace::CodeSite>& code, std::vector<Area> areas,
               std::size_t budget_bytes = default_budget);
  /// The same with barriers (of the block, of its cluster, or of lanes) that order nothing, by pc. It also counts the
  /// conflicting accesses, atomics among themselves included, that are in order only with them: what a barrier is for
  /// (unneeded.h).
  RaceObserver(const trace::Launch& launch, const std::vector<trace::CodeSite>& code, std::vector<Area> areas,
               std::size_t budget_bytes, std::vector<std::uint32_t> without);
  RaceObserver(const RaceObserver&) = delete;
  RaceObserver& operator=(const RaceObserver&) = delete;

  void on_step(const trace::Where&) override;
  void on_access(const trace::AccessEvent&) override;
  void on_remote_access(const trace::RemoteAccessEvent&) override;
  void on_cluster_barrier(const trace::ClusterBarrierEvent&) override;
  void on_barrier(const trace::BarrierEvent&) override;
  void on_release(const trace::ReleaseEvent&) override;
  void on_warp_sync(const trace::WarpSyncEvent&) override;
  void on_barrier_object(const trace::BarrierObjectEvent&) override;
  void on_bulk_copy(const trace::BulkCopyEvent&) override;
  void on_matrix_read(const trace::MatrixReadEvent&) override;
  // Shared memory of a block is watched by itself where blocks are ordered by nothing but barriers of their own; then
  // blocks that run beside each other each have an observer for it (trace::Observer::part()), and this one receives all
  // other events.
  bool parts_are_possible() const;
  struct OfSharedMemory {};
  RaceObserver(const RaceObserver& whole, const trace::Launch& launch, OfSharedMemory);
  /// Adds the races of such a one in blocks that began at `first_step`, after this one has received all other events of
  /// them.
  void take_shared(const RaceObserver& part, std::uint64_t first_step);
  /// No more events follow: frees the memory.
  void launch_ended();

  /// False: grids that launch each other use clusters, which is not followed.
  bool judged() const { return judged_; }
  /// By pair of instructions, in the order of their first occurrence.
  const std::vector<Race>& races() const { return races_; }
  /// Threads also arrived at the same barrier from elsewhere: without it they would wait forever.
  bool without_is_mixed() const { return mixed_; }
  /// Blocks of a cluster reach each other, or wait for each other.
  bool clusters() const { return clusters_; }
  /// Of a block in its cluster; 0 where there are none.
  std::uint32_t rank_of(std::uint32_t block) const { return order_.rank_of(block); }
  bool same_cluster(std::uint32_t block, std::uint32_t other) const {
    return order_.cluster_of(block) == order_.cluster_of(other);
  }
  /// Pairs that nothing orders and that are no races: both are strong, one of them at least is volatile. By pair of
  /// instructions.
  const std::vector<Race>& volatile_pairs() const { return volatile_pairs_; }
  /// Operations on barrier objects that name no scope and make threads of different blocks wait for each other, by pc:
  /// where first. They count as ones of cluster scope (instruction.h).
  const std::map<std::uint32_t, trace::Where>& unscoped() const { return unscoped_; }
  std::uint64_t lost() const { return lost_; }  ///< conflicting accesses that are ordered only by the barriers left out
  std::uint64_t left_out() const { return left_out_; }  ///< executions of a barrier that ordered nothing
  /// Threads read, change and write elements of this buffer of global memory with nothing that orders them.
  bool loses_updates(int buffer) const;
  std::uint64_t unwatched_words() const { return unwatched_; }  ///< accesses to words beyond the budget
  std::uint64_t dropped_accesses() const { return dropped_; }   ///< beyond most_records of a word
  std::size_t bytes() const;

 protected:
  /// Each occurrence, before those of the same instructions are counted together.
  virtual void occurred(const Race&) {}
  virtual void occurred_volatile(const Race&) {}

  // Of several launches that are watched together (grid_races.h): their blocks have numbers of their own, and so has
  // the code of each kernel.
  RaceObserver(const trace::Launch& any, std::vector<Area> areas, std::size_t budget_bytes);
  /// Returns the pc of its first instruction.
  std::uint32_t append_code(const std::vector<trace::CodeSite>& code);
  /// Blocks from this one on are of another launch than those before.
  void begin_blocks(std::uint32_t first) { first_blocks_.push_back(first); }
  /// Number of the launch that a block is of.
  std::size_t launch_of(std::uint32_t block) const;
  const Instruction& instruction(std::uint32_t pc) const {
    static const Instruction none;
    return pc < instructions_.size() ? instructions_[pc] : none;
  }
  Order& order() { return order_; }
  void do_not_judge() { judged_ = false; }
  /// An access of fewer lanes than this makes no row.
  void make_rows_from(int lanes) { least_row_lanes_ = lanes; }

 private:
  struct Record {
    std::uint64_t step : 40 = 0;
    std::uint64_t pc : 24 = 0;
    std::uint32_t block = 0, lanes = 0, value = 0;
    std::uint8_t warp = 0, bytes = 0;  ///< bytes of the word, a bit each
    Touch touch = Touch::read;
    Scope scope = Scope::device;
    Scope released = Scope::none;  ///< of a strong write (Order::released)
    std::int8_t from = 0;          ///< of it: where it begins, from the first byte of the word
    std::uint32_t next = 0;        ///< 0: none
  };
  /// A lane's, or several lanes', access to one word.
  struct Now {
    Record record;
    Order::Block* block = nullptr;
    bool shared = false;
    std::uint32_t owner = 0;  ///< of shared memory
    int buffer = -1;
    std::uint64_t byte = 0;
    bool counts = true;  ///< the first word of the access, which stands for the others where pairs are counted
  };
  /// Records of one access to words side by side; lane l accessed word first_word + l.
  struct Row {
    Record common;  ///< of all lanes; next: another row of the same words, 0: none
    std::uint64_t first_word = 0;
    std::uint32_t words = 0;  ///< of the first row: cells that lead to it
    std::array<std::uint32_t, 32> values{};
  };
  /// In a cell: the number beside it is that of a row.
  static constexpr std::uint32_t row_bit = std::uint32_t{1} << 31;
  /// The whole access at once; false: it is one for word().
  bool by_row(const trace::AccessEvent& event, const Instruction& how, Order::Block& block);
  bool row_in_order(const Row& kept, const Row& now, const Order::Block& block, bool& open) const;
  std::uint32_t new_row(const Row& row);  ///< 0: it does not fit into the budget
  void free_row(std::uint32_t number);
  bool rows_have_enough(std::uint32_t first, const Row& now);
  /// The row of a cell becomes records of its word.
  void take_apart(std::uint32_t& cell, std::uint64_t word);
  void leave_row(std::uint32_t number);
  static Record record_of(const trace::Where& where, Touch touch, std::uint8_t bytes = 15) {
    return {.step = where.step,
            .pc = where.pc,
            .block = where.block,
            .warp = static_cast<std::uint8_t>(where.warp),
            .bytes = bytes,
            .touch = touch};
  }
  /// Words of memory by number.
  static std::uint64_t key_of(const Now& now);
  Copy copy_of(const Now& now, const trace::Where& where, std::size_t lane) const;
  /// Places of atomics and flags for Order: an offset in shared memory, or an address.
  static constexpr std::uint64_t place_of(bool shared, std::uint32_t owner, std::uint64_t at) {
    return shared ? std::uint64_t{1} << 63 | std::uint64_t{owner} << 32 | at : at;
  }
  /// Races of the access with copies in flight.
  void compare_with_copies(const Now& now);
  void groups(const trace::Where& where, const Instruction& how);
  /// A copy is complete: from here on it counts as an access of this lane of `block` at this step.
  void settle(const Copy& copy, std::uint32_t block, std::uint32_t warp, std::uint32_t lane, std::uint64_t step);
  void bulk_range(const trace::BulkCopyEvent& event, const trace::BulkCopyEvent::Range& range, Touch touch);
  std::uint32_t* cell(const Now& now);
  std::uint32_t* plain_cell(const Now& now);  ///< which may lead to a row
  void word(const Now& now);
  void append(std::uint32_t& head, const Record& record);
  /// The lanes (one kept, one of now) that nothing orders; false: none.
  bool unordered(const Record& kept, const Now& now, std::size_t& kept_lane, std::size_t& now_lane) const;
  bool loses_order(const Record& kept, const Now& now);
  std::uint32_t known_lanes(const Record& kept, const Now& now) const;
  /// A lane of `now` follows a write of `kept` that is ordered for its readers.
  bool follows(const Record& kept, std::size_t kept_lane, const Now& now, std::size_t now_lane) const;
  /// At least as many pairs of lanes (one kept, one of now) are unordered, if one is.
  std::uint64_t unordered_pairs(const Record& kept, const Now& now) const;
  /// `pairs`: that are counted; shown is the one of the two lanes.
  void add_pair(const Record& kept, const Now& now, std::size_t kept_lane, std::size_t now_lane, bool same_value,
                const std::vector<Side>& reads, std::uint64_t pairs);
  void reads_of(std::uint32_t first, const Record& writer, std::vector<Side>& reads) const;
  /// `owners`: by lane, the block of the shared memory; empty: the own block.
  void lanes_of_one_store(const trace::AccessEvent& event, const Instruction& how,
                          std::span<const std::uint32_t> owners);
  void by_word(const trace::AccessEvent& event, const Instruction& how, Order::Block& block,
               std::span<const std::uint32_t> owners);
  Near near(std::uint32_t block, std::uint32_t warp, std::uint32_t other_block, std::uint32_t other_warp) const;
  /// A pair that is no race, since both are strong.
  void add_volatile_pair(Race race, std::uint64_t pairs);
  /// A race that is none of two accesses to the same memory in the records.
  void report(Race race, bool counts = true);
  // Blocks of a cluster (lifetimes.cpp)
  /// An access to another block's shared memory: the block has begun, or a race is reported.
  void begins(const Now& now, std::size_t lane);
  /// The same, and the block has to wait for the access.
  void reaches(const Now& now, std::size_t lane);
  /// Threads of a block exit; checks that accesses of other blocks to its shared memory happen before.
  void exits(const trace::Where& where);
  /// All have: the remaining threads may be too late.
  void ended(const trace::Where& where);
  bool locate(std::uint64_t address, bool shared, Now& now) const;
  bool has_enough(std::uint32_t first, const Now& now);
  void free_records(std::vector<std::uint32_t>& cells);
  int epoch_of(std::uint32_t block, std::uint64_t step);

  std::vector<Instruction> instructions_;
  std::vector<Area> areas_;
  std::vector<std::uint32_t> first_blocks_;  ///< of several launches: ascending
  std::size_t budget_ = 0;
  Order order_;
  bool judged_ = true, in_parts_ = false, clusters_ = false;
  bool narrow_ = false;  ///< some strong accesses have a scope of less than the device
  static_assert(sizeof(Record) == record_bytes);
  /// Records or rows by number, in pieces that stay where they are. Number 0 is none.
  template <class T, unsigned bits>
  class Numbered {
   public:
    T& operator[](std::uint32_t i) { return pieces_[i >> bits][i & ((1u << bits) - 1)]; }
    const T& operator[](std::uint32_t i) const { return pieces_[i >> bits][i & ((1u << bits) - 1)]; }
    std::uint32_t append() {
      if (count_ == 0) ++count_;
      if (count_ >> bits >= pieces_.size())
        pieces_.push_back(std::make_unique_for_overwrite<T[]>(std::size_t{1} << bits));
      return count_++;
    }
    void clear() { count_ = 0; }
    /// Of what has been numbered, in whole pieces.
    std::size_t bytes() const { return ((std::size_t{count_} + (1u << bits) - 1) >> bits << bits) * sizeof(T); }

   private:
    std::vector<std::unique_ptr<T[]>> pieces_;
    std::uint32_t count_ = 0;
  };
  /// Records and rows of one space; those of shared memory end with the last block that runs.
  struct Pool {
    Numbered<Record, 10> records{};
    Numbered<Row, 7> rows{};
    std::uint32_t spare = 0, spare_row = 0;
    std::size_t bytes() const { return records.bytes() + rows.bytes(); }
    void clear() {
      records.clear(), rows.clear();
      spare = spare_row = 0;
    }
  };
  std::array<Pool, 2> pools_;   ///< of global, of shared memory
  Pool* pool_ = pools_.data();  ///< of the last requested cell
  bool is_full() const;         ///< that pool, to the budget; it has one for each
  int least_row_lanes_ = 8;
  std::vector<Side> reads_;  ///< of the writers of a word, before they write
  std::vector<std::unordered_map<std::uint64_t, std::vector<std::uint32_t>>> pages_;  ///< by area, then page
  std::size_t page_bytes_ = 0;
  std::pair<std::uint64_t, std::vector<std::uint32_t>*> last_page_{~std::uint64_t{0}, nullptr};
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> shared_;  ///< by block
  std::pair<std::uint32_t, std::vector<std::uint32_t>*> last_shared_{0, nullptr};
  /// The last access of each thread, or agent, to the shared memory of a block (the first key) that none of its exiting
  /// threads is ordered after.
  struct Reach {
    Record record;
    std::uint64_t byte = 0;
  };
  std::unordered_map<std::uint32_t, std::map<std::uint64_t, Reach>> reaches_;
  std::vector<Race> races_;
  std::vector<std::uint64_t> first_at_;  ///< by race: the step of its first occurrence
  /// By pcs, what is missing, same value, and 1 for shared memory, 2 for different launches.
  std::map<std::tuple<std::uint32_t, std::uint32_t, Missing, bool, int>, std::size_t> race_of_;
  std::map<std::uint32_t, trace::Where> unscoped_;
  std::vector<Race> volatile_pairs_;
  std::map<std::tuple<std::uint32_t, std::uint32_t, Missing, bool, bool>, std::size_t> volatile_pair_of_;
  std::uint64_t unwatched_ = 0, dropped_ = 0;
  Copies copies_;
  std::vector<std::uint32_t> without_;
  std::optional<Order> with_;  ///< the same with all barriers
  bool mixed_ = false;
  std::uint64_t left_out_ = 0, lost_ = 0;
  /// The same of the barrier of a cluster, and whether the last one that was complete is left out.
  struct ClusterPhase {
    std::uint8_t came = 0;
    bool left_out = false;
  };
  std::unordered_map<std::uint32_t, ClusterPhase> cluster_phases_;
  bool leaves_out(const trace::ClusterBarrierEvent& event);
  /// By block and barrier: whether those who came since it was last complete came to one that orders nothing, or to
  /// others.
  std::unordered_map<std::uint64_t, std::uint8_t> came_;
};

}  // namespace lanescope::races
