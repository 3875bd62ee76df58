#pragma once
// The program as the machine sees it: instructions with the source line each came from, their heat, and where the moment
// stands. It is the plain program that is shown, the one that a GPU runs and that counters are about; a moment is one of
// the probed program, and stands at the instruction that corresponds (Summary::plain_pcs).

#include "results/moment.h"
#include "results/summary.h"
#include "viz/views/base/selection.h"
#include "viz/views/base/theme.h"

namespace lanescope::views {

/// What ptx_view shows: the plain program, or the probed one where only that ran.
const std::vector<trace::CodeSite>& ptx_code(const Summary&);
/// The row on which a moment stands: its instruction, or the last one before it, of the same line, that the shown program
/// has. -1: none (before the first step, or a line whose instructions all differ).
int ptx_row_of(const Summary&, const Moment&);

struct PtxOptions {
  float width = 0;
  int first = -1;  ///< pc of the first row; -1: so that the moment's instruction is in the middle
  int most_rows = 28;
  std::string counter = "instructions";  ///< of heat_counters(); "" or no Summary::pc_counters: no column
};
/// Rows of the selected line are barred at the left and its number is in the accent; the moment's row says "now".
scene::Scene ptx_view(const Summary&, const Moment&, const Selection&, const PtxOptions&, const Theme&);

}  // namespace lanescope::views
