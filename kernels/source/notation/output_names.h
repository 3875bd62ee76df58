#pragma once
// Names that comments give to values: "from here call it y[f]", "call acc c[i,j]", "y[f] = sum over t of ...". What comes
// after may speak of `y`, which no variable is called.

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/source/cxx/comments.h"

namespace lanescope::source {

struct OutputName {
  std::string name;          ///< "y"
  std::string of;            ///< the variable that the sentence calls so; empty: "it", what was written last
  std::uint32_t offset = 0;  ///< of the comment's line in the file
  int line = 0;
};

/// In text order.
std::vector<OutputName> output_names(const std::vector<CommentLine>& lines);

/// Whether a sentence speaks of the value of this name: "y has", "y[f] has", "assignment of y".
bool speaks_of(const std::string& sentence, const std::string& name);

}  // namespace lanescope::source
