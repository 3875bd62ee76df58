#pragma once
// Stall reasons: samples of the program counter by line, stacked by reason. A share of samples is a share
// of time, not a count of events.

#include <span>

#include "results/measured.h"
#include "viz/views/base/selection.h"
#include "viz/views/base/theme.h"

namespace lanescope::views {

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

}  // namespace lanescope::views
