#pragma once
// "each block processes a shape-(16,2,32) subarray", "each thread processes one element of q": which part of an array a
// block, a warp or a thread works on. The whole array's shape is stated by a comment: "'p' points to a shape
// (32,128,1024) array", "p[i,j,k], shape (16,16,16)".

#include <vector>

#include "kernels/source/cxx/outline_data.h"
#include "kernels/source/model/claim.h"
#include "kernels/source/notation/stated_array.h"

namespace lanescope::source {

struct Subarray {
  Claim claim;  ///< about an ArrayPart
  StatedArray whole{},
      part{};             ///< strides of `part` are those of `whole`; of no use where `claim.unchecked_reason` is set
  std::string pointee{};  ///< C++ type that the pointer points to
};

/// In text order. Every word in a shape that has a value in `values` counts as that number.
std::vector<Subarray> subarrays(const Lexed& lexed, const Outline& outline, const Values& values);

}  // namespace lanescope::source
