#pragma once
// Names in a file's assignment comments, as the file explains them:
//
//   l = lane, w = warp, b: bit within the register     letters of rows; also "where l denotes the lane"
//   * marks a spectator      w0* counts to 3           marks after bits
//   write e = 2*eo + ei      e splits into eo ei       axes under other names
//   call j4..j2 m2..m0
//   i in 0..5     0 <= i < 6     (e:6, j:32)           extents of axes
//
// Names of axes in the launch header keep their meaning.

#include <string_view>
#include <vector>

#include "kernels/layout/claim_line.h"
#include "kernels/source/cxx/comments.h"
#include "kernels/source/model/launch.h"

namespace lanescope::source {

layout::Vocabulary read_vocabulary(const std::vector<CommentLine>& lines, const Header& header);

}  // namespace lanescope::source
