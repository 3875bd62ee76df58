#pragma once
// Diagnostics and faults in machine output, with the same fields everywhere.

#include <nlohmann/json.hpp>

#include <string_view>
#include <vector>

#include "app/cli/answers/report.h"
#include "kernels/base/diagnostic.h"
#include "kernels/base/source_lines.h"
#include "kernels/emulator/emulator.h"
#include "profiling/review/findings/finding.h"
#include "results/problems.h"
#include "results/summary.h"

namespace lanescope::cli {

std::string_view severity_name(Severity severity);

/// {"severity": "error", "code": .., "file": .., "line": .., "column": .., "message": .., "remedy": ..}; places that
/// are not known and an empty remedy are left out.
nlohmann::json diagnostics_json(const Diagnostics& diagnostics);
/// One assumption: code, value, words, launch, kernel, name, because, as far as it has them.
nlohmann::json assumption_json(const source::Assumption& assumption);
/// In `object`, which rests on them, as a list of their words; absent where there are none.
void put_assumed(nlohmann::json& object, const std::vector<source::Assumption>& assumed, const char* key = "assumed");

/// {"kind": "out_of_bounds", "message": .., "block": .., "warp": .., "step": .., "lane": .., "line": .., "address": ..,
/// "assumed": ..}
nlohmann::json faults_json(const std::vector<emulator::Fault>& faults, const results::Summary& summary);

/// A unit line as the field `key`; where it is one of a header, the header's path as the field `file_key` beside it.
void put_line(nlohmann::json& object, const SourceLines& lines, int unit_line, const char* key = "line",
              const char* file_key = "file");

// Effect of a claim or a finding on the exit status, for all commands. A result that rests on assumptions proves
// nothing: the status is 3 in place of 0 or 1.

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
