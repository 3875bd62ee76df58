#pragma once
// Rows of counters, predicted and measured.

#include <string>
#include <string_view>
#include <vector>

#include "profiling/counters/counters.h"
#include "profiling/counters/metrics.h"
#include "results/measured.h"

namespace lanescope::engine {

/// A row of a counter that is predicted, without its numbers.
results::MetricRow metric_row(const counters::Metric& metric);
/// Every counter and ratio, as predicted.
std::vector<results::MetricRow> predicted_rows(const counters::Counts& counts);

/// A row of a counter that was asked for by today's or nvprof's name, and that is not predicted.
results::MetricRow asked_row(const std::string& name);

/// Fills the cause of each row whose two numbers differ.
void explain_rows(std::vector<results::MetricRow>& rows);

/// "instructions", "global memory", ...: by what a counter's name says it counts.
std::string metric_group(std::string_view name);

}  // namespace lanescope::engine
