#pragma once
// Names for counts: the hardware's of today, the older ones that the references use, with unit, formula and source.
// Today's names are those of CUPTI 13.0 for GH100; a legacy name is the one that nvprof had for the same thing.

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace lanescope::counters {

struct Counts;

struct Metric {
  std::string_view name;  ///< the hardware's own: "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"
  std::string_view unit;  ///< "sector", "wavefront", "inst", ...
  std::uint64_t (*value)(const Counts&);
  std::string_view legacy = "";   ///< "gld_transactions"; empty: had none
  std::string_view formula = "";  ///< in words
  std::string_view source = "";   ///< why the prediction is believed: "measured on H200", "model", ...
};
/// Every count that is predicted, in the order in which reports list them.
std::span<const Metric> metrics();

struct Ratio {
  std::string_view name;
  std::string_view unit;                          ///< "%", "sector/request", ...
  std::optional<double> (*value)(const Counts&);  ///< absent when nothing was counted below the line
  std::string_view legacy = "";
  std::string_view formula = "";
  std::string_view source = "";
};
/// Quotients of counts, with the references' names among their legacy names.
std::span<const Ratio> ratios();

/// A metric that depends on time: it is measured and never predicted.
struct TimedMetric {
  std::string_view name;
  std::string_view unit;
  std::string_view legacy;
  std::string_view formula;
};
std::span<const TimedMetric> timed_metrics();

/// Today's name for either name; the same name if it is no legacy name. If several counters share a legacy name, the
/// first.
std::string_view current_name(std::string_view name);

/// By either name; null when unknown. Where several counters share a legacy name, the first.
const Metric* find_metric(std::string_view name);

}  // namespace lanescope::counters
