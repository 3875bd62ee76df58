#pragma once
// Assignments as users of other tools write them, read into rows of the notation:
//
//   a[i]: row = lane/4 + 8*(i/2), col = 2*(lane%4) + i%2        index arithmetic; also "a[i] -> (lane/4, ...)" with names
//   thread t holds elements 4t..4t+3 of x                       also: lane l owns row l/4, columns 2*(l%4)+{0,1} of acc
//   x: #blocked = {sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}       Triton
//   x: TV layout ((4,8),(2,2)):((32,1),(16,8)), (T32,V4) -> (M16,N8)      CuTe: thread and value to column-major number
//
// Names of axes are those of the comment; where it has none ("elements", Triton's dimensions) they are the buffers'
// own, or "element", "dim0", "dim1". A comment of this form that cannot be judged has the reason.

#include <vector>

#include "kernels/source/model/launch.h"
#include "kernels/source/notation/comment_claims.h"

namespace lanescope::source {

/// In text order. `header`: names of axes and the size of a block, if it has them.
std::vector<TextClaim> other_notations(const std::vector<CommentLine>& lines, const Header& header);

}  // namespace lanescope::source
