#include "kernels/trace/tag_sets.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>
#include <unordered_set>

#include "kernels/base/check.h"

namespace lanescope::trace {

namespace {
constexpr std::uint32_t largest_flat_union = 16;
constexpr std::size_t most_nodes = std::size_t{1} << 24;  // 256 MiB of nodes; beyond it unions are `too_many`

std::uint64_t mix(std::uint64_t x) {
  x ^= x >> 32;
  x *= 0xd6e8feb86659fd93u;
  x ^= x >> 29;
  x *= 0x9e3779b97f4a7c15u;
  return x ^ (x >> 32);
}
}  // namespace

std::uint64_t hash_words(std::span<const std::uint64_t> words) {
  std::uint64_t h = 0x51ed270b7f3a9d4du ^ words.size();
  for (std::uint64_t w : words) h = mix(h ^ w) + 0x2545f4914f6cdd1du;
  return h;
}

SetTable::SetTable() { nodes_.push_back({.count = std::numeric_limits<std::uint32_t>::max()}); }

std::uint64_t SetTable::hash_children(std::uint64_t children) { return mix(children ^ 0xa5a5a5a55a5a5a5au); }

std::uint64_t SetTable::hash_node(std::uint32_t id) const {
  const Node& n = nodes_[id];
  return n.flat ? hash_words(flat(n)) : hash_children(n.first_or_children);
}

bool SetTable::full() const { return nodes_.size() >= most_nodes || bytes() >= most_bytes_; }

std::uint32_t SetTable::intern(std::span<const std::uint64_t> sorted) {
  const std::uint64_t hash = hash_words(sorted);
  const std::uint32_t found = table_.find(
      hash, [&](std::uint32_t id) { return nodes_[id].flat && std::ranges::equal(flat(nodes_[id]), sorted); });
  if (found != 0) return found;
  if (full()) return too_many;
  const auto id = static_cast<std::uint32_t>(nodes_.size());
  nodes_.push_back({arena_.size(), static_cast<std::uint32_t>(sorted.size()), true});
  arena_.insert(arena_.end(), sorted.begin(), sorted.end());
  table_.insert(hash, id, [&](std::uint32_t other) { return hash_node(other); });
  return id;
}

/// A loop that adds the same few elements again and again must not grow a node per turn. Looks at the newest additions
/// only; missing an old one costs a node, nothing else.
bool SetTable::contains_soon(std::uint32_t in, std::uint32_t small) const {
  const auto wanted = flat(nodes_[small]);
  std::uint32_t missing = (1u << wanted.size()) - 1;
  for (int depth = 0; depth < 24 && missing != 0; ++depth) {
    const Node& n = nodes_[in];
    const auto look = [&](std::uint32_t id) {
      if (!nodes_[id].flat) return;
      const auto have = flat(nodes_[id]);
      for (std::size_t i = 0; i < wanted.size(); ++i)
        if (std::ranges::binary_search(have, wanted[i])) missing &= ~(1u << i);
    };
    if (n.flat) {
      look(in);
      break;
    }
    const auto left = static_cast<std::uint32_t>(n.first_or_children >> 32);
    const auto right = static_cast<std::uint32_t>(n.first_or_children);
    look(right);
    look(left);
    in = nodes_[left].flat ? right : left;
  }
  return missing == 0;
}

std::uint32_t SetTable::unite(std::uint32_t a, std::uint32_t b) {
  if (a == b) return a;
  if (a == too_many || b == too_many) return too_many;
  if (nodes_[a].count < nodes_[b].count) std::swap(a, b);
  const Node big = nodes_[a], small = nodes_[b];
  if (big.flat && small.flat && big.count + small.count <= largest_flat_union) {
    std::array<std::uint64_t, largest_flat_union> both;
    const auto end = std::ranges::set_union(flat(big), flat(small), both.begin()).out;
    return intern({both.begin(), end});
  }
  if (small.flat && small.count <= largest_flat_union && contains_soon(a, b)) return a;
  const std::uint64_t children = std::uint64_t{a} << 32 | b;
  const std::uint64_t hash = hash_children(children);
  const std::uint32_t found =
      table_.find(hash, [&](std::uint32_t id) { return !nodes_[id].flat && nodes_[id].first_or_children == children; });
  if (found != 0) return found;
  if (full()) return too_many;
  const auto id = static_cast<std::uint32_t>(nodes_.size());
  const std::uint64_t sum = std::uint64_t{big.count} + small.count;
  nodes_.push_back({children, static_cast<std::uint32_t>(std::min<std::uint64_t>(sum, 0xfffffffe)), false});
  table_.insert(hash, id, [&](std::uint32_t other) { return hash_node(other); });
  return id;
}

std::uint32_t SetTable::symmetric_difference(std::uint32_t a, std::uint32_t b) {
  if (a == too_many || b == too_many) return too_many;
  std::vector<std::uint64_t> out;
  std::ranges::set_symmetric_difference(list(a), list(b), std::back_inserter(out));
  return intern(out);
}

std::vector<std::uint64_t> SetTable::flatten(std::uint32_t id) const {
  std::vector<std::uint64_t> out;
  std::vector<std::uint32_t> todo{id};
  std::unordered_set<std::uint32_t> seen{id};
  while (!todo.empty()) {
    const Node& n = nodes_[todo.back()];
    todo.pop_back();
    if (n.flat) {
      const auto members = flat(n);
      out.insert(out.end(), members.begin(), members.end());
      continue;
    }
    for (std::uint32_t child :
         {static_cast<std::uint32_t>(n.first_or_children >> 32), static_cast<std::uint32_t>(n.first_or_children)})
      if (seen.insert(child).second) todo.push_back(child);
  }
  std::ranges::sort(out);
  const auto extra = std::ranges::unique(out);
  out.erase(extra.begin(), extra.end());
  return out;
}

std::span<const std::uint64_t> SetTable::list(std::uint32_t id) const {
  LS_CHECK_LT(id, nodes_.size());
  if (id == too_many) return {};
  if (nodes_[id].flat) return flat(nodes_[id]);
  auto it = listed_.find(id);
  if (it == listed_.end()) it = listed_.emplace(id, flatten(id)).first;
  return it->second;
}

std::optional<std::pair<std::uint32_t, std::uint32_t>> SetTable::halves(std::uint32_t id) const {
  LS_CHECK_LT(id, nodes_.size());
  if (nodes_[id].flat) return std::nullopt;
  const std::uint64_t both = nodes_[id].first_or_children;
  return std::pair{static_cast<std::uint32_t>(both >> 32), static_cast<std::uint32_t>(both)};
}

std::uint32_t SetTable::count(std::uint32_t id) const {
  if (nodes_[id].flat) return nodes_[id].count;
  auto it = counted_.find(id);
  if (it == counted_.end()) it = counted_.emplace(id, static_cast<std::uint32_t>(flatten(id).size())).first;
  return it->second;
}

}  // namespace lanescope::trace
