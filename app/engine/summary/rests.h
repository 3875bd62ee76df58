#pragma once
// On which assumptions the results of each launch rest.
//
// An assumption may be without consequence: the contents of an array that no branch and no address depends on, a grid of one
// block for a kernel that never requests the grid's size. What depends on which is read off the PTX (kernels/instrument/steering.h)
// and carried from launch to launch through the buffers: what a launch computes of assumed numbers may steer a later one.

#include <vector>

#include "app/engine/summary/run_state.h"

namespace lanescope::engine {

/// One for each launch of the program. Where the analysis does not follow a kernel, all of its launch rests on each assumption
/// that is of this launch or of all, or that may have come to it through buffers.
std::vector<results::Rests> rests_of(const Prepared& prepared);

/// What the end of the array says of a fault: the buffer that begins last at or before the address, "" where none does; nullopt
/// for faults of other kinds. `addresses`: of the buffers, ascending.
std::optional<std::string_view> array_of(const emulator::Fault& fault, const std::vector<trace::Buffer>& buffers,
                                         const std::vector<std::uint64_t>& addresses);

/// Faults that rest on assumptions say so first: once, and shortly. The summary has its launches.
void name_assumptions(RunState& run);

}  // namespace lanescope::engine
