#pragma once
// The selection as text, by section: rows of name and value.

#include <cstdint>
#include <string>
#include <vector>

#include "viz/views/base/selection.h"

namespace lanescope::views {

struct InspectorRow {
  std::string name, value;
  std::string hint{};  ///< shown under the mouse: names and formulas of a counter
};
struct InspectorSection {
  enum class About : std::uint8_t { other, selected_register, claims };
  std::string title;
  std::vector<InspectorRow> rows;
  About about = About::other;
};
std::vector<InspectorSection> inspector(const Summary&, const Moment&, const Selection&);

}  // namespace lanescope::views
