#pragma once
// The parts of a .cu file that probes need: functions, the local variables of each, where they are assigned, and
// the points at which one more statement may be placed without changing the meaning of the program.
//
// A point follows a complete statement that is directly in a block (or the block's `{`). It is never inside
// parentheses, never between `if (c)` and its statement, never before `else`, `catch` or the `while` of a `do`. The
// probe goes directly after the point's token, so that `#pragma unroll` stays next to its loop.

#include "kernels/source/cxx/outline_data.h"

namespace lanescope::source {

Outline outline(const Lexed& lexed);

}  // namespace lanescope::source
