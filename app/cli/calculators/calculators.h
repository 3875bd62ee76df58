#pragma once
// The subcommands that calculate: what an access, an instruction, a block or a plan costs or does. None runs a kernel of the
// user's, but for `occupancy`, which may compile one for its registers and its accesses. Each gives its exit status.

#include "app/cli/answers/options.h"

namespace lanescope::cli {

int access(const AccessOptions& options);
/// What --pattern of `access` takes: "aligned", "stride", ...
std::vector<std::string> typed_patterns();
int occupancy(const OccupancyOptions& options);
/// Warps, lanes and ranks of the threads of a block.
int threads(const ThreadsOptions& options);
/// The references' figures: exit status 1 when one does not hold.
int figures(const FiguresOptions& options);
/// Ways from one register assignment to another, and their code.
int plan(const PlanOptions& options);
/// What an instruction does, in words. Of a file: exit status 1 where an instruction is not explained fully.
int explain(const ExplainOptions& options);
/// Names, units and formulas of counters.
int counters(const CountersOptions& options);

}  // namespace lanescope::cli
