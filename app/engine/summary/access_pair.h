#pragma once
// The first access in which a GPU and the emulator differ, lane by lane.

#include <optional>

#include "kernels/instrument/decode.h"
#include "results/measured.h"

namespace lanescope::engine {

/// `expected`: the emulator's trace; `found`: the GPU's. nullopt where the difference is one of shuffles.
std::optional<results::AccessPair> access_pair(const trace::Trace& expected, const trace::Trace& found,
                                               const instrument::Difference& difference);

}  // namespace lanescope::engine
