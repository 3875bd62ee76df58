#pragma once
// Machine instructions ("SASS") of a kernel, counted by kind where the CUDA Toolkit's ptxas and nvdisasm are on this
// machine. Takes seconds: callers run it where nobody waits.

#include <string>
#include <string_view>
#include <vector>

#include "kernels/base/diagnostic.h"

namespace lanescope::gui {

/// As they stand in the program, not as often as they run.
struct MachineCounts {
  int shuffles = 0, selects = 0, permutes = 0, all = 0;  ///< SHFL; SEL; PRMT; all but NOP
};

/// Of the first kernel of a text that its header launches. Errors: no ptxas or nvdisasm, with the remedy; what the
/// compiler says.
Expected<MachineCounts> machine_counts(const std::string& file, std::string_view text, const std::string& arch,
                                       const std::vector<std::string>& options);

}  // namespace lanescope::gui
