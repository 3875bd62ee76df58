#pragma once
// Kernels for the rule `spills`, made from parameters: a kernel with N values that live at the same time, and what limits
// its registers.

#include <string>
#include <vector>

namespace lanescope::review {

struct SpillKernel {
  std::string name;  ///< "trip_1": the rule finds something; "miss_1": it does not
  std::string title;
  int live_values = 0;
  std::string option;         ///< of the compiler
  std::string launch_bounds;  ///< what `__launch_bounds__` has in brackets
  bool allowed = false;       ///< has `lanescope: allow spills`
};

const std::vector<SpillKernel>& spill_kernels();
/// The kernel file. The line that the rule has to find is marked `// finds`.
std::string text_of(const SpillKernel& kernel);

}  // namespace lanescope::review
