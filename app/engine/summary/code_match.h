#pragma once
// Where an instruction of the probed program stands in the plain one.

#include <cstdint>
#include <span>
#include <vector>

#include "kernels/trace/trace.h"

namespace lanescope::engine {

/// By pc of `probed`: the pc in `plain`, or -1. Of the instructions of one source position and opcode, the first is the
/// first, the second the second, ..., provided that both programs have equally many; where probes made the compiler
/// write more or fewer, none of them is matched.
std::vector<std::int32_t> plain_pcs(std::span<const trace::CodeSite> probed, std::span<const trace::CodeSite> plain);

}  // namespace lanescope::engine
