#pragma once
// Names of GPU architectures as compilers take them.

#include <string>
#include <string_view>

#include "kernels/base/diagnostic.h"

namespace lanescope::compile {

/// 90 of "sm_90", "sm_90a", "compute_90" or "sm_100f": two or three digits, then nothing, `a` or `f`. 0: no architecture
/// has such a name.
int architecture_number(std::string_view name);

/// What is wrong with such a name; empty: nothing.
Diagnostics wrong_architecture(const std::string& file, const std::string& name);

}  // namespace lanescope::compile
