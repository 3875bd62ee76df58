#pragma once
// Annotations of verifiers in kernels: conditions that a tool takes for granted or proves. No header declares them, and nvcc
// does not know them. Where the compiler says so, they are compiled as what they mean:
//
//   __requires(n > 0);  __assume(c);  __VERIFIER_assume(c)     an assert: the launch has to keep what is taken for granted
//   __assert(c);        __VERIFIER_assert(c)                   an assert
//   __uniform_int(x);   __distinct_int(x)                      true: statements about several threads, which are not checked

#include <set>
#include <string>
#include <vector>

#include "kernels/base/diagnostic.h"

namespace lanescope::compile {

inline constexpr std::string_view annotations_file = "lanescope-annotations";

/// Adds those that the errors call undefined; false: there is none that is new.
bool add_annotations(const Diagnostics& errors, std::set<std::string>& names);
/// The macros.
std::string annotations_text(const std::set<std::string>& names);
/// What is said of them.
Diagnostics annotation_notes(const std::set<std::string>& names, const std::string& file);

}  // namespace lanescope::compile
