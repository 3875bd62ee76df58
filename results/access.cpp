#include "results/access.h"

#include <algorithm>
#include <bit>

#include "profiling/access/traffic.h"

namespace lanescope::results {

AccessInfo priced(const access::Access& access) { return {access, access::cost(access)}; }

int AccessedWord::bytes() const {
  return static_cast<int>(
      std::count_if(lanes_of_byte.begin(), lanes_of_byte.end(), [](auto lanes) { return lanes != 0; }));
}

AccessedWords accessed_words(const access::Access& access) {
  AccessedWords words;
  for (int lane = 0; lane < 32; ++lane) {
    if (!(access.mask >> lane & 1)) continue;
    for (int n = 0; n < access.width_bytes; ++n) {
      const std::uint64_t byte = access.addresses[lane] + static_cast<std::uint64_t>(n);
      AccessedWord& word = words[byte / 4];
      word.lanes |= 1u << lane;
      word.lanes_of_byte[byte % 4] |= 1u << lane;
    }
  }
  return words;
}

namespace {

LineTransfers& line_at(AccessTotals& totals, std::uint64_t number) {
  auto at = std::lower_bound(totals.lines.begin(), totals.lines.end(), number,
                             [](const LineTransfers& l, std::uint64_t n) { return l.line < n; });
  if (at == totals.lines.end() || at->line != number) at = totals.lines.insert(at, {.line = number});
  return *at;
}

/// A transaction lies in one line: it is aligned to its size, which is at most that of a line.
void accumulate_halves(AccessTotals& totals, const access::Access& access, access::HalfWarps rule) {
  const std::size_t index = static_cast<std::size_t>(rule) - 1;
  for (const access::Transaction& one : access::half_warp_transactions(access, rule)) {
    ++totals.half_warp_sizes[index][static_cast<std::size_t>(std::countr_zero(one.bytes)) - 5];
    HalfWarpMoves& moves = line_at(totals, one.address / 128).half_warps[index];
    ++moves.transactions;
    for (std::uint64_t at = one.address; at < one.address + one.bytes; at += 32) ++moves.sectors[at % 128 / 32];
  }
}

}  // namespace

void accumulate(AccessTotals& totals, const AccessInfo& access) {
  if (access.space != trace::MemorySpace::global || access.buffer != totals.buffer) return;
  if (totals.code_line > 0 && access.line != totals.code_line) return;
  ++totals.requests;
  (access.reads() ? totals.loads : totals.stores) += 1;
  const AccessedWords touched = accessed_words(access);
  for (auto word = touched.begin(); word != touched.end();) {
    LineTransfers& line = line_at(totals, word->first / 32);
    ++line.transactions;
    std::array<bool, 4> moved{};
    for (; word != touched.end() && word->first / 32 == line.line; ++word) {
      const auto sector = word->first % 32 / 8;
      moved[sector] = true;
      for (std::uint64_t byte = 0; byte < 4; ++byte) {
        if (word->second.lanes_of_byte[byte] == 0) continue;
        line.used[sector] |= 1u << (word->first % 8 * 4 + byte);
        ++line.bytes_wanted;
      }
    }
    for (std::size_t sector = 0; sector < 4; ++sector) line.sectors[sector] += moved[sector] ? 1 : 0;
  }
  for (const access::HalfWarps rule : {access::HalfWarps::in_order, access::HalfWarps::segments})
    accumulate_halves(totals, access, rule);
}

}  // namespace lanescope::results
