#pragma once
// Plain sentences about how much of an array each thread, warp or block works on:
//
//   each thread computes a TM x TN tile of C        one warp per row        each block loads BM * BK elements of A
//   each thread handles 4 consecutive elements      every block processes one row of the input
//   load 4 elements per thread        const int BM,  // height of block of C that each thread block calculates
//
// and the like in Chinese. A comment in host code that launches one kernel is about that kernel.
//
// A sentence counts only if all of it is understood: one with a condition, a negation, "up to", "at a time" or the like
// has another meaning. Names have their values in the launch; a name without a value leaves the claim unchecked.

#include <vector>

#include "kernels/source/cxx/outline.h"
#include "kernels/source/model/claim.h"
#include "kernels/source/model/launch.h"

namespace lanescope::source {

/// Each about a WorkShare, in text order. `header` is complete.
std::vector<Claim> work_claims(const Lexed& lexed, const Outline& outline, const Header& header);

}  // namespace lanescope::source
