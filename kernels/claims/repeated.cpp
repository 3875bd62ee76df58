#include "kernels/claims/repeated.h"

#include <algorithm>
#include <optional>
#include <tuple>
#include <unordered_map>

#include <fmt/format.h>

#include "kernels/claims/collector.h"

namespace lanescope::claims {
namespace {

using trace::BitTag;
using trace::TagPool;
using trace::WordTag;

/// Identities of one block as those of another one, whose elements lie further by some bytes.
class Mover {
 public:
  Mover(TagPool& pool, const RepeatedBlocks& blocks) : pool_(pool), blocks_(blocks) {}

  void to(std::uint32_t block) {
    bits_.assign(pool_.space.buffers.size(), 0);
    for (const auto& [buffer, moved] : blocks_.moved_bytes)
      if (static_cast<std::size_t>(buffer) < bits_.size()) bits_[static_cast<std::size_t>(buffer)] = 8 * moved[block];
    words_.clear();
  }

  /// nullopt: it depends on too much.
  std::optional<WordTag> operator()(WordTag tag) {
    if (tag == trace::no_data) return tag;
    if (TagPool::is_source_word(tag)) {
      const std::uint32_t word = tag & 0x7fffffffu;
      const std::int64_t by = bits_[buffer_of(word)];
      if (by % 32 == 0) return TagPool::source_word(static_cast<std::uint32_t>(word + by / 32));
    }
    const auto known = words_.find(tag);
    if (known != words_.end()) return known->second;
    const auto found = moved(tag);
    if (found) words_.emplace(tag, *found);
    return found;
  }

 private:
  static constexpr std::size_t most_elements = 64;

  std::size_t buffer_of(std::uint32_t word) {
    const auto& ranges = pool_.space.buffers;
    if (last_ < ranges.size() && word - ranges[last_].first_word < ranges[last_].words) return last_;
    last_ = 0;
    while (last_ + 1 < ranges.size() && word - ranges[last_].first_word >= ranges[last_].words) ++last_;
    return last_;
  }
  std::uint64_t moved_bit(std::uint64_t bit) {
    return bit + static_cast<std::uint64_t>(bits_[buffer_of(static_cast<std::uint32_t>(bit / 32))]);
  }

  std::optional<std::uint32_t> moved_set(std::uint32_t set, bool of_bits) {
    if (set == TagPool::too_many || pool_.halves(set)) return std::nullopt;
    const auto members = pool_.set(set);
    if (members.size() > most_elements) return std::nullopt;
    std::vector<std::uint64_t> out(members.begin(), members.end());
    for (std::uint64_t& m : out) {
      if (of_bits) {
        m = moved_bit(m);
        continue;
      }
      const auto buffer = static_cast<std::size_t>(m >> 40);
      const std::int64_t by = bits_.at(buffer), each = pool_.space.buffers[buffer].element_bits;
      if (by % each != 0) return std::nullopt;
      m += static_cast<std::uint64_t>(by / each);
    }
    std::ranges::sort(out);
    return pool_.intern_set(out);
  }

  std::optional<WordTag> moved(WordTag tag) {
    if (TagPool::is_computed_word(tag)) {
      const auto set = moved_set(tag & 0x3fffffffu, false);
      return set ? std::optional(TagPool::computed_word(*set)) : std::nullopt;
    }
    trace::WordBits bits = pool_.bits(tag);
    for (BitTag& b : bits) {
      const trace::BitKind kind = b.kind();
      if (kind == trace::BitKind::none) continue;
      if (kind == trace::BitKind::source) {
        b = BitTag::source(moved_bit(b.payload()), b.inverted());
        continue;
      }
      const bool parity = kind == trace::BitKind::parity;
      const auto set = moved_set(static_cast<std::uint32_t>(b.payload()), parity);
      if (!set) return std::nullopt;
      b = parity ? BitTag::parity(*set, b.inverted()) : BitTag::computed(*set);
    }
    return pool_.intern(bits);
  }

  TagPool& pool_;
  const RepeatedBlocks& blocks_;
  std::vector<std::int64_t> bits_;  ///< by buffer: how far its bits lie further
  std::size_t last_ = 0;
  std::unordered_map<WordTag, WordTag> words_;
};

/// nullptr: values depend on too much.
std::shared_ptr<Group> repeated_in(std::uint32_t block, const Group& group, Mover& mover) {
  auto out = std::make_shared<Group>(
      Group{.probe = group.probe, .block = block, .iteration = group.iteration, .records = group.records, .tags = {}});
  for (WordRecord& r : out->records) {
    LaneTags tags = group.tags.get(r.tags);
    for (WordTag& t : tags) {
      const auto moved = mover(t);
      if (!moved) return nullptr;
      t = *moved;
    }
    r.tags = out->tags.add(tags);
  }
  return out;
}

}  // namespace

bool Collector::repeat(const RepeatedBlocks& blocks, trace::TagPool& pool) {
  State& s = *state_;
  if (s.folded || !s.steers.empty()) return false;
  std::map<std::uint32_t, std::vector<std::shared_ptr<const Group>>> ran;
  for (const GroupKey& key : s.group_order) ran[key.block].push_back(s.groups.at(key));
  while (!s.group_order.empty()) s.fold_oldest();
  Mover mover(pool, blocks);
  for (std::uint32_t block = 0; block < blocks.like.size(); ++block) {
    const std::uint32_t like = blocks.like[block];
    if (like == block) continue;
    if (s.stopped()) return true;
    mover.to(block);
    for (const auto& group : ran[like]) {
      const auto moved = repeated_in(block, *group, mover);
      if (moved == nullptr || pool.full()) return false;
      for (const int j : s.judges_of_probe[static_cast<std::size_t>(group->probe)])
        s.judges[static_cast<std::size_t>(j)].add(moved, std::nullopt);
    }
  }
  s.repeated = fmt::format("in {} of {} blocks, which the others repeat", blocks.ran.size(), blocks.like.size());
  return true;
}

}  // namespace lanescope::claims
