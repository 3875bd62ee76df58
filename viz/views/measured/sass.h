#pragma once
// Machine code, linked to the selected line: each instruction with the source line it comes from and, where it ran on a GPU,
// how often it was executed; otherwise with the instruction of the PTX that it was assembled from.

#include <span>

#include "results/measured.h"
#include "viz/views/base/selection.h"
#include "viz/views/base/theme.h"

namespace lanescope::views {

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

}  // namespace lanescope::views
