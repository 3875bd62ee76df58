#pragma once
// Writers of each element of each buffer: elements that two blocks, or two threads of a block with no barrier between,
// wrote.
//
// Two such stores of different values leave an undefined result. Stores of equal values are harmless, unless they were
// meant for other elements: a launch whose stores (each thread's first one to an element, counted once) are as many as
// the buffer has elements, and that writes some of them several times and leaves others out, has a wrong offset:
//
//   q + blockIdx.x * 32, blocks of 64 threads, 16 blocks, 1024 elements: 1024 stores; 544 elements are written, 480 of them
//   twice, and 480 never
//
// So has a launch whose threads each write several elements in a row, where the parts of neighbouring threads overlap:
//
//   out = q + thread; out[0], out[1], out[2], out[3] = ..: parts of 4 elements begin 1 apart, meant was q + 4 * thread
//
// If the index itself comes from memory (`q[list[i]] = 1`), nothing shows that another one was meant.
//
// Not judged: buffers that atomics touch; between blocks, launches with fences, acquires or volatile accesses, by which
// blocks may take turns; between threads of a block, launches with such ones of any scope. A buffer whose table would
// not fit into the budget is not watched, and its finding says so.

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "profiling/review/observe/launch_review.h"

namespace lanescope::review {

class WriteTable {
 public:
  WriteTable(const LaunchReview& launch, std::size_t budget_bytes);
  explicit WriteTable(const LaunchReview& launch) : launch_(launch) {}  ///< which receives no events

  /// `epoch`: barriers that the block has passed (SharedOrder::epoch); -1: not known, and threads of a block are not
  /// judged.
  void access(const trace::AccessEvent& event, int buffer, std::int32_t epoch);
  /// Sums up and gives the memory back.
  void launch_ended();

  struct Side {
    std::uint32_t block = 0;
    int thread = 0;
    std::uint32_t pc = 0;
  };
  struct Conflict {
    Side before, now;
    trace::Where where;  ///< of the later store
    std::uint64_t byte = 0;
    int width_bytes = 0;
    std::array<std::uint64_t, 32> addresses{};
  };
  /// Of one buffer; counts are elements of it.
  struct Summary {
    int buffer = -1;
    bool unwatched = false;
    std::uint64_t elements = 0, written = 0, several = 0, conflicts = 0;
    std::uint64_t stores = 0;        ///< each thread's to an element counted once
    std::uint64_t block_stores = 0;  ///< each block's to an element counted once
    std::uint64_t most_of_block = 0;
    /// Elements before the first that is not written, and the writer of the last written one.
    std::uint64_t whole_from_start = 0;
    std::uint32_t last_pc = ~0u;
    bool index_loaded = false;   ///< the index of `last_pc` is loaded from memory
    bool repeated = false;       ///< see repeats_work()
    bool across_blocks = false;  ///< some of `several` are of different blocks
    bool may_be_meant = false;   ///< the index of `meeting` is loaded from memory, or threads take turns
    std::uint64_t part = 0,
                  apart = 0;  ///< parts of neighbouring threads overlap: elements of one, and between two begins
    std::optional<Conflict> conflict, meeting;  ///< the first of different values; the first
    /// All threads of a block that write its one result store often, too: threads count only where much is written
    /// twice.
    bool wrong_offset() const {
      const auto enough = [&](std::uint64_t n) {
        return n >= elements && n - elements < std::min(most_of_block, elements);
      };
      return !may_be_meant && several > 0 && written < elements &&
             (enough(block_stores) || (enough(stores) && several * 4 >= elements));
    }
    /// Blocks store again what others have stored: at least every second element once more, with equal values that are
    /// not the same everywhere (as zeros would be), at an index that does not come from memory.
    bool repeats_work() const { return repeated && !may_be_meant && conflicts == 0 && block_stores * 2 >= written * 3; }
  };
  static constexpr std::size_t most_parts = 4096;  ///< threads whose parts are compared
  const std::vector<Summary>& summaries() const { return summaries_; }
  /// Threads of a block write the same element with a barrier between, or may do so: the result is ordered.
  bool barriers_part() const { return barriers_part_; }
  std::size_t bytes() const { return used_; }
  std::size_t budget_bytes() const { return budget_; }

 private:
  struct Unit {
    std::uint32_t block = ~0u;  ///< ~0: none
    std::uint32_t thread : 10 = 0, several : 1 = 0, conflict : 1 = 0, epoch : 20 = 0;
    std::uint32_t value = 0;
    std::uint32_t pc = 0;
  };
  struct Table {
    std::vector<Unit> units;
    bool atomics = false, unwatched = false;
    std::uint64_t by_others = 0, by_other_blocks = 0;  ///< stores to units that another thread, block wrote before
    bool across_blocks = false;
    std::optional<Conflict> conflict, meeting;
    std::uint32_t counted_block = ~0u;
    std::uint64_t of_block = 0, most_of_block = 0;
    struct Part {
      std::uint64_t first = ~std::uint64_t{0}, last = 0, stores = 0;
    };
    std::map<std::uint64_t, Part> parts;  ///< by block and thread: units that it has written
    std::optional<std::uint32_t> value{};
    bool varied = false;  ///< not all stores are of one value
  };
  static std::pair<std::uint64_t, std::uint64_t> overlapping_parts(const Table& t, std::uint64_t written);
  bool open(Table& table, int buffer);
  void store(Table& t, const trace::AccessEvent& event, std::size_t lane, std::uint64_t byte, std::uint32_t value,
             std::int32_t epoch);

  const LaunchReview& launch_;
  std::size_t budget_ = 0, used_ = 0;
  unsigned unit_bytes_ = 4;
  bool blocks_judged_ = true, warps_judged_ = true, barriers_part_ = false;
  std::vector<Table> tables_;  ///< by buffer
  std::vector<Summary> summaries_;
};

}  // namespace lanescope::review
