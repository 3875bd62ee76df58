#pragma once
// How one mark of a timeline looks, by results::mark_kind; shared by the drawing and its legend.

#include <string_view>

#include "viz/views/base/theme.h"

namespace lanescope::views {

struct MarkLook {
  std::string_view word;
  char letter;  ///< ' ': none
  std::string_view meaning;
};
const MarkLook& mark_look(int kind);

struct MarkFill {
  Color fill, stroke;  ///< alpha 0: none
};
MarkFill mark_fill(const Theme& theme, int kind);

}  // namespace lanescope::views
