// Rules about the compiled code: branches that split warps.

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "profiling/review/rule_sets.h"

namespace lanescope::review {
namespace {

void divergence(const ReviewInput& input, int index, std::vector<Finding>& out) {
  const LaunchReview& launch = *input.launches[static_cast<std::size_t>(index)].launch;
  const AccessCollector& seen = *input.launches[static_cast<std::size_t>(index)].seen;
  std::map<int, Parting> lines;
  for (const auto& [pc, parting] : seen.partings()) {
    if (parting.times == 0) continue;
    Parting& p = lines[line_of(input, launch, pc)];
    if (p.times == 0) p.first = parting.first;
    p.times += parting.times;
    p.instructions += parting.instructions;
    p.idle_lanes += parting.idle_lanes;
  }
  for (const auto& [line, p] : lines) {
    const double share =
        static_cast<double>(p.instructions) / static_cast<double>(std::max<std::uint64_t>(seen.instructions(), 1));
    if (share < input.divergence_share) continue;
    const double idle = static_cast<double>(p.idle_lanes) / static_cast<double>(p.instructions);
    Finding f =
        finding("divergence", line, launch.code[p.first.pc].column,
                fmt::format("lanes diverge here {}; after that {} of {} warp instructions ({:.0f} %) execute with "
                            "inactive lanes, {:.1f} of 32 on average",
                            p.times == 1 ? "once" : counted(p.times, "time", "times"), p.instructions,
                            seen.instructions(), share * 100, idle));
    f.evidence = evidence_of(launch, index, p.first);
    f.evidence.numbers = {{"divergent branches", static_cast<double>(p.times)},
                          {"warp instructions", static_cast<double>(p.instructions)},
                          {"share in percent", share * 100},
                          {"idle lanes", idle}};
    out.push_back(std::move(f));
  }
}

}  // namespace

void code_rules(const ReviewInput& input, std::vector<Finding>& out) {
  for (int i = 0; i < static_cast<int>(input.launches.size()); ++i) {
    if (input.launches[static_cast<std::size_t>(i)].seen != nullptr) divergence(input, i, out);
  }
}

}  // namespace lanescope::review
