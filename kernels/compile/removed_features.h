#pragma once
// What CUDA once had and has no more: the compiler says that a name is unknown, a user needs to know what to write instead.

#include "kernels/base/diagnostic.h"

namespace lanescope::compile {

/// The compiler's error with the feature named and the replacement as its remedy, where it is about one that was removed;
/// else as it was.
Diagnostic with_replacement(Diagnostic d);

}  // namespace lanescope::compile
