#pragma once
// Views of a measurement.
//
// Counters as predicted and as measured: both values, their ratio and why they differ, grouped, under current and
// older names. A baseline is an earlier measurement of the same kernel.

#include <cstddef>
#include <optional>
#include <span>
#include <string>

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
/// The prediction of the run, as a measurement whose measured values are not known: for the whole run and each line.
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
/// The prediction of the same lines.
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

// Stall reasons: samples of the program counter by line, stacked by reason. A share of samples is a share
// of time, not a count of events.

/// One reason over all lines.
struct StallTotal {
  std::string reason, words;
  std::uint64_t samples = 0;
  std::uint64_t idle = 0;  ///< as in StallRow
};
/// Most samples first; ties by name. Bars and legend number reasons in this order, from 0.
std::vector<StallTotal> stall_totals(const Measured&);

struct StallsOptions {
  float width = 0;
  int most_lines = 24;   ///< those with most samples
  int most_reasons = 9;  ///< with a colour and a number of their own; the rest is one part
  bool by_line = false;  ///< ascending instead of most samples first
  std::string note{};    ///< as in MetricsOptions
};
/// `lines_of_text`: the source, line 1 first; may be empty.
scene::Scene stalls_view(const Measured&, std::span<const std::string> lines_of_text, const Selection&,
                         const StallsOptions&, const Theme&);
std::string stall_tooltip(const Measured&, const scene::Id&);

/// "line,reason,words,samples,share_of_all"
std::string stalls_csv(const Measured&);

// Machine code, linked to the selected line: each instruction with the source line it comes from and, where it ran on a GPU,
// how often it was executed; otherwise with the instruction of the PTX that it was assembled from.

struct SassOptions {
  float width = 0;
  int first = -1;  ///< index of the first row; -1: so that the selected line's first instruction is in sight
  int most_rows = 28;
  bool threads = false;  ///< thread instructions instead of warp instructions as heat
  bool counted = true;   ///< it ran; false: Measured holds the code alone
  std::string note{};    ///< as in MetricsOptions
};
/// `lines_of_text`: the source, line 1 first; each line is shown above its instructions; may be empty.
scene::Scene sass_view(const Measured&, std::span<const std::string> lines_of_text, const Selection&,
                       const SassOptions&, const Theme&);
std::string sass_tooltip(const Measured&, const scene::Id&, bool counted = true);
/// Index of the first instruction of a line; -1: none.
int sass_row_of(const Measured&, int line);

/// "function,offset,line,text,executed,threads_executed"; not counted: "function,offset,line,text,ptx_line,ptx"
std::string sass_csv(const Measured&, bool counted = true);

// Calls of the driver and their durations; launches with their times and resources.

/// Launches of one kernel in one stream with the same shape and resources.
struct LaunchProfile {
  LaunchRow first;
  std::uint64_t launches = 0;
  double total_us = 0, least_us = 0, most_us = 0;
  double average_us() const { return launches == 0 ? 0 : total_us / static_cast<double>(launches); }
};
/// In order of their first launch.
std::vector<LaunchProfile> launch_profile(const Measured&);

struct HostCallsOptions {
  float width = 0;
  int most_calls = 30;
  std::string note{};  ///< as in MetricsOptions
};
/// If launches are in several streams, a lane over time for each is first.
scene::Scene host_calls_view(const Measured&, const HostCallsOptions&, const Theme&);
std::string host_call_tooltip(const Measured&, const scene::Id&);

/// "what,name,calls,total_us,average_us,least_us,most_us,grid,block,registers,static_shared_bytes,
/// dynamic_shared_bytes,local_bytes,stream"; `what` is launch or call, the last seven are of launches.
std::string host_calls_csv(const Measured&);

// Launches over time, one lane for each stream, so that overlap can be seen.

bool in_several_streams(const Measured&);

/// Launches [first, first + count) of a measurement, which are one run of the whole list.
struct Repetition {
  std::size_t first = 0, count = 0;
  std::size_t repetitions = 1;  ///< that the measurement holds
};
/// The list of launches was run several times, each time to its end before the next: the last of these, since the
/// first one also pays for what is done once. `launches` by start. Where no repetition shows, all of them are one.
Repetition last_repetition(std::span<const LaunchRow> launches);

/// Time in which launches of several streams ran at once, and from the first start to the last end.
struct Overlap {
  double at_once_us = 0, whole_us = 0;
};
Overlap overlap(std::span<const LaunchRow> launches);

/// Title, lanes and axis of the last repetition, below `y`; returns where they end. Marks are Id::Kind::launch_mark.
float draw_stream_lanes(scene::Scene&, const Measured&, float y, const Theme&);
std::string launch_mark_tooltip(const Measured&, const scene::Id&);

/// "4.25 µs": three digits, in the unit that suits.
std::string duration_text(double us);

}  // namespace lanescope::views
