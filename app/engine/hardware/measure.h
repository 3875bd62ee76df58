#pragma once
// The parts of a measurement, each in a child of this program. Parts that cannot be measured are in `measured.refused`.

#include <string>
#include <string_view>
#include <vector>

#include "app/engine/hardware/run.h"
#include "app/engine/requests/requests.h"
#include "profiling/counters/counters.h"
#include "profiling/counters/metrics.h"
#include "results/measured.h"

namespace lanescope::engine {

/// Launches to measure; the options are those of each part.
struct Measuring {
  HardwareRun run;
  const counters::Report& predicted;
};

/// Counters of all launches together, predicted beside measured, each difference with its cause; `metrics`: more of
/// them, by the hardware's names.
void measure_counters(const Measuring& what, const std::vector<std::string>& metrics, results::Measured& measured);

/// Counts per machine instruction; their sums by line are added to `measured.metrics`, beside the predictions of each
/// line.
void measure_instructions(const Measuring& what, results::Measured& measured);
/// Samples of the program counter, by line and reason.
void measure_stalls(const HardwareRun& run, results::Measured& measured);
/// Launches and calls of the driver, with their times.
void measure_activity(const HardwareRun& run, results::Measured& measured);

/// Removes predictions if the emulator did not run to the end; a note has the reason.
void forget_predictions(const std::string& why, results::Measured& measured);

// Rows of counters, predicted and measured.

/// A row of a counter that is predicted, without its numbers.
results::MetricRow metric_row(const counters::Metric& metric);
/// Every counter and ratio, as predicted.
std::vector<results::MetricRow> predicted_rows(const counters::Counts& counts);

/// A row of a counter requested by today's or nvprof's name, without a prediction.
results::MetricRow asked_row(const std::string& name);

/// Fills the cause of each row whose two numbers differ.
void explain_rows(std::vector<results::MetricRow>& rows);

/// "instructions", "global memory", ...: by the name of a counter.
std::string metric_group(std::string_view name);

}  // namespace lanescope::engine
