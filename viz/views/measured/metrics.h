#pragma once
// Counters as predicted and as measured: both values, their ratio and why they differ, grouped, under current and
// older names. A baseline is an earlier measurement of the same kernel.

#include <optional>

#include "kernels/base/source_lines.h"
#include "results/measured.h"
#include "viz/scene/scene.h"
#include "viz/views/base/selection.h"
#include "viz/views/base/theme.h"

namespace lanescope::views {

struct MetricsOptions {
  float width = 0;
  int line = 0;                   ///< 0: the whole run; else the rows of that line
  std::string filter{};           ///< words that name, older name, group or unit must hold, in any case
  bool only_differences = false;  ///< predicted and measured, and not the same
  bool silent = false;            ///< counters that are 0 both ways, too
  std::string conclusion{};       ///< the bottleneck of the kernel, as a paragraph; empty: not shown
  std::string note{};             ///< "of the text before the last edits"
  SourceLines lines{};            ///< of the run, for the names of lines in headers
};
/// What is predicted of the run, as a measurement whose measured values are not known: for the whole run and each line.
Measured predictions(const Summary&);
/// `text` contains every word of `filter`, in upper or lower case.
bool has_words(std::string_view text, std::string_view filter);
/// Indices into Measured::metrics of what is shown, group by group, in the order of the measurement.
std::vector<std::size_t> metric_rows(const Measured&, const MetricsOptions&);
/// `baseline`: what is compared with; nullptr: nothing.
scene::Scene metrics_view(const Measured&, const Measured* baseline, const Selection&, const MetricsOptions&,
                          const Theme&);
/// Name, older name, values, formula and cause of an id of that view; empty when it is none.
std::string metric_tooltip(const Measured&, const scene::Id&);

/// Measured over predicted; 1 where both are 0; absent where either is unknown or only the prediction is 0.
std::optional<double> measured_ratio(const MetricRow& row);
/// The row of the same counter and line; nullptr: none.
const MetricRow* same_metric(const Measured&, const MetricRow& row);
/// Values of one counter by line, for views::heat.
std::vector<std::pair<int, double>> measured_by_line(const Measured&, std::string_view name);
/// What is predicted of the same lines.
std::vector<std::pair<int, double>> predicted_by_line(const Measured&, std::string_view name);
/// Names of counters that are measured line by line, in the order of the measurement.
std::vector<std::string> counters_by_line(const Measured&);

/// "line,group,name,older_name,unit,predicted,measured,ratio,baseline,cause"; line 0 is the whole run.
std::string metrics_csv(const Measured&, const Measured* baseline);

// Times of repeated launches as a histogram, with median, mean and outliers.

inline constexpr float times_height = 96;
/// Into `area`, times_height high. Nothing where no single times are known. Returns where it ends.
float draw_times(scene::Scene& scene, const results::TimingInfo& timing, scene::Rect area, const Theme& theme);
/// "samples in a bin" of an id of time_bin; empty: there is none.
std::string time_tooltip(const results::TimingInfo& timing, const scene::Id& id);

}  // namespace lanescope::views
