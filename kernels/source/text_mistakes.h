#pragma once
// Why a text that should have a kernel has none: mistakes that hide it from the reader, and not from the compiler.

#include <optional>

#include "kernels/source/source.h"

namespace lanescope::source {

/// A bracket without a partner; else, where no function is a kernel, a word that is nearly `__global__`. The message names it
/// at its place. Nullopt: the text has neither.
std::optional<Diagnostic> text_mistake(const Source& source);

bool has_kernel(const Source& source);

}  // namespace lanescope::source
