#pragma once
// Whole kernels between an array of structures and a structure of arrays.

#include <string>

#include "kernels/convert/cuda_text.h"
#include "kernels/convert/exports/verify.h"

namespace lanescope::convert {

struct StructKernel {
  CodeNames names;
  std::string element_type = "float";  ///< of a word, 4 bytes, in CUDA C++
  /// 16: a lane moves four structures, with accesses of 16 bytes on both sides, where the arrays are aligned to them and
  /// whole; else with accesses of 4 bytes.
  int access_bytes = 16;
  int groups = 0;  ///< times that a warp moves what it moves at once; 0: as many as keep enough loads on their way
};

/// `NAME_kernel(structures, fields, count, field_stride)` and `NAME_blocks(count)`: `to_lanes` reads `count` structures of W
/// words one after the other and writes word f of structure s to fields[f * field_stride + s]; `from_lanes` goes back.
/// Accesses of a warp are whole lines; structures of 2 and 4 words are one access of a lane and need no shuffle.
std::string struct_kernel(const StructPlan& plan, const StructKernel& wanted);

/// On a random array that ends in the midst of a warp, every word compared, those outside, too.
Verified verify_struct_kernel(const StructPlan& plan, const StructKernel& wanted,
                              std::span<const std::string> architectures);

inline constexpr int struct_kernel_threads = 256;
/// Structures that a warp moves.
int structures_of_a_warp(int words, const StructKernel& wanted);

}  // namespace lanescope::convert
