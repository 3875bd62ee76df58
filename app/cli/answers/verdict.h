#pragma once
// What a claim or a finding does to the exit status: one place for every command. What rests on assumptions proves nothing
// either way, and is 3 where it would be 0 or 1.

#include "app/cli/answers/report.h"
#include "profiling/review/findings/finding.h"
#include "results/problems.h"

namespace lanescope::cli {

/// What the finding rests on; one about a claim rests on what the claim rests on.
results::Assumptions rests_on(const results::Summary& summary, const review::Finding& finding);

Status status_of(const results::Summary& summary, const results::ClaimInfo& claim);
/// Of a race or an undefined value, as `check` reports it.
Status status_of(const results::Summary& summary, const results::FindingInfo& finding);
/// Whether the finding is of this severity or a worse one, and the file does not expect it.
bool fails(const review::Finding& finding, Severity least);
/// `least`: of `--fail-on`.
Status status_of(const results::Summary& summary, const review::Finding& finding, Severity least);

}  // namespace lanescope::cli
