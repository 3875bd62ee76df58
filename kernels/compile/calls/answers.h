#pragma once
// Where a call of NVRTC is answered.

#include "kernels/compile/calls/call.h"

namespace lanescope::compile {

/// From the cache, else by the compiler. `cached` false: the cache is neither read nor written.
Answer answer_of(const Call& call, bool cached);

}  // namespace lanescope::compile
