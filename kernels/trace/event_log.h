#pragma once
// Events of blocks that run in parallel, kept until their turn and then reported in order to an observer.

#include <cstdint>
#include <vector>

#include "kernels/trace/observer.h"

namespace lanescope::trace {

/// Keeps steps, accesses, barriers, releases and `.sync` operations, without identities; nothing else.
class EventLog final : public Observer {
 public:
  void on_step(const Where&) override;
  void on_access(const AccessEvent&) override;
  void on_barrier(const BarrierEvent&) override;
  void on_release(const ReleaseEvent&) override;
  void on_warp_sync(const WarpSyncEvent&) override;
  /// In the order in which they were recorded; steps count from `first_step`.
  void report(Observer& to, std::uint64_t first_step) const;
  void settle(std::span<const std::uint64_t> values) override;

  /// Beyond that nothing is kept.
  void keep_to(std::size_t bytes) override { most_bytes_ = bytes; }
  bool is_whole() const { return whole_; }
  std::size_t part_bytes() const override {
    return entries_.capacity() * sizeof(Entry) + data_.capacity() * sizeof(std::uint32_t);
  }

 private:
  enum class Kind : std::uint8_t { step, access, barrier, release, warp_sync };
  struct Entry {
    Where where;
    Kind kind = Kind::step;
    AccessKind access = AccessKind::load;
    MemorySpace space = MemorySpace::global;
    AtomicTurns turns = AtomicTurns::lanes;
    bool flag = false;      ///< access: read_only; barrier: waits; warp_sync: one_place
    bool in_a_row = false;  ///< lane l at base + l * width_bytes; else 64 words of addresses lie before the values
    int number = 0;         ///< access: width_bytes; of a barrier
    int matrix = 0;
    std::uint32_t overwritten = 0, deferred = 0;
    std::uint32_t words = 0;  ///< of values, or of waiting lanes
    std::uint64_t base = 0;
    std::size_t first = 0;  ///< in data_
  };
  Entry* append(Kind kind, const Where& where, std::size_t words);

  std::vector<Entry> entries_;
  std::vector<std::uint32_t> data_;
  std::size_t most_bytes_ = ~std::size_t{0};
  bool whole_ = true;
};

}  // namespace lanescope::trace
