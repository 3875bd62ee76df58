#pragma once
// Mistakes that hide a kernel from our own reader are told in the compiler's words, at its line and column.

#include <optional>

#include "kernels/compile/compile.h"

namespace lanescope::engine {

/// Of a text without a kernel, or without launches: what the compiler says of all of it. Empty: no mistake hides a kernel.
Diagnostics hidden_kernel(const source::Source& source, const compile::Options& options);

/// Errors of a compiler that were caused by `mistake` (kernels/source/text_mistakes.h), and the mistake itself as a note. Errors
/// before it are of host code, which the compiler was given because it could not be told apart; those on later lines than the
/// first follow from it.
Diagnostics from_mistake_on(Diagnostics errors, Diagnostic mistake);

}  // namespace lanescope::engine
