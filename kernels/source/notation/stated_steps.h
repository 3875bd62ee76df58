#pragma once
// Sentences that state a step between two claims, compared with these:
//
//   // exchanges physical bits s0 (simd) with r1 (register)        // swap k0, i2
//
// The bits are physical ones, or logical ones of the claim before. Nothing is judged where several sentences stand between two
// claims, or where the claims differ by more than one exchange.

#include <vector>

#include "kernels/base/diagnostic.h"
#include "kernels/source/cxx/lexer.h"
#include "kernels/source/model/claim.h"

namespace lanescope::source {

/// A warning for each sentence that is not the step from the claim before it to the one after it, of one function.
Diagnostics wrong_steps(const std::vector<CommentLine>& lines, const std::vector<Claim>& claims);

}  // namespace lanescope::source
