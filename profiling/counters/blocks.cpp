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
  const access::Sum global_now = now.global(), global_before = before.global();
  sum.global_load.requests += global_now.requests - global_before.requests;
  sum.global_load.sectors += global_now.sectors - global_before.sectors;
  const access::Sum shared_now = now.shared(), shared_before = before.shared();
  sum.shared_load.requests += shared_now.requests - shared_before.requests;
  sum.shared_load.wavefronts += shared_now.wavefronts - shared_before.wavefronts;
  sum.shared_load.bank_conflicts += shared_now.bank_conflicts - shared_before.bank_conflicts;
}

/// Counts since `before`.
Counts difference(std::span<const Counts> now, std::vector<Counts>& before) {
  Counts sum;
  before.resize(now.size());
  for (std::size_t pc = 0; pc < now.size(); ++pc)
    if (now[pc].instructions != before[pc].instructions) add_difference(sum, now[pc], before[pc]);
  return sum;
}

}  // namespace

/// Counts of some blocks, with a counter of their own.
class BlockCounter::Part final : public trace::Observer {
 public:
  explicit Part(std::uint32_t each) : each_(each) {}
  void on_step(const trace::Where& where) override {
    if (const std::uint32_t next = where.block / each_; closed_.empty() || next != closed_.back().number) {
      close();
      closed_.push_back({next});
      before_.assign(counter_.by_instruction().begin(), counter_.by_instruction().end());
    }
    counter_.on_step(where);
  }
  void on_access(const trace::AccessEvent& e) override { counter_.on_access(e); }
  void on_shuffle(const trace::ShuffleEvent& e) override { counter_.on_shuffle(e); }
  void on_branch(const trace::BranchEvent& e) override { counter_.on_branch(e); }
  void on_barrier(const trace::BarrierEvent& e) override { counter_.on_barrier(e); }

  struct Entry {
    std::uint32_t number = 0;  ///< of the block / each_
    Counts counts{};
  };
  /// In the order of their runs; no more follow.
  const std::vector<Entry>& entries() {
    close();
    return closed_;
  }
  const Counter& counter() const { return counter_; }

 private:
  void close() {
    if (!closed_.empty()) closed_.back().counts = difference(counter_.by_instruction(), before_);
  }
  std::uint32_t each_;
  Counter counter_;
  std::vector<Entry> closed_;
  std::vector<Counts> before_;
};

std::unique_ptr<trace::Observer> BlockCounter::part() const { return std::make_unique<Part>(each_); }

void BlockCounter::take(trace::Observer& observer, std::uint64_t) {
  Part& part = static_cast<Part&>(observer);
  const auto& entries = part.entries();
  if (entries.empty()) return;
  if (entries.front().number != current_) change(entries.front().number);
  counter_.add(part.counter());
  if (changes_ > most_changes) return;
  // Counts of the part belong to its own blocks; earlier counts in `current_` stay.
  const auto added = part.counter().by_instruction();
  before_.resize(std::max(before_.size(), added.size()));
  for (std::size_t pc = 0; pc < added.size(); ++pc) before_[pc] += added[pc];
  for (const Part::Entry& e : entries)
    if (e.number < blocks_.size()) add_difference(blocks_[e.number], e.counts, {});
  current_ = entries.back().number;
  changes_ += entries.size() - 1;
  if (changes_ > most_changes) blocks_.clear();
}

BlockCounter::BlockCounter(Counter& counter, std::uint64_t blocks)
    : counter_(counter),
      each_(static_cast<std::uint32_t>(std::max<std::uint64_t>((blocks + most_entries - 1) / most_entries, 1))) {
  blocks_.resize((blocks + each_ - 1) / each_);
}

void BlockCounter::change(std::uint32_t next) {
  if (changes_ > most_changes) return;
  if (++changes_ > most_changes) return blocks_.clear();
  const auto now = counter_.by_instruction();
  if (current_ != none && current_ < blocks_.size()) add_difference(blocks_[current_], difference(now, before_), {});
  before_.assign(now.begin(), now.end());
  current_ = next;
}

}  // namespace lanescope::counters
