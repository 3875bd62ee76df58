#pragma once
// What the compiler says of its options and of kernels' names is said of the launch header, where both are written.

#include "kernels/base/diagnostic.h"
#include "kernels/source/source.h"

namespace lanescope::compile {

/// Diagnostics of NVRTC with those about options and names of kernels at their places in the header; the lines about one
/// name become one diagnostic.
Diagnostics placed_in_header(Diagnostics from, const source::Source& source);

}  // namespace lanescope::compile
