#pragma once
// Effect of a claim or a finding on the exit status, for all commands. A result that rests on assumptions proves
// nothing: the status is 3 in place of 0 or 1.

#include "app/cli/answers/report.h"
#include "profiling/review/findings/finding.h"
#include "results/problems.h"

namespace lanescope::cli {

/// Assumptions of the finding; one about a claim has those of the claim.
results::Assumptions rests_on(const results::Summary& summary, const review::Finding& finding);

Status status_of(const results::Summary& summary, const results::ClaimInfo& claim);
/// Of a race or an undefined value, as `check` reports it.
Status status_of(const results::Summary& summary, const results::FindingInfo& finding);
/// Whether the finding is of this severity or a worse one, and the file does not expect it.
bool fails(const review::Finding& finding, Severity least);
/// `least`: of `--fail-on`.
Status status_of(const results::Summary& summary, const review::Finding& finding, Severity least);

}  // namespace lanescope::cli
