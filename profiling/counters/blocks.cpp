#include "profiling/counters/blocks.h"

#include <algorithm>

namespace lanescope::counters {
namespace {

constexpr std::uint64_t most_entries = 4096;
/// Each change costs a pass over the code. Blocks that wait for each other may alternate at every instruction.
constexpr std::uint64_t most_changes = 4 * most_entries;

/// The fields that are shown; the others stay 0.
void add_difference(Counts& sum, const Counts& now, const Counts& before) {
  sum.instructions += now.instructions - before.instructions;
  sum.thread_instructions += now.thread_instructions - before.thread_instructions;
  sum.divergent_branches += now.divergent_branches - before.divergent_branches;
  const GlobalCounts global_now = now.global(), global_before = before.global();
  sum.global_load.requests += global_now.requests - global_before.requests;
  sum.global_load.sectors += global_now.sectors - global_before.sectors;
  const SharedCounts shared_now = now.shared(), shared_before = before.shared();
  sum.shared_load.requests += shared_now.requests - shared_before.requests;
  sum.shared_load.wavefronts += shared_now.wavefronts - shared_before.wavefronts;
  sum.shared_load.bank_conflicts += shared_now.bank_conflicts - shared_before.bank_conflicts;
}

}  // namespace

BlockCounter::BlockCounter(const Counter& counter, std::uint64_t blocks)
    : counter_(counter),
      each_(static_cast<std::uint32_t>(std::max<std::uint64_t>((blocks + most_entries - 1) / most_entries, 1))) {
  blocks_.resize((blocks + each_ - 1) / each_);
}

void BlockCounter::change(std::uint32_t next) {
  if (changes_ > most_changes) return;
  if (++changes_ > most_changes) return blocks_.clear();
  const auto now = counter_.by_instruction();
  if (current_ != none && current_ < blocks_.size()) {
    before_.resize(now.size());
    for (std::size_t pc = 0; pc < now.size(); ++pc)
      if (now[pc].instructions != before_[pc].instructions) add_difference(blocks_[current_], now[pc], before_[pc]);
  }
  before_.assign(now.begin(), now.end());
  current_ = next;
}

}  // namespace lanescope::counters
