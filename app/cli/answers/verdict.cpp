#include "app/cli/answers/verdict.h"

#include <algorithm>
#include <set>
#include <utility>

namespace lanescope::cli {
namespace {

Status wrong_unless(const results::Assumptions& assumed) { return assumed.empty() ? kernel_wrong : not_here; }

}  // namespace

results::Assumptions rests_on(const results::Summary& summary, const review::Finding& finding) {
  if (finding.rule == "claim-differs" || finding.rule == "claim-unchecked") {
    const auto claim = std::ranges::find_if(
        summary.claims, [&](const results::ClaimInfo& c) { return c.claim.first_line == finding.line; });
    if (claim != summary.claims.end()) return results::rests_on(summary, *claim);
  }
  std::set<int> launches{finding.evidence.launch};
  for (const review::Evidence::Side& side : finding.evidence.sides) launches.insert(side.launch);
  return results::rests_on(summary, finding.rule, std::move(launches));
}

Status status_of(const results::Summary& summary, const results::ClaimInfo& claim) {
  const results::Assumptions assumed = results::rests_on(summary, claim);
  switch (claim.result.verdict) {
    case claims::Verdict::holds:
      return assumed.empty() ? all_good : not_here;
    case claims::Verdict::differs:
      return wrong_unless(assumed);
    case claims::Verdict::unchecked:
      return not_here;
  }
  return not_here;
}

Status status_of(const results::Summary& summary, const results::FindingInfo& finding) {
  return finding.expected ? all_good : wrong_unless(results::rests_on(summary, finding));
}

bool fails(const review::Finding& finding, Severity least) { return !finding.expected && finding.severity <= least; }

Status status_of(const results::Summary& summary, const review::Finding& finding, Severity least) {
  if (finding.rule == "claim-unchecked" && !finding.expected) return not_here;
  return fails(finding, least) ? wrong_unless(rests_on(summary, finding)) : all_good;
}

}  // namespace lanescope::cli
