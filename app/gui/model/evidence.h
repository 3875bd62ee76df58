#pragma once
// What a click on a finding of the review shows: the lanes and addresses that it rests on, as an access like any other.

#include <cstdint>
#include <optional>

#include "results/access.h"
#include "results/summary.h"

namespace lanescope::gui {

/// The access of a finding with what it costs; nothing for a finding that shows none. `kind` is not part of a finding:
/// that of the instruction on its line.
std::optional<results::AccessInfo> evidence_access(const results::Summary& summary, const results::FindingInfo& finding,
                                                   trace::AccessKind kind);

/// The step to look at a finding: its own where it is known; else where its warp (any warp, when it names none that came there) reaches memory on the
/// finding's line, else where it reaches the line. -1: no step of the recorded block is on the line.
std::int64_t step_of_finding(const results::Summary& summary, const results::FindingInfo& finding, int warp);

}  // namespace lanescope::gui
