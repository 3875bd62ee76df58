#pragma once
// What CUDA once had and has no more: the compiler says that a name is unknown, a user wants to know what to write instead.

#include "kernels/base/diagnostic.h"

namespace lanescope::compile {

/// What is said of a launch in device code where the compiler does not take it.
inline constexpr const char* launch_in_device_code = "a kernel that launches kernels is not supported";

/// The compiler's error with the feature named and the replacement as its remedy, where it is about one that was removed;
/// else as it was.
Diagnostic with_replacement(Diagnostic d);

}  // namespace lanescope::compile
