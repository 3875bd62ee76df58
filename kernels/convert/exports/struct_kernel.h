#pragma once
// Whole kernels between an array of structures and a structure of arrays.

#include <string>

#include "kernels/convert/cuda_text.h"
#include "kernels/convert/exports/verify.h"

namespace lanescope::convert {

struct StructKernel {
  CodeNames names;
  std::string element_type = "float";  ///< of a word, 4 bytes, in CUDA C++
};

/// `NAME_kernel(structures, fields, count, field_stride)` and `NAME_blocks(count)`: `to_lanes` reads `count` structures of W
/// words one after the other and writes word f of structure s to fields[f * field_stride + s]; `from_lanes` goes back.
/// Accesses of a warp are whole lines; structures of 2 and 4 words are one access of a lane and need no shuffle.
std::string struct_kernel(const StructPlan& plan, const StructKernel& wanted);

/// On a random array that ends in the midst of a warp, every word compared, those outside, too.
Verified verify_struct_kernel(const StructPlan& plan, const StructKernel& wanted,
                              std::span<const std::string> architectures);

inline constexpr int struct_kernel_threads = 256;
/// Groups of 32 structures that a warp moves, so that enough loads are on their way.
int groups_of_a_warp(int words);

}  // namespace lanescope::convert
