// Barriers that part nothing, and barriers that only part of a block comes to: about what those would part, the rules on
// unneeded barriers and on missing ones (race_rules.cpp) say nothing.

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "profiling/review/rule_sets.h"

namespace lanescope::review {
namespace {

void unneeded(const ReviewInput& input, int index, std::vector<Finding>& out) {
  const LaunchReview& launch = *input.launches[static_cast<std::size_t>(index)].launch;
  const SharedOrder& order = input.launches[static_cast<std::size_t>(index)].seen->order();
  const AccessCollector& seen = *input.launches[static_cast<std::size_t>(index)].seen;
  const auto parts = [](const races::Race& r) {
    return r.shared && !(r.same_value && !r.updates) && r.missing == races::Missing::barrier;
  };
  if (!order.may_call_unneeded() || std::ranges::any_of(seen.races().races(), parts)) return;
  const BarrierReach& barriers = seen.barriers();
  if (seen.writes().barriers_part()) return;
  if (!std::ranges::all_of(barriers.partial(), &BarrierReach::Partial::harmless)) return;
  std::map<int, SharedOrder::BarrierUse> lines;
  for (const auto& [pc, use] : order.barriers()) {
    SharedOrder::BarrierUse& sum = lines[line_of(input, launch, pc)];
    sum.times += use.times;
    sum.needed += use.needed;
    sum.last = use.last;
  }
  for (const auto& [line, use] : lines) {
    if (use.needed > 0 || use.times == 0) continue;
    const auto here = [&](const BarrierReach::Partial& p) {
      return line_of(input, launch, barriers.pc_of(p.place)) == line;
    };
    if (std::ranges::any_of(barriers.partial(), here)) continue;
    Finding f = finding(
        "barrier-unneeded", line, launch.code[use.last.pc].column,
        fmt::format("unneeded barrier: in {}, no thread accesses after it what another thread accessed before it",
                    counted(use.times, "execution by a block", "executions by blocks")));
    f.evidence = evidence_of(launch, index, use.last);
    f.evidence.numbers = {{"times", static_cast<double>(use.times)}};
    f.saving = fmt::format("{} at a barrier", counted(use.times, "wait of a block", "waits of blocks"));
    out.push_back(std::move(f));
  }
}

std::string reached_words(const BarrierReach::Partial& p) {
  if (p.least > 0)
    return fmt::format("threads of block {} reach this barrier between {} and {} times", p.block, p.least, p.most);
  return fmt::format("this barrier is reached by {} of {} threads of block {}", p.reached, p.threads, p.block);
}

/// Those that come to the barrier, and the others.
std::vector<Evidence::Side> divergent_sides(const ReviewInput& input, const LaunchReview& launch,
                                            const BarrierReach& barriers, const BarrierReach::Partial& p) {
  const int line = line_of(input, launch, barriers.pc_of(p.place));
  Evidence::Side here{.does = fmt::format("{} of {} threads reach the barrier", p.reached, p.threads),
                      .line = line,
                      .block = p.block,
                      .warp = static_cast<int>(p.first.warp)};
  Evidence::Side others{.does = p.goes_on ? "the others continue without it" : "the others exit without reaching it",
                        .line = 0,
                        .block = p.block};
  if (p.least > 0) {
    here.does = fmt::format("some threads reach the barrier {} times", p.most);
    others.does = fmt::format("others {} times", p.least);
  }
  if (p.other >= 0) {
    others.line = line_of(input, launch, barriers.pc_of(p.other));
    others.does = "the others wait here";
  }
  return {here, others};
}

/// Threads that have ended are not waited for (compute capability 7.0 and later), so a barrier that some left the kernel
/// before is a warning; others are errors.
void divergent(const ReviewInput& input, int index, std::vector<Finding>& out) {
  const LaunchReview& launch = *input.launches[static_cast<std::size_t>(index)].launch;
  const BarrierReach& barriers = input.launches[static_cast<std::size_t>(index)].seen->barriers();
  for (const BarrierReach::Partial& p : barriers.partial()) {
    const std::uint32_t pc = barriers.pc_of(p.place);
    std::string others = p.least > 0 ? "" : "; the others exit without reaching it";
    if (p.other >= 0)
      others = fmt::format("; the others wait at line {}", line_of(input, launch, barriers.pc_of(p.other)));
    else if (p.goes_on)
      others = p.least > 0 ? "; some continue while others wait" : "; the others continue without it";
    Finding f = finding("barrier-divergent", line_of(input, launch, pc), launch.code[pc].column,
                        fmt::format("{}{}{}", reached_words(p), others,
                                    p.blocks > 1 ? fmt::format("; likewise in {} blocks in all", p.blocks) : ""));
    if (p.harmless()) {
      f.severity = Severity::warning;
      f.remedy =
          "let all threads reach it, also those without work: GPUs before compute capability 7.0 wait for them forever";
    }
    f.evidence = evidence_of(launch, index, p.first);
    f.evidence.sides = divergent_sides(input, launch, barriers, p);
    f.evidence.numbers = {{"threads that reach it", static_cast<double>(p.reached)},
                          {"threads", static_cast<double>(p.threads)},
                          {"least times", static_cast<double>(p.least)},
                          {"most times", static_cast<double>(p.most)},
                          {"blocks", static_cast<double>(p.blocks)}};
    out.push_back(std::move(f));
  }
}

}  // namespace

void barrier_rules(const ReviewInput& input, std::vector<Finding>& out) {
  for (int i = 0; i < static_cast<int>(input.launches.size()); ++i) {
    if (input.launches[static_cast<std::size_t>(i)].seen == nullptr) continue;
    divergent(input, i, out);
    unneeded(input, i, out);
  }
}

}  // namespace lanescope::review
