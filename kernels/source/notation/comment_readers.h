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

#include "kernels/layout/claim_line.h"
#include "kernels/source/cxx/lexer.h"
#include "kernels/source/cxx/outline.h"
#include "kernels/source/model/claim.h"
#include "kernels/source/model/launch.h"
#include "kernels/source/notation/comment_claims.h"
#include "kernels/source/notation/stated_array.h"

namespace lanescope::source {

/// In text order. `values`: names that extents may use; `header`: extents of axes that the comment gives none.
std::vector<Claim> memory_claims(const Lexed& lexed, const Outline& outline, const Values& values,
                                 const Header& header);

// Assignments as users of other tools write them, read into rows of the notation:
//
//   a[i]: row = lane/4 + 8*(i/2), col = 2*(lane%4) + i%2        index arithmetic; also "a[i] -> (lane/4, ...)" with names
//   thread t holds elements 4t..4t+3 of x                       also: lane l owns row l/4, columns 2*(l%4)+{0,1} of acc
//   x: #blocked = {sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}       Triton
//   x: TV layout ((4,8),(2,2)):((32,1),(16,8)), (T32,V4) -> (M16,N8)      CuTe: thread and value to column-major number
//
// Names of axes are those of the comment; where it has none ("elements", Triton's dimensions) they are the buffers'
// own, or "element", "dim0", "dim1". A comment of this form that cannot be judged has the reason.

/// In text order. `header`: names of axes and the size of a block, if it has them.
std::vector<TextClaim> other_notations(const std::vector<CommentLine>& lines, const Header& header);

// "each block processes a shape-(16,2,32) subarray", "each thread processes one element of q": which part of an array a
// block, a warp or a thread works on. The whole array's shape is stated by a comment: "'p' points to a shape
// (32,128,1024) array", "p[i,j,k], shape (16,16,16)".

struct Subarray {
  Claim claim;  ///< about an ArrayPart
  StatedArray whole{},
      part{};             ///< strides of `part` are those of `whole`; of no use where `claim.unchecked_reason` is set
  std::string pointee{};  ///< C++ type that the pointer points to
};

/// In text order. Every word in a shape that has a value in `values` counts as that number.
std::vector<Subarray> subarrays(const Lexed& lexed, const Outline& outline, const Values& values);

// Names in a file's assignment comments, as the file explains them:
//
//   l = lane, w = warp, b: bit within the register     letters of rows; also "where l denotes the lane"
//   * marks a spectator      w0* counts to 3           marks after bits
//   write e = 2*eo + ei      e splits into eo ei       axes under other names
//   call j4..j2 m2..m0
//   i in 0..5     0 <= i < 6     (e:6, j:32)           extents of axes
//
// Names of axes in the launch header keep their meaning.

layout::Vocabulary read_vocabulary(const std::vector<CommentLine>& lines, const Header& header);

}  // namespace lanescope::source
