#pragma once
// What a statement did to a register assignment, in the words of the notation.

#include <string>

#include "kernels/layout/assignment.h"

namespace lanescope::engine {

/// "r0 <-> t2 (warp transpose)" where the two differ by the exchange of two physical bits; empty otherwise.
std::string statement_words(const layout::Assignment& before, const layout::Assignment& after);

}  // namespace lanescope::engine
