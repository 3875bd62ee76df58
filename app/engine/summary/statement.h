#pragma once
// What a statement did to a register assignment, in the words of the notation.

#include <cstdint>
#include <string>

#include "kernels/layout/assignment.h"
#include "kernels/trace/trace.h"

namespace lanescope::engine {

/// "r0 <-> t2 (warp transpose)" where the two differ by the exchange of two physical bits; empty otherwise.
std::string statement_words(const layout::Assignment& before, const layout::Assignment& after);

/// The first step of the statement that a warp executes at `step`: of its latest run of instructions of one line.
std::int64_t statement_begin(const trace::Trace& trace, std::int64_t step, std::uint32_t warp);

}  // namespace lanescope::engine
