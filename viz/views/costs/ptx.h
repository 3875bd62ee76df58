#pragma once
// The PTX: instructions with their source lines and counts, and the position of the moment. The plain program is shown,
// which a GPU runs and which counters are about. A moment belongs to the instrumented program; its position is the
// corresponding instruction (Summary::plain_pcs).

#include "viz/views/base/selection.h"
#include "viz/views/base/theme.h"

namespace lanescope::views {

/// The program of ptx_view: the plain one, or the instrumented one if only that ran.
const std::vector<trace::CodeSite>& ptx_code(const Summary&);
/// The row of a moment: its instruction, or the last one before it, of the same line, that the shown program has.
/// -1: none (before the first step, or a line whose instructions all differ).
int ptx_row_of(const Summary&, const Moment&);

struct PtxOptions {
  float width = 0;
  int first = -1;  ///< pc of the first row; -1: so that the moment's instruction is in the middle
  int most_rows = 28;
  std::string counter = "instructions";  ///< of heat_counters(); "" or no Summary::pc_counters: no column
};
/// Rows of the selected line have a bar at the left and their number in the accent colour; the row of the moment is
/// labelled "now".
scene::Scene ptx_view(const Summary&, const Moment&, const Selection&, const PtxOptions&, const Theme&);

}  // namespace lanescope::views
