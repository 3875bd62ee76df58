#include "kernels/claims/collector.h"

#include <fmt/format.h>

namespace lanescope::claims {
namespace {

bool holds(const AtMoment& m) { return m.result.verdict == Verdict::holds; }

ClaimResult after(AtMoment m) {
  m.result.after_line = m.line;
  return std::move(m.result);
}

/// Neither moment can be taken for the other: which one is meant decides.
ClaimResult open(const AtMoment& m, const std::string& why) {
  ClaimResult r;
  r.claim = m.result.claim;
  r.probe = m.result.probe;
  r.instances = m.result.instances;
  r.reason = coded<Why::moment_not_stated>(why);
  return r;
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
