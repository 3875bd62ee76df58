#pragma once
// A recorded access as views show it, and what the accesses of a recorded block add up to.

#include <optional>

#include "kernels/trace/trace.h"
#include "viz/views/model.h"

namespace lanescope::engine {

/// The user's line of a recorded step; 0: not known.
int line_of(const trace::Trace& trace, std::uint64_t step);

/// Offsets from the buffer's start and what the access costs. Absent for spaces other than global and shared.
std::optional<views::AccessInfo> access_info(const trace::Trace& trace, const trace::AccessRecord& record);

/// Of one buffer over one line of code (0: all lines), in the recorded block.
views::AccessTotals access_totals(const trace::Trace& trace, int buffer, int code_line);

}  // namespace lanescope::engine
