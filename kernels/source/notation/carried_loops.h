#pragma once
// Loops whose body is one statement without braces that uses a variable of the previous iteration:
//
//   for (int d = 16; d > 0; d /= 2) x += __shfl_xor_sync(~0u, x, d);
//
// A probe after such a statement records each iteration if braces enclose both. A body that gives every iteration a
// variable's element of its own, `for (...) x[r] = p[r];`, can also be recorded once, after the loop.

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
