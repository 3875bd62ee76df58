#include "kernels/ptx/reconvergence.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string_view>

#include "kernels/ptx/graph.h"

namespace lanescope::ptx {

namespace {

/// Immediate dominators by the iteration of Cooper, Harvey and Kennedy; -1 where `root` does not lead.
std::vector<int> dominators(int nodes, int root, const std::vector<std::vector<int>>& next,
                            const std::vector<std::vector<int>>& before) {
  std::vector<int> order, number(static_cast<std::size_t>(nodes), -1), idom(static_cast<std::size_t>(nodes), -1);
  std::vector<std::pair<int, std::size_t>> open{{root, 0}};
  std::vector<bool> seen(static_cast<std::size_t>(nodes), false);
  seen[static_cast<std::size_t>(root)] = true;
  while (!open.empty()) {
    auto& [node, at] = open.back();
    const auto& to = next[static_cast<std::size_t>(node)];
    if (at < to.size()) {
      const int n = to[at++];
      if (seen[static_cast<std::size_t>(n)]) continue;
      seen[static_cast<std::size_t>(n)] = true;
      open.emplace_back(n, 0);
    } else {
      number[static_cast<std::size_t>(node)] = static_cast<int>(order.size());
      order.push_back(node);
      open.pop_back();
    }
  }
  std::ranges::reverse(order);
  idom[static_cast<std::size_t>(root)] = root;
  for (bool changed = true; changed;) {
    changed = false;
    for (const int node : order) {
      if (node == root) continue;
      int found = -1;
      for (int p : before[static_cast<std::size_t>(node)]) {
        if (idom[static_cast<std::size_t>(p)] < 0) continue;
        if (found < 0) {
          found = p;
          continue;
        }
        int q = found;
        while (p != q) {
          while (number[static_cast<std::size_t>(p)] < number[static_cast<std::size_t>(q)])
            p = idom[static_cast<std::size_t>(p)];
          while (number[static_cast<std::size_t>(q)] < number[static_cast<std::size_t>(p)])
            q = idom[static_cast<std::size_t>(q)];
        }
        found = p;
      }
      if (idom[static_cast<std::size_t>(node)] != found) {
        idom[static_cast<std::size_t>(node)] = found;
        changed = true;
      }
    }
  }
  return idom;
}

struct Loop {
  int header = 0;
  std::vector<bool> has;  ///< by block
  std::size_t size = 0;
};

/// Natural loops, outer ones first.
std::vector<Loop> loops_of(const Graph& g) {
  const int nodes = static_cast<int>(g.blocks.size());
  std::vector<std::vector<int>> next;
  for (const Block& b : g.blocks) next.push_back(b.next);
  const std::vector<int> idom = dominators(nodes, 0, next, g.before);
  const auto dominates = [&](int a, int b) {
    while (b != a && b != 0 && idom[static_cast<std::size_t>(b)] >= 0) b = idom[static_cast<std::size_t>(b)];
    return a == b;
  };
  std::vector<Loop> loops;
  for (int b = 0; b < nodes; ++b) {
    if (idom[static_cast<std::size_t>(b)] < 0) continue;
    for (const int h : g.blocks[static_cast<std::size_t>(b)].next) {
      if (!dominates(h, b)) continue;
      auto loop = std::ranges::find(loops, h, &Loop::header);
      if (loop == loops.end()) {
        loops.push_back({h, std::vector<bool>(g.blocks.size(), false), 1});
        loop = loops.end() - 1;
        loop->has[static_cast<std::size_t>(h)] = true;
      }
      std::vector<int> open{b};
      while (!open.empty()) {
        const int n = open.back();
        open.pop_back();
        if (loop->has[static_cast<std::size_t>(n)] || idom[static_cast<std::size_t>(n)] < 0) continue;
        loop->has[static_cast<std::size_t>(n)] = true;
        ++loop->size;
        for (const int p : g.before[static_cast<std::size_t>(n)]) open.push_back(p);
      }
    }
  }
  std::ranges::stable_sort(loops, std::greater{}, &Loop::size);
  return loops;
}

/// Whether what the instruction writes may come from another thread at any time.
bool reads_what_others_write(const Instruction& i) {
  if (i.opcode == "ld") return i.has("volatile") || i.has("relaxed") || i.has("acquire") || i.has("mmio");
  if (i.opcode == "mbarrier") return i.has("test_wait") || i.has("try_wait");
  return i.opcode == "atom";
}

/// Whether a lane leaves the loop by what another thread writes.
bool waits_for_others(const Entry& entry, const Graph& g, const Loop& loop) {
  std::vector<const Instruction*> body;
  std::vector<bool> from_others(entry.registers.size(), false);
  bool any = false;
  for (std::size_t b = 0; b + 1 < g.blocks.size(); ++b)
    for (int n = g.blocks[b].first; loop.has[b] && n <= g.blocks[b].last; ++n) {
      body.push_back(&entry.code[static_cast<std::size_t>(n)]);
      any = any || reads_what_others_write(*body.back());
    }
  if (!any) return false;
  for (bool changed = true; changed;) {
    changed = false;
    for (const Instruction* i : body) {
      if (i->operands.empty() || is_any(i->opcode, {"st", "red", "bra", "brx"})) continue;
      bool depends =
          reads_what_others_write(*i) || (i->predicate >= 0 && from_others[static_cast<std::size_t>(i->predicate)]);
      for (std::size_t o = 1; o < i->operands.size(); ++o)
        each_register(i->operands[o], [&](int r) { depends = depends || from_others[static_cast<std::size_t>(r)]; });
      if (!depends) continue;
      each_register(i->operands[0], [&](int r) {
        changed = changed || !from_others[static_cast<std::size_t>(r)];
        from_others[static_cast<std::size_t>(r)] = true;
      });
    }
  }
  for (std::size_t b = 0; b + 1 < g.blocks.size(); ++b) {
    const Block& block = g.blocks[b];
    if (!loop.has[b] || !block.parts) continue;
    const bool is_exit =
        block.ends || std::ranges::any_of(block.next, [&](int to) { return !loop.has[static_cast<std::size_t>(to)]; });
    const Instruction& last = entry.code[static_cast<std::size_t>(block.last)];
    bool depends = last.predicate >= 0 && from_others[static_cast<std::size_t>(last.predicate)];
    for (const Operand& o : last.operands)
      each_register(o, [&](int r) { depends = depends || from_others[static_cast<std::size_t>(r)]; });
    if (is_exit && depends) return true;
  }
  return false;
}

/// The graph without ways back, in an order in which every way leads forward. A way back to the header of a loop leads to
/// the end of its round instead, which is a node of its own, and from there to where lanes leave the loop.
struct Forward {
  std::vector<std::vector<int>> next;  ///< by node: the blocks, then the ends of rounds, one for each loop
  std::vector<int> rank;               ///< by node

