#pragma once
// Mathematical functions that are called with numbers of several types. With nvcc they are templates of the host compiler's
// library, which compute in double wherever the arguments are not all float; NVRTC has functions of its own for a float and
// an int, which compute in float, and calls other mixtures ambiguous. What was seen with both of CUDA 13.0, for the types
// from bool to unsigned long long, float and double:
//
//   call                                              nvcc                                        NVRTC
//   pow(x, y), not both float                         double, by pow(double, double)              float, powers of an int, or refused
//   atan2, fdim, fma, fmax, fmin, fmod, hypot,        refused in device code; double with         float
//     nextafter, remainder: float with integers       --expt-relaxed-constexpr
//   the same, other mixtures; sqrt(1), sin(1), ...    the same                                    double with integers, or refused
//   min, max, abs                                     what NVRTC takes, too                       the same
//
// So a text that calls one of the first two kinds is compiled with macros of their names, which lead to functions of this
// file that compute as nvcc does. Calls of the second kind get a warning. Macros keep lines and columns. What is refused by
// NVRTC alone and not by nvcc, as sqrt(1) is with the option, stays refused.

#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "kernels/base/diagnostic.h"
#include "kernels/compile/texts.h"

namespace lanescope::compile {

inline constexpr std::string_view mixed_math_file = "lanescope-math";

/// Of these functions, those that the texts call and do not define.
std::set<std::string_view> mixed_functions(const Texts& texts, const source::Source& source);
/// An error calls pow() ambiguous: a header that is not among the texts calls it.
bool asks_for_mixed_pow(const Diagnostics& errors);
/// The text that is included before all others.
std::string mixed_math_text(const std::set<std::string_view>& functions);

/// An error names a function of that text.
bool is_of_mixed_math(const Diagnostic& d);
/// The user's names; a warning about such a call in words.
Diagnostic without_mixed_names(Diagnostic d);
/// Where a text could not be compiled with them.
Diagnostic mixed_note(const std::set<std::string_view>& functions, const std::string& file);

/// What to do about an error that calls a function ambiguous, "" for another error.
std::string remedy_of_ambiguous(std::string_view message);

}  // namespace lanescope::compile
