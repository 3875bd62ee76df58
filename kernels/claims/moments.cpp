#include "kernels/claims/collector.h"

#include <algorithm>

#include "kernels/base/set_bits.h"

namespace lanescope::claims {

Moments::Moments(const BlockLog& log) : count_(log.entries.size()) {
  for (std::size_t n = 0; n < log.entries.size(); ++n) {
    const BlockLog::Entry& e = log.entries[n];
    Moment& m = moments_[{e.probe, e.word.iteration}][e.word.warp];
    m = {std::max(m.step, e.word.step), m.mask | e.word.mask, e.word.pc};
    words_[{e.variable, e.byte_offset, e.word.warp}].push_back(static_cast<std::uint32_t>(n));
    std::uint32_t& count = iterations_[e.probe];
    count = std::max(count, e.word.iteration + 1);
  }
}

std::uint32_t Moments::iterations(int probe) const {
  const auto it = iterations_.find(probe);
  return it == iterations_.end() ? 0 : it->second;
}

Snapshot Moments::at(const BlockLog& log, int probe, std::uint32_t block, std::uint32_t iteration,
                     std::span<const ProbeWords::Word> words) const {
  Snapshot s{.block = block, .iteration = iteration, .warps = {}};
  const auto moment = moments_.find({probe, iteration});
  if (moment == moments_.end()) return s;
  for (const auto& [warp, when] : moment->second) {
    Snapshot::Warp w{warp, std::vector<LaneTags>(words.size()), std::vector<std::uint32_t>(words.size()),
                     std::vector<WordRecord>(words.size())};
    for (std::size_t n = 0; n < words.size(); ++n) {
      const auto found = words_.find({words[n].variable, words[n].byte_offset, warp});
      if (found == words_.end()) continue;
      const std::vector<std::uint32_t>& seen = found->second;
      auto it = std::upper_bound(seen.begin(), seen.end(), when.step,
                                 [&](std::uint64_t step, std::uint32_t e) { return step < log.entries[e].word.step; });
      std::uint32_t missing = when.mask;
      while (it != seen.begin() && missing != 0) {
        const WordRecord& r = log.entries[*--it].word;
        const LaneTags tags = log.tags.get(r.tags);
        for (const std::size_t lane : set_bits(r.mask & missing)) {
          w.tags[n][lane] = tags[lane];
        }
        w.masks[n] |= r.mask & missing;
        missing &= ~r.mask;
        w.records[n].pc = when.pc;
        w.records[n].step = when.step;
      }
    }
    s.warps.push_back(std::move(w));
  }
  return s;
}

}  // namespace lanescope::claims