  Forward(const Graph& g, const std::vector<Loop>& loops)
      : next(g.blocks.size() + loops.size()), rank(next.size(), -1), loops_(loops) {
    const auto size = g.blocks.size();
    for (std::size_t b = 0; b < size; ++b)
      for (const int to : g.blocks[b].next) {
        const auto loop = std::ranges::find(loops, to, &Loop::header);
        const bool again = loop != loops.end() && loop->has[b];
        next[b].push_back(again ? static_cast<int>(size + static_cast<std::size_t>(loop - loops.begin())) : to);
      }
    for (std::size_t l = 0; l < loops.size(); ++l)
      for (std::size_t b = 0; b < size; ++b)
        for (const int to : loops[l].has[b] ? next[b] : std::vector<int>{}) {
          auto& out = next[size + l];
          if (!is_inside(to, static_cast<int>(l)) && std::ranges::find(out, to) == out.end()) out.push_back(to);
        }
    // Depth first; ways back that are left belong to no loop with one entry, and are cut.
    std::vector<int> order;
    std::vector<std::uint8_t> state(next.size(), 0);  // 1: on the way, 2: done
    std::vector<std::pair<int, std::size_t>> open{{0, 0}};
    state[0] = 1;
    while (!open.empty()) {
      auto& [node, at] = open.back();
      auto& to = next[static_cast<std::size_t>(node)];
      if (at == to.size()) {
        state[static_cast<std::size_t>(node)] = 2;
        order.push_back(node);
        open.pop_back();
        continue;
      }
      const int n = to[at];
      if (state[static_cast<std::size_t>(n)] == 1) {
        to.erase(to.begin() + static_cast<std::ptrdiff_t>(at));
        continue;
      }
      ++at;
      if (state[static_cast<std::size_t>(n)] == 2) continue;
      state[static_cast<std::size_t>(n)] = 1;
      open.emplace_back(n, 0);
    }
    for (std::size_t i = 0; i < order.size(); ++i)
      rank[static_cast<std::size_t>(order[i])] = static_cast<int>(order.size() - 1 - i);
  }

  /// The first node to which all of the ways lead that have not ended before, inside of `loop` (-1: anywhere); -1: there
  /// is none.
  int first_common(const std::vector<int>& ways, int loop) const {
    std::map<int, std::pair<int, std::uint64_t>> open;  // by rank: node, ways that lead there
    const auto add = [&](int node, std::uint64_t from) {
      if (rank[static_cast<std::size_t>(node)] < 0 || !is_inside(node, loop)) return;
      open.try_emplace(rank[static_cast<std::size_t>(node)], node, 0).first->second.second |= from;
    };
    for (std::size_t w = 0; w < ways.size(); ++w) add(ways[w], std::uint64_t{1} << w % 64);
    while (!open.empty()) {
      const auto [node, from] = open.begin()->second;
      std::uint64_t all = 0;
      for (const auto& [_, other] : open) all |= other.second;
      if ((all & (all - 1)) == 0) return -1;
      // Lanes of a block that ends the kernel stay apart while others can go elsewhere: the machine code has an exit there.
      const bool ends = next[static_cast<std::size_t>(node)].empty();
      if (from == all && (!ends || open.size() == 1)) return node;
      open.erase(open.begin());
      for (const int to : next[static_cast<std::size_t>(node)]) add(to, from);
    }
    return -1;
  }

