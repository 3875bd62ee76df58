#pragma once
// Events of blocks that run in parallel, kept until their turn and then reported in order to an observer.

#include <cstdint>
#include <initializer_list>
#include <vector>

#include "kernels/trace/observer.h"

namespace lanescope::trace {

/// Keeps steps, accesses, barriers, releases, `.sync` operations, probes, shuffles, steering and the ends of blocks, or
/// those of these kinds that are named. Identities are those of accesses and probes; AccessEvent::destinations is left out.
class EventLog final : public Observer {
 public:
  enum class Kind : std::uint8_t { step, access, barrier, release, warp_sync, probe, shuffle, steer, block_end };
  EventLog() = default;
  explicit EventLog(std::initializer_list<Kind> kinds);
  void on_step(const Where&) override;
  void on_access(const AccessEvent&) override;
  void on_barrier(const BarrierEvent&) override;
  void on_release(const ReleaseEvent&) override;
  void on_warp_sync(const WarpSyncEvent&) override;
  void on_probe(const ProbeEvent&) override;
  void on_shuffle(const ShuffleEvent&) override;
  void on_steer(const SteerEvent&) override;
  void on_block_end(std::uint32_t block, std::uint64_t steps) override;
  /// In the order in which they were recorded; steps count from `first_step`.
  void report(Observer& to, std::uint64_t first_step) const;
  void settle(std::span<const std::uint64_t> values) override;
  void renumber(const TagPool::Renumbered& numbers) override;

  /// Beyond that nothing is kept.
  void keep_to(std::size_t bytes) override { most_bytes_ = bytes; }
  bool is_whole() const { return whole_; }
  std::size_t part_bytes() const override {
    return entries_.capacity() * sizeof(Entry) + data_.capacity() * sizeof(std::uint32_t);
  }

 private:
  struct Entry {
    Where where;
    Kind kind = Kind::step;
    AccessKind access = AccessKind::load;
    MemorySpace space = MemorySpace::global;
    AtomicTurns turns = AtomicTurns::lanes;
    bool flag = false;      ///< access: read_only; barrier: waits; warp_sync: one_place
    bool in_a_row = false;  ///< lane l at base + l * width_bytes; else 64 words of addresses lie before the values
    int number = 0;         ///< access: width_bytes; of a barrier, of a probe; steer: what
    int matrix = 0;         ///< of a probe: its variable
    std::uint32_t overwritten = 0, deferred = 0;
    std::uint32_t words = 0;  ///< of values, waiting lanes or source lanes
    std::uint32_t tags = 0;   ///< after them
    std::uint64_t base = 0;   ///< of a probe: byte_offset; of the end of a block: its steps
    std::size_t first = 0;    ///< in data_
  };
  Entry* append(Kind kind, const Where& where, std::size_t words);
  void add_words(Entry& entry, std::span<const std::uint32_t> values, std::span<const WordTag> tags);
  static std::size_t address_words_of(const Entry& entry);

  std::uint32_t kinds_ = ~0u;  ///< a bit for each
  std::vector<Entry> entries_;
  std::vector<std::uint32_t> data_;
  std::size_t most_bytes_ = ~std::size_t{0};
  bool whole_ = true;
};

}  // namespace lanescope::trace
