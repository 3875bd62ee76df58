#pragma once
// Counts per machine instruction, summed over the launches: how often it ran, how many sectors or wavefronts it cost.
//
// The library rewrites each kernel at its first launch, so that it counts; a count is exact, times mean nothing. The
// names are those of the range metrics without suffix ("smsp__sass_inst_executed"). Measured on an H200 with CUDA 13.0:
// with `*_ideal` metrics in the set, later kernels of the process gave no records and a second configuration failed
// with OUT_OF_MEMORY, so the default set has none of them.

#include "profiling/cupti/cupti.h"
#include "profiling/cupti/machine_code.h"

namespace lanescope::cupti {

struct SassRow {
  std::uint32_t offset = 0;  ///< bytes from the start of the function
  int line = 0;              ///< of the source; 0: not known
  std::string file{}, function{};
  std::vector<double> values{};  ///< one per metric
  bool operator==(const SassRow&) const = default;
};

struct SassReport {
  std::string device{}, chip{};
  std::vector<std::string> metrics{},
      unknown{};                 ///< those that the chip has, in the order of the request; those it lacks
  std::vector<SassRow> rows{};   ///< by function, then offset; instructions that none of the metrics counts
                                 ///< may be absent
  std::vector<SassLine> code{};  ///< every instruction as text; empty where there is no disassembler,
  std::string no_code{};         ///< and then why, with what to do
  std::size_t dropped = 0;       ///< records that the library lost

  /// Sum over instructions (of one function, where named); nothing when the metric was not measured.
  std::optional<double> total(std::string_view metric, std::string_view function = {}) const;
};

/// Puts the counts of `more` beside those of `all`, which are of other kernels; functions that both called add up.
void add_counts(SassReport& all, const SassReport& more);

/// The metrics that count memory traffic, divergence and plain execution, without `*_ideal`.
const std::vector<std::string>& default_sass_metrics();

struct LineTotal {
  std::string file{};
  int line = 0;
  std::vector<double> values{};  ///< one per metric
};
/// Rows summed by source line, in the order of file and line.
std::vector<LineTotal> by_line(const SassReport& report);

/// Runs every launch of `request` once and counts request.metrics, or the default set where there are none, in the
/// launches of request.counted, or of the first kernel. A process gets the counts of one kernel only: of others none came
/// (measured on an H200 with CUDA 13.0, kernels rewritten at once or when launched, counts read after each launch or at the
/// end). count_instructions_in_child (child.h) requests a child for each kernel. Errors: no library, no GPU, no permission, a
/// launch that failed, none of the metrics known. Once per process.
Expected<SassReport> count_instructions(const Request& request);

}  // namespace lanescope::cupti
