#pragma once
// Launches that did not run whole, as values and in words.

#include <string>

#include "app/engine/prepare/execution.h"
#include "app/engine/requests/requests.h"
#include "results/summary.h"

namespace lanescope::engine {

/// Fills Summary::coverage and says it in a notice for each of these launches.
void fill_coverage(const RunRequest& request, const Program& program, const PlainRun& plain, const ProbedRun& probed,
                   results::Summary& summary);

/// What values after the launches are worth: "81 of 4096 blocks ran"; empty: every block of every launch ran.
std::string partial_words(const results::Summary& summary);

}  // namespace lanescope::engine
