#pragma once
// Machine instructions ("SASS") of a kernel, counted by kind in the machine code that NVRTC makes. Takes a compilation:
// callers run it where nobody waits.

#include <string>
#include <string_view>
#include <vector>

#include "kernels/base/diagnostic.h"
#include "kernels/compile/cubin/machine_counts.h"

namespace lanescope::gui {

/// Of the first kernel of a text that its header launches. Errors: no NVRTC, with the remedy; what the compiler says.
Expected<compile::MachineCounts> machine_counts(const std::string& file, std::string_view text, const std::string& arch,
                                                const std::vector<std::string>& options);

}  // namespace lanescope::gui
