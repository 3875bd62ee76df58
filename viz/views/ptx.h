#pragma once
// The program as the machine sees it: instructions with the source line each came from, their heat, and where the moment
// stands.

#include "viz/views/views.h"

namespace lanescope::views {

struct PtxOptions {
  float width = 0;
  int first = -1;  ///< pc of the first row; -1: so that the moment's instruction is in the middle
  int most_rows = 28;
  std::string counter = "instructions";  ///< of heat_counters(); "" or no Summary::pc_counters: no column
};
/// Rows of the selected line are barred at the left and its number is in the accent; the moment's row says "now".
scene::Scene ptx_view(const Summary&, const Moment&, const Selection&, const PtxOptions&, const Theme&);

}  // namespace lanescope::views
