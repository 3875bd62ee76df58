#pragma once

#include <string_view>

namespace lanescope::source {

/// Among the values set before a launch (HostRun::symbols, Header::symbols): the size of the device heap, a number of
/// 64 bits. No variable has this name.
inline constexpr std::string_view heap_limit = "cudaLimitMallocHeapSize";

}  // namespace lanescope::source
