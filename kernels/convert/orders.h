#pragma once
// Orders of what a destination leaves open.

#include <vector>

#include "kernels/convert/planner.h"

namespace lanescope::convert {

/// Destinations that `free` allows: first `to` as it is, then those that keep each term where `from` has it, if it can stay.
std::vector<layout::Assignment> orders(const layout::Assignment& from, const layout::Assignment& to,
                                       const Freedom& free);

}  // namespace lanescope::convert
