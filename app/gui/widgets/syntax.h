#pragma once
// Colours of CUDA source: just enough lexing to distinguish words of the language from names, numbers and comments.

#include <cstdint>
#include <string_view>
#include <vector>

#include "viz/views/base/theme.h"

namespace lanescope::gui {

enum class Ink : std::uint8_t { plain, keyword, type, builtin, number, string, comment, assignment, preprocessor };

struct InkRun {
  std::size_t begin = 0, end = 0;  ///< bytes of the line
  Ink ink = Ink::plain;
};

/// Runs of one line, in order; gaps are plain. `in_comment`: a block comment is open at its start, and on return at its
/// end. Comment lines that are rows of the assignment notation have an ink of their own.
std::vector<InkRun> ink_of(std::string_view line, bool& in_comment);

scene::Color ink_color(Ink ink, const views::Theme& theme);

}  // namespace lanescope::gui
