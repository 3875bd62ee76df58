#pragma once
// Executions of statements on the timeline of a recorded block. A warp visits a line: a run of its instructions of that line.
// A visit is one execution, or several where a loop in one line was unrolled: then it writes its variable again in each.

#include <cstdint>
#include <optional>

#include "results/summary.h"

namespace lanescope::results {

/// The last step of the next execution of a statement of this warp that writes a register or memory, after `step`; nullopt:
/// there is none. `line` 0: of any line.
std::optional<std::int64_t> next_statement_end(const Summary& summary, std::int64_t step, int warp, int line = 0);
/// The same of the one that ended last before `step`.
std::optional<std::int64_t> previous_statement_end(const Summary& summary, std::int64_t step, int warp);
/// Of a line from the beginning: of an execution that writes something, else the end of the first visit; nullopt: the warp does
/// not come to the line.
std::optional<std::int64_t> first_statement_end(const Summary& summary, int line, int warp);

}  // namespace lanescope::results
