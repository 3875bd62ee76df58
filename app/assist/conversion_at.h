#pragma once
// A planned conversion put into a kernel where one writes: its function, a call, and the comment on what holds afterwards.

#include <string>
#include <string_view>

#include "kernels/convert/cuda_text.h"
#include "results/summary.h"

namespace lanescope::assist {

struct ConversionAt {
  std::string text;      ///< the whole text afterwards
  std::string function;  ///< its name
  std::string variable;  ///< whose registers it converts; empty: none fits, and the call is only described in a comment
  int line = 0;          ///< of the call, from 1
};

/// The conversion is called on registers that the kernel has before `line` (from 1): on those whose claim states its
/// source, else on those named `preferred`, else on others of the same number. They are changed in place where source and
/// destination have as many registers; else the result is an array. Errors: no place for a statement follows the line.
Expected<ConversionAt> conversion_at(std::string_view text, int line, const std::string& name,
                                     const convert::Conversion& conversion, const results::Summary* summary,
                                     const std::string& preferred);

}  // namespace lanescope::assist
