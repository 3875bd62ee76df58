#pragma once
// How a launch depends on blockIdx, found in the PTX without running it: which blocks do the same, each with its own
// part of the arrays.
//
// Every register holds, in the terms of block_terms.h,
//
//   own      a value that is the same in every block (threadIdx, loop counters, parameters) plus a term in blockIdx
//   other    anything else: data, and numbers that depend on blockIdx in another way
//
//   i = blockIdx.x * 256 + threadIdx.x            own; its term is blockIdx.x * 256
//   if (i < n)                                    a guard: the same in block b as long as no lane's i crosses n
//   x[i]                                          an access; its term is blockIdx.x * 1024 (bytes)
//
// If nothing `other` reaches a branch, an address, the choice of a lane or of a value, two blocks execute the same
// instructions as long as the guards answer alike in both, and their addresses differ by the difference of the terms.
// The guards are judged by a run of one of the two: the values of their operands there tell how far its terms may change.
//
// Which blocks these are, is for the caller (app/engine/prepare/repeated_blocks.h): it runs the program with_operands().

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/base/diagnostic.h"
#include "kernels/instrument/block_terms.h"
#include "kernels/ptx/program.h"
#include "kernels/trace/launch.h"

namespace lanescope::instrument {

/// A condition under which an instruction does the same in two blocks.
struct BlockGuard {
  enum class Kind : std::uint8_t {
    same,   ///< term a has the same value
    order,  ///< a and b compare as before: both stay in their type's range, and none crosses the other
    step,  ///< a, without overflow, moves by a multiple of `multiple`, and term `result` by numerator/denominator of it
    apart,  ///< a moves by a multiple of a power of two above every bit of b
  };
  Kind kind = Kind::same;
  std::uint32_t instruction = 0;  ///< of the entry that was analysed
  Term a = 0, b = 0, result = 0;
  int bits = 32, result_bits = 32;
  bool is_signed = false;
  bool only_equal = false;    ///< order: whether they are equal is all that counts
  bool or_equal = false;      ///< order: a <= b against a > b; else a < b against a >= b
  bool in_range = true;       ///< step: a wraps nowhere
  bool non_negative = false;  ///< step: and is never below 0
  std::uint64_t multiple = 1, numerator = 1, denominator = 1;
  ptx::Operand at_a{}, at_b{};  ///< registers or numbers; of `same` none
};

struct BlockAccess {
  std::uint32_t instruction = 0;
  Term term = 0;  ///< bytes
  bool loads = false, stores = false;
};

struct BlockDependence {
  Terms terms;
  std::vector<BlockGuard> guards;
  std::vector<BlockAccess> accesses;  ///< to memory that may be global, by instruction
};

/// Error: blocks are not known to do the same, with the reason.
Expected<BlockDependence> block_dependence(const ptx::Module& module, const trace::Launch& launch,
                                           const std::vector<std::uint64_t>& buffer_addresses);

/// The module without its probes; in the kernel of `launch` there are probes of the operands that guards watch instead. Probe
/// 4*g + 2*operand + word is of guard g: operand 0 is a, 1 is b; word 1 has the upper half of 64 bits.
struct Watched {
  ptx::Module module;
  std::vector<std::uint32_t> places;  ///< by instruction of the kernel that was analysed: its number here
};
Watched with_operands(const ptx::Module& module, const trace::Launch& launch, const std::vector<BlockGuard>& guards);

}  // namespace lanescope::instrument
