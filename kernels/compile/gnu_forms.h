#pragma once
// Forms of GNU C++ that nvcc takes from its host compiler and NVRTC does not, written as C++ has them.
//
//   ({ int t = f(x); t + 1; })       ([&](){ int t = f(x); return  t + 1; }())
//   __typeof__(x) y = x;             decltype  (x) y = x;
//
//   struct S { static const float pi = 3.14f; };     struct S { static constexpr float pi = 3.14f; };
//
// Lines stay; columns after a changed form move. And designators in braces (`{.line = 3}`), which NVRTC takes as C++20.

#include <string>
#include <string_view>

#include "kernels/base/diagnostic.h"
#include "kernels/compile/texts.h"

namespace lanescope::compile {

/// One pass over the text; comments and literals stay as they are. A block that ends with no expression stays, too.
std::string without_gnu_forms(std::string_view text);

/// Replaces the forms in all texts; false: there are none.
bool replace_gnu_forms(Texts& texts);

/// Floating-point constants of classes that errors name get `constexpr`; false: there are none.
bool make_class_constants(Texts& texts, const Diagnostics& errors, const source::Source& source);

/// Whether an error stands at a designator: `.name =`.
bool is_at_designator(const Diagnostic& error, const source::Source& source);

}  // namespace lanescope::compile
