#pragma once
// Comments on the layout of an array in shared or global memory:
//
//   shared: uint E[32][256], (time, ns)      extents with the names of their axes
//   E layout: [time][ns]      smem layout is (j, i)      names alone: extents are those of the declaration
//   E layout: (32,8):(1,32)                  shape and strides, as CuTe writes them
//
// Declarations in the text are compared with the stated layout. The observer of a run checks the places of the
// elements.

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
