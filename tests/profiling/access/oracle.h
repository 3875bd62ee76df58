#pragma once
// The same costs by plain sets, with none of the shortcuts.

#include <algorithm>
#include <map>
#include <set>

#include "profiling/access/access.h"

namespace lanescope::access::oracle {

inline GlobalCost global_cost(const Pattern& p) {
  std::set<std::uint64_t> bytes, sectors, lines;
  for (int lane = 0; lane < 32; ++lane) {
    if (!(p.mask >> lane & 1)) continue;
    for (int b = 0; b < p.width_bytes; ++b) bytes.insert(p.addresses[lane] + b);
  }
  for (const auto byte : bytes) sectors.insert(byte / 32), lines.insert(byte / 128);
  return {.requests = p.mask != 0,
          .sectors = static_cast<std::uint32_t>(sectors.size()),
          .lines = static_cast<std::uint32_t>(lines.size()),
          .bytes_wanted = static_cast<std::uint32_t>(bytes.size()),
          .bytes_moved = static_cast<std::uint32_t>(sectors.size() * 32)};
}

inline SharedCost shared_cost(const Pattern& p) {
  const auto active = [&](int lane) { return (p.mask >> lane & 1) != 0; };
  const auto agree = [&](int distance) {
    bool all = true;
    for (int l = 0; l < 32; ++l)
      all = all && (!active(l) || !active(l ^ distance) || p.addresses[l] == p.addresses[l ^ distance]);
    return all;
  };
  int group = p.width_bytes == 16 ? 8 : p.width_bytes == 8 ? 16 : 32;
  if (p.direction == Direction::load && p.width_bytes >= 8 && (agree(1) || agree(2))) group *= 2;
  SharedCost cost{.requests = p.mask != 0};
  std::set<std::uint64_t> all;
  std::uint32_t groups = 0;
  for (int begin = 0; begin < 32; begin += group) {
    std::map<std::uint64_t, std::set<std::uint64_t>> banks;
    for (int l = begin; l < begin + group; ++l)
      for (int b = 0; active(l) && b < p.width_bytes; ++b) {
        const std::uint64_t word = (p.addresses[l] + b) / 4;
        banks[word % 32].insert(word);
        all.insert(word);
      }
    std::uint32_t most = 0;
    for (const auto& [bank, words] : banks) most = std::max(most, static_cast<std::uint32_t>(words.size()));
    cost.wavefronts += most;
    groups += !banks.empty();
  }
  cost.ideal_wavefronts = static_cast<std::uint32_t>((all.size() + 31) / 32);
  cost.bank_conflicts = cost.wavefronts - groups;
  return cost;
}

}  // namespace lanescope::access::oracle
