#pragma once
// Arrays of shared memory, and pointers that are set to constant places in them:
//
//   __shared__ float tile[32][33];      extern __shared__ char smem[];
//   float *As = reinterpret_cast<float *>(smem), *Bs = &As[64 * 8];      half *C = (half *)(smem + 4096);

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/source/cxx/outline_data.h"
#include "kernels/source/notation/stated_array.h"

namespace lanescope::source {

struct SharedArray {
  std::string name;
  std::string array;  ///< its target, or itself
  int function = -1;
  int line = 0;
  bool pointer = false;
  std::int64_t offset_bytes = 0;
  int element_bytes = 0;                ///< 0: not known
  std::vector<std::int64_t> extents{};  ///< empty where one has no value
  bool flat = false;                    ///< an extent is a product: several axes lie in it
  std::vector<std::int64_t> factors{};  ///< of the last extent, where it is a product of two: "BK * BM"
  std::string problem{};                ///< of a pointer: why its place is not known
};

/// Extents, a product of two as two axes.
std::vector<std::int64_t> extents_apart(const SharedArray& array);

/// In text order. Of the pointers only those that the text sets once, in their declaration.
std::vector<SharedArray> shared_arrays(const Lexed& lexed, const Outline& outline, const Values& values);

}  // namespace lanescope::source
