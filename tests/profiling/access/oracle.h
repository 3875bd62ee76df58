#pragma once
// The same costs by plain sets, with none of the shortcuts.

#include <algorithm>
#include <map>
#include <set>

#include "profiling/access/access.h"

namespace lanescope::access::oracle {

inline Cost global_cost(const Access& p) {
  std::set<std::uint64_t> bytes, sectors, lines;
  for (int lane = 0; lane < 32; ++lane) {
    if (!(p.mask >> lane & 1)) continue;
    for (int b = 0; b < p.width_bytes; ++b) bytes.insert(p.addresses[lane] + b);
  }
  for (const auto byte : bytes) sectors.insert(byte / 32), lines.insert(byte / 128);
  Cost cost;
  cost.requests = p.mask != 0;
  cost.sectors = sectors.size(), cost.lines = lines.size();
  cost.bytes_wanted = bytes.size(), cost.bytes_moved = sectors.size() * 32;
  return cost;
}

/// Loads, stores, atomics and matrices.
inline Cost shared_cost(const Access& p) {
  const auto active = [&](int lane) { return (p.mask >> lane & 1) != 0; };
  const auto agree = [&](int distance) {
    bool all = true;
    for (int l = 0; l < 32; ++l)
      all = all && (!active(l) || !active(l ^ distance) || p.addresses[l] == p.addresses[l ^ distance]);
    return all;
  };
  int group = p.width_bytes == 16 ? 8 : p.width_bytes == 8 ? 16 : 32;
  if (p.matrices > 0) group = 8;
  const bool atomic = trace::is_atomic(p.kind),
             each_lane = atomic && (p.width_bytes > 4 || p.turns == AtomicTurns::lanes);
  if (atomic) group = p.width_bytes > 4 ? 16 : 32;
  if (p.matrices == 0 && p.kind == AccessKind::load && p.width_bytes >= 8 && (agree(1) || agree(2))) group *= 2;
  Cost cost;
  cost.requests = p.mask != 0;
  std::set<std::uint64_t> all;
  std::uint32_t groups = 0;
  for (int begin = 0; begin < 32; begin += group) {
    std::map<std::uint64_t, std::set<std::pair<std::uint64_t, int>>> banks;  // words, or words and lanes
    for (int l = begin; l < begin + group; ++l)
      for (int b = 0; active(l) && b < p.width_bytes; ++b) {
        const std::uint64_t word = (p.addresses[l] + b) / 4;
        banks[word % 32].insert({word, each_lane ? l : 0});
        all.insert(word);
      }
    std::size_t most = 0;
    for (const auto& [bank, turns] : banks) most = std::max(most, turns.size());
    cost.wavefronts += most;
    groups += !banks.empty();
  }
  cost.ideal_wavefronts = (all.size() + 31) / 32;
  cost.bank_conflicts = cost.wavefronts - groups;
  return cost;
}

}  // namespace lanescope::access::oracle
