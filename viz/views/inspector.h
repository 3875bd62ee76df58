#pragma once
// The selection as text, by section: rows of name and value.

#include <string>
#include <vector>

#include "viz/views/base/selection.h"

namespace lanescope::views {

struct InspectorRow {
  std::string name, value;
  std::string hint{};  ///< shown under the mouse: names and formulas of a counter
};
struct InspectorSection {
  std::string title;
  std::vector<InspectorRow> rows;
};
std::vector<InspectorSection> inspector(const Summary&, const Moment&, const Selection&);

}  // namespace lanescope::views
