#pragma once
// Sets of 64-bit numbers, named by small ids. Small sets live once, sorted, in an arena. A union that would be large is
// kept as a node of two children and listed only on request: a running sum over n elements makes n nodes of
// 16 bytes instead of n lists.

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

namespace lanescope::trace {

/// Open addressing over ids whose contents live elsewhere.
class IdTable {
 public:
  std::uint32_t find(std::uint64_t hash, auto same) const {
    if (slots_.empty()) return 0;
    for (std::size_t i = hash & (slots_.size() - 1);; i = (i + 1) & (slots_.size() - 1)) {
      if (slots_[i].id == 0) return 0;
      if (slots_[i].hash == static_cast<std::uint32_t>(hash >> 32) && same(slots_[i].id)) return slots_[i].id;
    }
  }
  /// `rehash` gives the full hash of an id already stored. Ids are never 0.
  void insert(std::uint64_t hash, std::uint32_t id, auto rehash) {
    if ((count_ + 1) * 2 > slots_.size()) grow(rehash);
    place(hash, id);
    ++count_;
  }
  std::size_t bytes() const { return slots_.capacity() * sizeof(Slot); }
  /// At most, after so many insertions.
  std::size_t bytes_with(std::size_t more) const {
    std::size_t slots = slots_.size();
    while ((count_ + more) * 2 > slots) slots = slots == 0 ? 1024 : slots * 2;
    return slots * sizeof(Slot);
  }
  std::size_t count() const { return count_; }

 private:
  struct Slot {
    std::uint32_t id = 0, hash = 0;
  };
  void place(std::uint64_t hash, std::uint32_t id) {
    std::size_t i = hash & (slots_.size() - 1);
    while (slots_[i].id != 0) i = (i + 1) & (slots_.size() - 1);
    slots_[i] = {id, static_cast<std::uint32_t>(hash >> 32)};
  }
  void grow(auto rehash) {
    std::vector<Slot> old(slots_.empty() ? 1024 : slots_.size() * 2);
    old.swap(slots_);
    for (const Slot& s : old)
      if (s.id != 0) place(rehash(s.id), s.id);
  }
  std::vector<Slot> slots_;
  std::size_t count_ = 0;
};

/// Bytes of a vector after so many elements more, which come one by one: its capacity doubles.
template <class T>
std::size_t bytes_with(const std::vector<T>& v, std::size_t more) {
  std::size_t capacity = v.capacity();
  while (v.size() + more > capacity) capacity = capacity == 0 ? more : capacity * 2;
  return capacity * sizeof(T);
}

std::uint64_t hash_words(std::span<const std::uint64_t> words);

class SetTable {
 public:
  SetTable();
  /// Its new sets are numbered after those of `below`, which are its own, too, and must not change meanwhile.
  explicit SetTable(const SetTable* below);
  static constexpr std::uint32_t too_many = 0;
  std::uint32_t intern(std::span<const std::uint64_t> sorted);
  std::uint32_t unite(std::uint32_t a, std::uint32_t b);
  std::uint32_t symmetric_difference(std::uint32_t a, std::uint32_t b);
  std::span<const std::uint64_t> list(std::uint32_t id) const;
  /// The two sets that a large union was made of, which need not be disjoint; nullopt where the members are listed.
  std::optional<std::pair<std::uint32_t, std::uint32_t>> halves(std::uint32_t id) const;
  /// Distinct members; UINT32_MAX for too_many.
  std::uint32_t count(std::uint32_t id) const;
  /// Beyond it new sets are `too_many`.
  void keep_at_most(std::size_t bytes) { most_bytes_ = bytes; }
  bool full() const;
  /// At most, after take().
  std::size_t bytes_with(const SetTable& on_top) const {
    return trace::bytes_with(nodes_, on_top.nodes_.size()) + trace::bytes_with(arena_, on_top.arena_.size()) +
           table_.bytes_with(on_top.table_.count());
  }
  /// Adds the new sets of `on_top`, which is on top of this one; gives their numbers here, in order.
  std::vector<std::uint32_t> take(const SetTable& on_top);
  /// Sets that are not those of the one below.
  std::uint32_t first_own() const { return first_own_; }
  /// Of nodes, members and the table over them, without lists made on request.
  std::size_t bytes() const {
    return nodes_.capacity() * sizeof(Node) + arena_.capacity() * sizeof(std::uint64_t) + table_.bytes();
  }

 private:
  struct Node {
    std::uint64_t first_or_children = 0;  ///< flat: index into arena_; union: left << 32 | right
    std::uint32_t count = 0;              ///< flat: members; union: an upper bound
    bool flat = true;
  };
  static std::uint64_t hash_children(std::uint64_t children);
  std::uint64_t hash_node(std::uint32_t id) const;
  const Node& node(std::uint32_t id) const { return id < first_own_ ? below_->node(id) : nodes_[id - first_own_]; }
  std::span<const std::uint64_t> flat(std::uint32_t id) const {
    if (id < first_own_) return below_->flat(id);
    const Node& n = nodes_[id - first_own_];
    return {arena_.data() + n.first_or_children, n.count};
  }
  std::uint32_t size() const { return first_own_ + static_cast<std::uint32_t>(nodes_.size()); }
  std::uint32_t find(std::uint64_t hash, std::span<const std::uint64_t> sorted) const;
  std::uint32_t find(std::uint64_t hash, std::uint64_t children) const;
  bool contains_soon(std::uint32_t in, std::uint32_t small) const;
  std::vector<std::uint64_t> flatten(std::uint32_t id) const;

  const SetTable* below_ = nullptr;
  std::uint32_t first_own_ = 0;
  std::size_t most_bytes_ = ~std::size_t{0};
  std::vector<Node> nodes_;
  std::vector<std::uint64_t> arena_;
  IdTable table_;
  mutable std::map<std::uint32_t, std::vector<std::uint64_t>> listed_;
  mutable std::unordered_map<std::uint32_t, std::uint32_t> counted_;
};

}  // namespace lanescope::trace
