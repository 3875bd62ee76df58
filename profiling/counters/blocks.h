#pragma once
// What each block of a launch costs. Counting is the work of a Counter that watches the same run: at each change of block
// the difference of its sums belongs to the block before, so that nothing is computed twice.

#include <cstdint>
#include <vector>

#include "profiling/counters/counters.h"

namespace lanescope::counters {

class BlockCounter final : public trace::Observer {
 public:
  /// `counter` watches the same launch, after this observer, and outlives it. `blocks`: of the whole launch.
  BlockCounter(const Counter& counter, std::uint64_t blocks);
  void on_step(const trace::Where& where) override {
    if (where.block / each_ != current_) change(where.block / each_);
  }
  /// Nothing more comes.
  void launch_ended() { change(none); }

  /// By block / blocks_each(); empty where blocks alternate too often to be told apart.
  const std::vector<Counts>& blocks() const { return blocks_; }
  std::uint32_t blocks_each() const { return each_; }

 private:
  static constexpr std::uint32_t none = ~0u;
  void change(std::uint32_t next);

  const Counter& counter_;
  std::uint32_t each_ = 1, current_ = none;
  std::vector<Counts> blocks_, before_;  ///< before_: by pc, when `current_` began
  std::uint64_t changes_ = 0;
};

}  // namespace lanescope::counters
