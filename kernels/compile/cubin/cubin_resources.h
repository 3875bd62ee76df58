#pragma once
// What a cubin says about the resources of each of its kernels. No GPU and no tool of the CUDA Toolkit is needed.
//
//   .nv.info               attributes of all functions: 0x2f registers, 0x11 stack frame, each with the number of a symbol
//   .nv.info.KERNEL        attributes of one: 0x4c barriers
//   .nv.shared.KERNEL      its size is the static shared memory; where .nv.shared.reserved.0 is there (sm_90 and later), with
//                          the 1024 bytes of kernels/trace/reserved_shared.h
//   .nv.constantN[.KERNEL] its size is that of bank N: 0 parameters, 2 constants of the compiler, 3 __constant__ variables,
//                          4 addresses
//
// An attribute is a byte for the form of its value, one for its number, and two for the value or, of form 4, for the bytes
// that follow. The numbers are not documented; tests/kernels/compile/cubin_resources_test.cpp compares every kernel of the
// catalogue with `ptxas -v` of the CUDA Toolkit, for several architectures. Bytes that a register spill stores and loads are
// in no section: these are the compiler's words (compile::Resources).

#include <map>
#include <string>
#include <string_view>

namespace lanescope::compile {

struct CubinResources {
  int registers = -1;                 ///< per thread; -1: not there
  int stack_bytes = -1;               ///< per thread: the frame of the kernel itself
  int barriers = 0;                   ///< of a block
  int shared_bytes = 0;               ///< static, of a block, without what is reserved
  std::map<int, int> constant_bytes;  ///< by bank; 3 and 4 are those of the whole module
  bool operator==(const CubinResources&) const = default;
};

/// By kernel, as the cubin names them; empty where it is none.
std::map<std::string, CubinResources> cubin_resources(std::string_view cubin);

/// As ptxas -v reports it: "14 registers, 1 barrier, 0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads, 1536
/// bytes smem, 532 bytes cmem[0], 400 bytes cmem[3]". Of spills below 0 nothing is said.
std::string words(const CubinResources& r, int spill_store_bytes, int spill_load_bytes);

}  // namespace lanescope::compile
