#pragma once
// Host programs at random: arithmetic of several types, loops, arrays, vectors, swaps, functions, structures, copies and
// launches. Each is defined behaviour (no division by zero, no index outside, shifts within the width), so that the
// compiled program is an oracle.

#include <cstdint>
#include <string>

namespace lanescope::source::test {

std::string random_program(std::uint32_t seed);

/// Operations of hosts between launches, at random: copies from and to the host and between buffers, whole and in
/// part, memsets, stores into managed memory, copies into variables, swapped pointers, in loops and functions.
std::string random_sequence(std::uint32_t seed);

}  // namespace lanescope::source::test
