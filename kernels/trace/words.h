#pragma once
// Accesses in words. Places are said as two machines share them: by buffer and byte, never by address.

#include <cstddef>
#include <string>
#include <string_view>

#include "kernels/trace/trace.h"

namespace lanescope::trace {

/// "load", "asynchronous copy".
std::string_view kind_words(AccessKind kind);
/// "store of 4 bytes to global memory"
std::string access_words(const AccessRecord& access);
/// Where `lane` accesses, in bytes: "y + 64", "shared + 64"; "outside of all buffers" for a global address that `trace`
/// cannot place.
std::string place_words(const Trace& trace, const AccessRecord& access, std::size_t lane);

}  // namespace lanescope::trace
