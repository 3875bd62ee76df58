#pragma once
// Loops whose body is one statement without braces and takes what the iteration before left in a variable:
//
//   for (int d = 16; d > 0; d /= 2) x += __shfl_xor_sync(~0u, x, d);
//
// After such a statement each iteration can be looked at where braces are put around both. A body that gives every iteration a
// variable's element of its own, `for (...) x[r] = p[r];`, is as well looked at once, after the loop.

#include <vector>

#include "kernels/source/cxx/outline.h"

namespace lanescope::source {

struct CarriedLoops {
  struct Body : LoopBody {
    std::vector<int> locals;  ///< carried, in text order
  };
  std::vector<Body> bodies;  ///< in the outline's order
  /// Whether everything that tokens [first, last] assign to a local is in bodies that carry it, and there is something.
  bool only_carried(const Outline& outline, int local, int first, int last) const;
};

CarriedLoops carried_loops(const Lexed& lexed, const Outline& outline);

}  // namespace lanescope::source
