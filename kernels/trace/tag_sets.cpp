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

SetTable::SetTable(const SetTable* below) : below_(below), first_own_(below->size()), most_bytes_(below->most_bytes_) {}

std::uint64_t SetTable::hash_children(std::uint64_t children) { return mix(children ^ 0xa5a5a5a55a5a5a5au); }

std::uint64_t SetTable::hash_node(std::uint32_t id) const {
  const Node& n = node(id);
  return n.flat ? hash_words(flat(id)) : hash_children(n.first_or_children);
}

bool SetTable::full() const { return size() >= most_nodes || bytes() >= most_bytes_; }

std::uint32_t SetTable::find(std::uint64_t hash, std::span<const std::uint64_t> sorted) const {
  const std::uint32_t before = below_ != nullptr ? below_->find(hash, sorted) : 0;
  if (before != 0) return before;
  return table_.find(hash, [&](std::uint32_t id) { return node(id).flat && std::ranges::equal(flat(id), sorted); });
}

std::uint32_t SetTable::find(std::uint64_t hash, std::uint64_t children) const {
  const std::uint32_t before = below_ != nullptr ? below_->find(hash, children) : 0;
  if (before != 0) return before;
  return table_.find(hash, [&](std::uint32_t id) { return !node(id).flat && node(id).first_or_children == children; });
}

std::uint32_t SetTable::intern(std::span<const std::uint64_t> sorted) {
  const std::uint64_t hash = hash_words(sorted);
  if (const std::uint32_t found = find(hash, sorted); found != 0) return found;
  if (full()) return too_many;
  const std::uint32_t id = size();
  nodes_.push_back({arena_.size(), static_cast<std::uint32_t>(sorted.size()), true});
  arena_.insert(arena_.end(), sorted.begin(), sorted.end());
  table_.insert(hash, id, [&](std::uint32_t other) { return hash_node(other); });
  return id;
}

/// A loop that adds the same few elements again and again must not grow a node per turn. Looks at the newest additions
/// only; missing an old one costs a node, nothing else.
bool SetTable::contains_soon(std::uint32_t in, std::uint32_t small) const {
  const auto wanted = flat(small);
  std::uint32_t missing = (1u << wanted.size()) - 1;
  for (int depth = 0; depth < 24 && missing != 0; ++depth) {
    const Node& n = node(in);
    const auto look = [&](std::uint32_t id) {
      if (!node(id).flat) return;
      const auto have = flat(id);
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
    in = node(left).flat ? right : left;
  }
  return missing == 0;
}

std::uint32_t SetTable::unite(std::uint32_t a, std::uint32_t b) {
  if (a == b) return a;
  if (a == too_many || b == too_many) return too_many;
  if (node(a).count < node(b).count) std::swap(a, b);
  const Node big = node(a), small = node(b);
  if (big.flat && small.flat && big.count + small.count <= largest_flat_union) {
    std::array<std::uint64_t, largest_flat_union> both;
    const auto end = std::ranges::set_union(flat(a), flat(b), both.begin()).out;
    return intern({both.begin(), end});
  }
  if (small.flat && small.count <= largest_flat_union && contains_soon(a, b)) return a;
  const std::uint64_t children = std::uint64_t{a} << 32 | b;
  const std::uint64_t hash = hash_children(children);
  if (const std::uint32_t found = find(hash, children); found != 0) return found;
  if (full()) return too_many;
  const std::uint32_t id = size();
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
    const std::uint32_t next = todo.back();
    const Node& n = node(next);
    todo.pop_back();
    if (n.flat) {
      const auto members = flat(next);
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
  LS_CHECK_LT(id, size());
  if (id == too_many) return {};
  if (node(id).flat) return flat(id);
  auto it = listed_.find(id);
  if (it == listed_.end()) it = listed_.emplace(id, flatten(id)).first;
  return it->second;
}

std::optional<std::pair<std::uint32_t, std::uint32_t>> SetTable::halves(std::uint32_t id) const {
  LS_CHECK_LT(id, size());
  if (node(id).flat) return std::nullopt;
  const std::uint64_t both = node(id).first_or_children;
  return std::pair{static_cast<std::uint32_t>(both >> 32), static_cast<std::uint32_t>(both)};
}

std::uint32_t SetTable::count(std::uint32_t id) const {
  if (node(id).flat) return node(id).count;
  auto it = counted_.find(id);
  if (it == counted_.end()) it = counted_.emplace(id, static_cast<std::uint32_t>(flatten(id).size())).first;
  return it->second;
}

std::vector<std::uint32_t> SetTable::take(const SetTable& on_top) {
  std::vector<std::uint32_t> ids;
  ids.reserve(on_top.nodes_.size());
  const auto here = [&](std::uint32_t id) { return id < on_top.first_own_ ? id : ids[id - on_top.first_own_]; };
  for (std::uint32_t id = on_top.first_own_; id < on_top.size(); ++id) {
    const auto both = on_top.halves(id);
    ids.push_back(both ? unite(here(both->first), here(both->second)) : intern(on_top.flat(id)));
  }
  return ids;
}

}  // namespace lanescope::trace
