#pragma once
// Atomics in shared memory that the assembler makes into other machine code than the PTX says. Measured on an H200 with
// CUDA 13.0 (bench/results/gpu_shared_atomics.json):
// - an integer add of 1 whose result is not read is ATOMS.POPC.INC: lanes that access one word are counted in one step,
//   and only distinct words of a bank take turns;
// - an integer add, minimum, maximum, and, or, exclusive or at an address that is the same for all lanes by the code is
//   combined over the lanes first, and one lane executes it.

#include <cstdint>
#include <vector>

#include "kernels/ptx/program.h"

namespace lanescope::ptx {

enum class SharedAtomic : std::uint8_t { as_written, counts_lanes, one_lane };

/// By instruction of the entry; as_written for all that are no such atomics.
std::vector<SharedAtomic> shared_atomics(const Entry& entry);

}  // namespace lanescope::ptx
