#pragma once
// The head of a function: its specifiers, launch bounds and parameters.

#include "kernels/source/cxx/outline_data.h"

namespace lanescope::source {

/// Token i of the head, with what belongs to it; `parameters`: the `(` of the parameter list. Returns the last token that was
/// read.
int read_head_word(const Lexed& lexed, int i, int parameters, FunctionRange& f);

/// The parameters between `open`, a `(`, and its partner.
void read_parameters(const Lexed& lexed, int open, FunctionRange& f);

}  // namespace lanescope::source
