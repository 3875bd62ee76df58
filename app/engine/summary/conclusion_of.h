#pragma once
// The limit of a measured kernel (profiling/conclusion), with the facts of its run: occupancy on the GPU that measured,
// operations and findings.

#include "profiling/conclusion/conclusion.h"
#include "results/measured.h"
#include "results/summary.h"

namespace lanescope::engine {

/// `measured` is of the run of `summary`. Where the table does not have the GPU, rates are not compared with peaks.
conclusion::Conclusion conclusion_of(const results::Summary& summary, const results::Measured& measured);

}  // namespace lanescope::engine
