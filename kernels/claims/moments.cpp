#include <fmt/format.h>

#include <algorithm>

#include "kernels/base/set_bits.h"
#include "kernels/claims/collector.h"

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
        for (const std::size_t lane : set_bits(r.mask & missing)) w.tags[n][lane] = tags[lane];
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

namespace {

bool holds(const AtMoment& m) { return m.result.verdict == Verdict::holds; }

ClaimResult after(AtMoment m) {
  m.result.after_line = m.line;
  return std::move(m.result);
}

/// Neither moment can be taken for the other: which one is meant decides.
ClaimResult open(const AtMoment& m, const std::string& why) {
  return ClaimResult{.claim = m.result.claim,
                     .reason = coded<Why::moment_not_stated>(why),
                     .probe = m.result.probe,
                     .instances = m.result.instances};
}

ClaimResult looking_forward(MomentsOfClaim at, const std::string& words) {
  AtMoment& here = at[0];
  AtMoment& last = at[at.size() - 1];
  if (holds(last)) return holds(here) ? std::move(here.result) : after(std::move(last));
  std::size_t held = 0;
  while (held < at.size() && !holds(at[held])) ++held;
  if (held == 0)
    return open(here, fmt::format("the words look forward (\"{}\"), but it holds at the comment and not after line {}; "
                                  "which of the two is meant is not known",
                                  words, last.line));
  if (held != at.size())
    return open(here, fmt::format("it holds after line {} and no longer after line {}; the words (\"{}\") leave open "
                                  "which of the two is meant",
                                  at[held].line, last.line, words));
  if (last.result.verdict == Verdict::differs && last.result.instances > 0) {
    last.result.difference =
        fmt::format("after line {}, which the words describe (\"{}\"): {}", last.line, words, last.result.difference);
    return std::move(last.result);
  }
  return std::move(here.result);
}

}  // namespace

ClaimResult at_the_moment_meant(MomentsOfClaim at, const std::string& forward, bool of_step) {
  if (at.size() > 1 && !forward.empty()) return looking_forward(std::move(at), forward);
  AtMoment& here = at[0];
  if (at.size() == 1 || holds(here)) return std::move(here.result);
  AtMoment& last = at[at.size() - 1];
  if (!holds(last)) return std::move(here.result);
  if (here.result.reason.code == Why::no_traced_element || here.result.formless || of_step)
    return after(std::move(last));
  if (here.result.verdict == Verdict::differs) here.result.after_line = last.line;
  return std::move(here.result);
}

}  // namespace lanescope::claims
