// Atomics that a warp could combine before it executes them.

#include <map>

#include <fmt/format.h>

#include "profiling/review/findings/rule_set.h"

namespace lanescope::review {
namespace {

/// Fewer lanes than that, on average, are left alone: a reduction by shuffles takes five steps.
constexpr std::uint64_t least_lanes = 8;

Finding one_address(int line, const LaunchReview& launch, int index, const AtomicTotals& t) {
  AccessTotals shown{.buffer = t.buffer, .access = t.access};
  Finding f = finding("atomic-one-address", line, launch.code[t.worst.pc].column, "");
  f.evidence = evidence_of(launch, index, t.worst);
  show_access(f.evidence, launch, shown);
  const std::string place = f.evidence.buffer.empty() ? "one address"
                            : t.access.space == trace::MemorySpace::shared
                                ? "one address of shared memory"
                                : fmt::format("one address of `{}`", f.evidence.buffer);
  const double lanes = static_cast<double>(t.updates) / static_cast<double>(t.executions);
  f.message = fmt::format(
      "all active lanes of a warp, {:.1f} on average, update {} by this atomic and take turns: {} in {}", lanes, place,
      counted(t.updates, "update", "updates"), counted(t.executions, "execution", "executions"));
  f.evidence.numbers = {
      {"lanes", lanes}, {"updates", static_cast<double>(t.updates)}, {"executions", static_cast<double>(t.executions)}};
  f.saved = t.updates - t.executions;
  f.saving = fmt::format("{} of {} on this line", f.saved, counted(t.updates, "update", "updates"));
  return f;
}

}  // namespace

void atomic_rules(const ReviewInput& input, std::vector<Finding>& out) {
  for (int i = 0; i < static_cast<int>(input.launches.size()); ++i) {
    const auto& ran = input.launches[static_cast<std::size_t>(i)];
    if (ran.seen == nullptr) continue;
    std::map<int, AtomicTotals> lines;
    for (const auto& [pc, t] : ran.seen->atomics()) lines[line_of(input, *ran.launch, pc)].add(t);
    for (const auto& [line, t] : lines)
      if (t.spread == 0 && t.updates >= least_lanes * t.executions) out.push_back(one_address(line, *ran.launch, i, t));
  }
}

}  // namespace lanescope::review