  /// Whether a node is a block of the loop, or the end of its round or of one in it.
  bool is_inside(int node, int loop) const {
    if (loop < 0) return true;
    const auto n = static_cast<std::size_t>(node);
    const std::vector<bool>& has = loops_[static_cast<std::size_t>(loop)].has;
    return n < has.size() ? has[n] : has[static_cast<std::size_t>(loops_[n - has.size()].header)];
  }

 private:
  const std::vector<Loop>& loops_;
};

}  // namespace

Reconvergence reconvergence(const Entry& entry) {
  const Graph g(entry);
  const std::vector<Loop> loops = loops_of(g);
  const Forward forward(g, loops);
  const std::size_t blocks = g.blocks.size();
  Reconvergence out;
  out.by_instruction.resize(entry.code.size() + 1);
  std::vector<int> in_order(forward.next.size(), -1);
  for (std::size_t n = 0; n < forward.rank.size(); ++n)
    if (forward.rank[n] >= 0) in_order[static_cast<std::size_t>(forward.rank[n])] = static_cast<int>(n);
  std::vector<int> rank(forward.next.size(), 0);  // of the first instruction of a node
  int next_rank = 1;
  for (std::size_t n = 0; n < blocks; ++n)
    if (forward.rank[n] < 0) in_order.push_back(static_cast<int>(n));  // blocks that only exit
  for (const int node : in_order) {
    if (node < 0) continue;
    rank[static_cast<std::size_t>(node)] = next_rank++;
    if (static_cast<std::size_t>(node) >= blocks) continue;
    const Block& block = g.blocks[static_cast<std::size_t>(node)];
    for (int n = block.first; n <= block.last; ++n) out.by_instruction[static_cast<std::size_t>(n)].rank = next_rank++;
  }
  for (std::size_t l = 0; l < loops.size(); ++l) {
    auto& header =
        out.by_instruction[static_cast<std::size_t>(g.blocks[static_cast<std::size_t>(loops[l].header)].first)];
    header.round_ends = rank[blocks + l];
    header.yields = waits_for_others(entry, g, loops[l]);
  }
  std::vector<int> innermost(blocks, -1), outer;
  for (std::size_t l = 0; l < loops.size(); ++l) {
    outer.push_back(innermost[static_cast<std::size_t>(loops[l].header)]);
    for (std::size_t b = 0; b < blocks; ++b)
      if (loops[l].has[b]) innermost[b] = static_cast<int>(l);
  }
  for (const Block& block : g.blocks) {
    if (!block.parts) continue;
    auto& at = out.by_instruction[static_cast<std::size_t>(block.last)];
    const auto b = static_cast<std::size_t>(&block - g.blocks.data());
    // Lanes that leave a loop meet where all do that leave it.
    int node = -1;
    std::vector<int> ways = forward.next[b];
    for (int loop = innermost[b]; node < 0; loop = outer[static_cast<std::size_t>(loop)]) {
      std::erase_if(ways, [&](int way) { return !forward.is_inside(way, loop); });
      node = ways.size() == 1 && loop != innermost[b] ? ways.front() : forward.first_common(ways, loop);
      if (loop < 0) break;
      ways = forward.next[blocks + static_cast<std::size_t>(loop)];
    }
    if (node < 0) node = block.end;
    if (node >= 0) {
      const bool is_round = static_cast<std::size_t>(node) >= blocks;
      const int to = is_round ? loops[static_cast<std::size_t>(node) - blocks].header : node;
      at.join = g.blocks[static_cast<std::size_t>(to)].first;
      at.join_rank =
          is_round ? rank[static_cast<std::size_t>(node)] : out.by_instruction[static_cast<std::size_t>(at.join)].rank;
    } else if (entry.is_function) {
      at.join = Reconvergence::returned;
    }
  }
  // Lanes that a guard keeps from a call wait after it.
  for (std::size_t n = 0; n < entry.code.size(); ++n)
    if (entry.code[n].opcode == "call") {
      out.by_instruction[n].join = static_cast<int>(n) + 1;
      out.by_instruction[n].join_rank = out.by_instruction[n + 1].rank;
    }
  return out;
}

}  // namespace lanescope::ptx
