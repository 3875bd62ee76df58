#pragma once
// Kernels for functions whose comments state their input (model/contract.h), as text after that of the file.
//
//   __device__ void exchange(unsigned V[2]) {
//     // Input:                                            unsigned V[2] = {};
//     //   register: r0 <-> i0                             V[0] = in_V[lane];
//     //   thread: t4 t3 t2 t1 t0 <-> j4 j3 j2 j1 j0       V[1] = in_V[lane ^ 32];    // i0 is bit 5 of the element
//     ...                                                  exchange(V);
//
// A claim states the input if it is the first about its variables, these are parameters, and the function does not
// mention them before it. Bits of lanes, warps and registers that it does not name get elements of their own along the
// axis `rest`. Other parameters: the lane, the warp and the thread by their names; shared memory for pointers that the
// function writes; arrays in global memory for pointers to const; else numbers, which are assumptions.

#include <string>
#include <vector>

#include "kernels/source/cxx/outline.h"
#include "kernels/source/model/contract.h"
#include "kernels/source/model/launch.h"
#include "kernels/source/notation/probes.h"

namespace lanescope::source {

struct ContractKernel {
  Contract contract;
  std::string text;  ///< whole lines; empty, like the rest, where the contract has a problem
  LaunchSpec launch;
  std::vector<BufferSpec> buffers;
  std::vector<Assumption> assumed;
  bool only_array = true;  ///< no other parameter may be an array of registers
  bool runs = false;       ///< its launch is one of the file
};

/// Of the device functions with claims about their input, in text order. `host`: by function of the outline, whether it
/// was cut away as host code. `refused`: functions whose generated kernels do not compile.
std::vector<ContractKernel> contract_kernels(const Lexed& lexed, const Outline& outline, const Bound& bound,
                                             const std::vector<bool>& host, const RefusedContracts& refused);

}  // namespace lanescope::source
