#pragma once
// Costs of each block of a launch. A Counter, which receives every event through this one, counts: at each change of
// block the difference of its sums belongs to the previous block, so that nothing is computed twice.

#include <cstdint>
#include <memory>
#include <vector>

#include "profiling/counters/counters.h"

namespace lanescope::counters {

class BlockCounter final : public trace::Observer {
 public:
  /// `counter` outlives it, and receives events of the launch from no other observer. `blocks`: of the whole launch.
  BlockCounter(Counter& counter, std::uint64_t blocks);
  void on_step(const trace::Where& where) override {
    if (where.block / each_ != current_) change(where.block / each_);
    counter_.on_step(where);
  }
  void on_access(const trace::AccessEvent& e) override { counter_.on_access(e); }
  void on_shuffle(const trace::ShuffleEvent& e) override { counter_.on_shuffle(e); }
  void on_branch(const trace::BranchEvent& e) override { counter_.on_branch(e); }
  void on_barrier(const trace::BarrierEvent& e) override { counter_.on_barrier(e); }
  void on_matrix_read(const trace::MatrixReadEvent& e) override { counter_.on_matrix_read(e); }
  std::unique_ptr<trace::Observer> part() const override;
  Atomics needs_atomics() const override { return Atomics::never; }
  void take(trace::Observer& part, std::uint64_t first_step) override;
  void launch_ended() { change(none); }

  /// By block / blocks_each(); empty if blocks alternate too often to be separated.
  const std::vector<Counts>& blocks() const { return blocks_; }
  std::uint32_t blocks_each() const { return each_; }

 private:
  class Part;
  static constexpr std::uint32_t none = ~0u;
  void change(std::uint32_t next);

  Counter& counter_;
  std::uint32_t each_ = 1, current_ = none;
  std::vector<Counts> blocks_, before_;  ///< before_: by pc, when `current_` began
  std::uint64_t changes_ = 0;
};

}  // namespace lanescope::counters
