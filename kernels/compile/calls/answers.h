#pragma once
// Where a call of NVRTC is answered.

#include "kernels/compile/calls/call.h"

namespace lanescope::compile {

/// From the cache, else by the compiler, in a worker where there are any. `cached` false: the cache is neither read nor
/// written. `worker`: the one that calls like this one have had.
Answer answer_of(const Call& call, bool cached, std::size_t worker);

/// Waits until the answers so far are on disk. They are written after they were given, on a thread of its own that ends with the
/// process; a process that is killed meanwhile loses the last ones.
void finish_keeping();

}  // namespace lanescope::compile
