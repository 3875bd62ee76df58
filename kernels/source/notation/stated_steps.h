#pragma once
// Sentences that state a step between two claims, compared with these:
//
//   // exchanges physical bits s0 (simd) with r1 (register)        // swap k0, i2        // r0 and t2 are swapped
//   // local transpose        // warp transpose r0 <-> t2          // Broadcast to all lanes        // Gather from the lanes
//
// The bits are physical ones, or logical ones where the exchanges before it have put them. Several exchanges are done one
// after another, some of them perhaps not: a sentence may repeat another one. Without bits the kind of the step decides:
//
//   local transpose    changes simd and register bits alone
//   warp transpose     changes a bit of the lane, and none of the warp or the block
//   broadcast          leaves a bit that is [unused]
//   gather             changes a bit of the lane, the warp or the block
//
// Other sentences are not compared, and neither are claims that name other logical bits. `broadcast` and `gather` count in
// the comment of the second claim only: elsewhere they may be about other values.

#include <string_view>
#include <vector>

#include "kernels/base/diagnostic.h"
#include "kernels/source/cxx/lexer.h"
#include "kernels/source/model/claim.h"

namespace lanescope::source {

/// Whether a line begins with such a step: "warp transpose r0 <-> t2" is no row of a claim.
bool begins_with_step(std::string_view line);

/// A warning for each sentence that is not the step from the claim before it to the one after it, of one function.
Diagnostics wrong_steps(const std::vector<CommentLine>& lines, const std::vector<Claim>& claims);

}  // namespace lanescope::source
