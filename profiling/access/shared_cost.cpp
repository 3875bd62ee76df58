#include <algorithm>

#include "profiling/access/access.h"

namespace lanescope::access {
namespace {

constexpr int bank_count = 32;

/// Distinct 4-byte words, kept per bank. A lane touches at most five words (16 bytes, misaligned), so a bank never
/// gets more than one word a lane.
class Banks {
 public:
  void add(std::uint64_t word) {
    const int bank = static_cast<int>(word % bank_count);
    std::uint64_t* const mine = words_[bank].data();
    const int count = counts_[bank];
    for (int i = 0; i < count; ++i)
      if (mine[i] == word) return;
    mine[count] = word;
    counts_[bank] = static_cast<std::uint8_t>(count + 1);
    deepest_ = std::max(deepest_, count + 1);
  }
  int deepest() const { return deepest_; }
  const std::array<std::uint8_t, bank_count>& counts() const { return counts_; }

 private:
  std::array<std::uint8_t, bank_count> counts_{};
  std::array<std::array<std::uint64_t, 32>, bank_count> words_;
  int deepest_ = 0;
};

int lanes_per_group(int width_bytes) { return width_bytes <= 4 ? 32 : width_bytes <= 8 ? 16 : 8; }

/// Every active lane's partner `lane ^ distance` is inactive or reads the same address.
bool partners_agree(const Pattern& pattern, int distance) {
  for (int lane = 0; lane < 32; ++lane) {
    const int partner = lane ^ distance;
    const bool both = (pattern.mask >> lane & 1) && (pattern.mask >> partner & 1);
    if (both && pattern.addresses[lane] != pattern.addresses[partner]) return false;
  }
  return true;
}

/// Distinct words of all active lanes; sorted once, because lanes of different groups may share words.
std::uint32_t distinct_words(const Pattern& pattern) {
  std::array<std::uint64_t, 32> first;
  int count = 0;
  bool ascending = true;
  for (int lane = 0; lane < 32; ++lane) {
    if (!(pattern.mask >> lane & 1)) continue;
    if (count > 0 && pattern.addresses[lane] < first[count - 1]) ascending = false;
    first[count++] = pattern.addresses[lane];
  }
  if (!ascending) std::sort(first.begin(), first.begin() + count);
  std::uint64_t end = 0;
  std::uint32_t words = 0;
  for (int i = 0; i < count; ++i) {
    const std::uint64_t from = std::max(first[i] / 4, end), to = (first[i] + pattern.width_bytes - 1) / 4 + 1;
    if (from >= to) continue;
    words += static_cast<std::uint32_t>(to - from);
    end = to;
  }
  return words;
}

}  // namespace

SharedCost shared_cost(const Pattern& pattern) {
  SharedCost cost;
  if (pattern.mask == 0) return cost;
  int group_lanes = lanes_per_group(pattern.width_bytes);
  const bool may_merge = pattern.direction == Direction::load && group_lanes < 32;
  if (may_merge && (partners_agree(pattern, 1) || partners_agree(pattern, 2))) group_lanes *= 2;

  std::uint32_t groups = 0;
  int deepest = 0;
  for (int begin = 0; begin < 32; begin += group_lanes) {
    const std::uint32_t lanes = group_lanes == 32 ? ~0u : ((1u << group_lanes) - 1) << begin;
    if (!(pattern.mask & lanes)) continue;
    Banks banks;
    for (int lane = begin; lane < begin + group_lanes; ++lane) {
      if (!(pattern.mask >> lane & 1)) continue;
      const std::uint64_t first = pattern.addresses[lane] / 4;
      const std::uint64_t last = (pattern.addresses[lane] + pattern.width_bytes - 1) / 4;
      for (std::uint64_t word = first; word <= last; ++word) banks.add(word);
    }
    ++groups;
    cost.wavefronts += static_cast<std::uint32_t>(banks.deepest());
    if (banks.deepest() > deepest) {
      deepest = banks.deepest();
      cost.words_per_bank = banks.counts();
    }
  }
  cost.requests = 1;
  cost.ideal_wavefronts = (distinct_words(pattern) + bank_count - 1) / bank_count;
  cost.bank_conflicts = cost.wavefronts - groups;
  return cost;
}

}  // namespace lanescope::access
