#pragma once
// Comments that say how an array lies in shared or global memory:
//
//   shared: uint E[32][256], (time, ns)      extents with the names of their axes
//   E layout: [time][ns]      smem layout is (j, i)      names alone: extents are those of the declaration
//   E layout: (32,8):(1,32)                  shape and strides, as CuTe writes them
//
// What is declared in the text is compared with what is stated. Which element lies where is checked by the observer of a run.

#include <vector>

#include "kernels/source/cxx/outline_data.h"
#include "kernels/source/model/claim.h"
#include "kernels/source/model/launch.h"
#include "kernels/source/notation/stated_array.h"

namespace lanescope::source {

/// In text order. `values`: names that extents may use; `header`: extents of axes that the comment gives none.
std::vector<Claim> memory_claims(const Lexed& lexed, const Outline& outline, const Values& values,
                                 const Header& header);

}  // namespace lanescope::source
