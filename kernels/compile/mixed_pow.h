#pragma once
// pow() of two types. nvcc takes pow(x, 2.0) with a float x, and pow(i, 2) with an int i, and computes them as doubles (its
// headers have a template for every two arithmetic types); NVRTC calls them ambiguous. Of the other mathematical functions
// nvcc takes no such mixture in device code either (seen with both of CUDA 13.0).

#include <string>
#include <string_view>

#include "kernels/base/diagnostic.h"

namespace lanescope::compile {

inline constexpr std::string_view mixed_pow_file = "lanescope-pow";

/// An error calls pow() ambiguous.
bool asks_for_mixed_pow(const Diagnostics& errors);
/// The template.
std::string_view mixed_pow_text();

/// What to do about an error that calls a function ambiguous, "" for another error.
std::string remedy_of_ambiguous(std::string_view message);

}  // namespace lanescope::compile
