#pragma once
// Which variables together are one register array: x0 .. x3, or an array, a vector or a scalar by itself.

#include <string>
#include <vector>

#include "kernels/source/source.h"

namespace lanescope::claims {

struct Family {
  std::string name;            ///< "x" for x0 .. x3; else the variable's own name
  std::vector<int> variables;  ///< ids in register order
  std::string function;
};

/// In the order of their first variable. Numbered variables make a family when they are 2^n, counted from 0, in the same
/// function; a name that comes again (another scope) starts a new one.
std::vector<Family> families(const source::Source& source);

}  // namespace lanescope::claims
