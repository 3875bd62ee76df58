#pragma once
// One of the threads that run blocks ahead: a machine of its own on a view of the launch's memory.

#include <atomic>
#include <memory>
#include <optional>
#include <vector>

#include "kernels/emulator/machine/global_view.h"
#include "kernels/emulator/machine/machine.h"
#include "kernels/emulator/machine/program.h"

namespace lanescope::emulator {

/// Consecutive blocks in the order of the seed, and their results.
struct Unit {
  u64 first = 0, count = 0;                                   ///< places in that order
  std::vector<std::unique_ptr<trace::Observer>> observers{};  ///< parts of those of the launch, in their order
  bool whole = false;                                         ///< all its blocks came to their ends
  Progress progress{};
  GlobalView::Pages pages{};
  GlobalView::Log log{};
  std::optional<trace::TagPool> tags{};  ///< with identities: what these blocks added on top of the launch's
  std::size_t strand = 0;                ///< that ran it
  /// In pages.
  std::size_t memory() const {
    std::size_t bytes = 0;
    for (const auto& o : observers) bytes += o->part_bytes();
    if (tags) bytes += tags->bytes();
    return pages.size() + log.size() / GlobalView::entries_of_page + bytes / sizeof(GlobalView::Page);
  }
};

class Strand {
 public:
  /// `program`: independent_program() of the launch's.
  Strand(const Running& launch, std::shared_ptr<const Program> program);
  Strand(const Strand&) = delete;
  Strand& operator=(const Strand&) = delete;
  /// Before each run().
  void begin() { stopped_.store(false, std::memory_order_relaxed); }
  /// At most that many warp instructions, pages and bytes of identities.
  void run(Unit& unit, u64 most_steps, std::size_t most_pages, std::size_t most_tag_bytes);
  /// After an exception left run(): nothing of that run is kept.
  void discard();
  /// From another thread: its current unit is discarded.
  void stop() { stopped_.store(true, std::memory_order_relaxed); }
  GlobalView& view() { return view_; }

 private:
  const Running& launch_;
  GlobalView view_;
  Running machine_;
  bool defers_atomics_ = false;
  std::atomic<bool> stopped_{false};
};

/// The same program, in which a step ends the machine unless it depends only on the block and on its reads from memory.
/// The first one must outlive it.
std::shared_ptr<const Program> independent_program(const Program& program);

// Stores of the units of a wave: whether a unit has read what an earlier one stores, and putting them into memory.

class WaveStores {
 public:
  explicit WaveStores(const AddressSpace& memory);
  /// Whether one of these pages was read where an earlier unit of the wave has stored something.
  bool read_before(const GlobalView::Pages& pages) const;
  /// Writes the stores to memory, performs the deferred operations, and records their places. Returns the number of
  /// operations in the log that have changed memory. `results`: contents of memory after each of these. `tags`: with
  /// identities, their numbers now.
  u64 put(const GlobalView::Pages& pages, const GlobalView::Log& log, const trace::TagPool::Renumbered* tags,
          const Program& program, AddressSpace& memory, std::vector<u64>& results);
  void clear();

 private:
  struct Page {
    u32 store = 0, number = 0;
    GlobalView::Words written{};
  };
  std::vector<std::vector<u32>> tables_;  ///< by store and page: number in pages_ + 1; 0: nothing was stored there
  std::vector<Page> pages_;
};

}  // namespace lanescope::emulator
