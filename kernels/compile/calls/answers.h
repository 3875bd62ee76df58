#pragma once
// Where a call of NVRTC is answered.

#include "kernels/compile/calls/call.h"

namespace lanescope::compile {

/// From the cache, else by the compiler, in a worker where there are any. `cached` false: the cache is neither read nor
/// written. `worker`: the one that calls like this one have had.
Answer answer_of(const Call& call, bool cached, std::size_t worker);

}  // namespace lanescope::compile
