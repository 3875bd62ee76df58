#pragma once
// The texts that are compiled of a source, in one variant: the file's and those of its headers.

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/base/diagnostic.h"
#include "kernels/compile/compile.h"

namespace lanescope::compile {

struct Texts {
  std::string main;
  std::vector<std::string> headers;  ///< in the order of Source::headers

  std::string& of(std::size_t file) { return file == 0 ? main : headers[file - 1]; }
};

Texts texts_of(const source::Source& source, Variant variant);

/// False where the texts have none of these probes.
bool drop_probes(Texts& texts, const std::vector<int>& ids);

// A text as the compiler needs it: changed comments make no other program, so that an edited comment is
// no reason to compile again (calls/answer_cache.h finds the answer).
//
// Only comments that reach the end of their line go, with the blanks before them: every line keeps its number and every
// word its column. The line numbers in the program (`-lineinfo`) are the same, too.

/// The text itself where its strings and comments are not all well-formed: the compiler then has its own view of them.
std::string without_comments(std::string_view text);

// The C++ library in device code. NVRTC has none; the toolkit's cuda::std has the same names for it. Where a kernel
// says `std::numeric_limits<float>` under nvcc, it is compiled with
//
//   #include <cuda/std/limits>
//   namespace std { using namespace cuda::std; }
//
// before it. Only what texts mention is included: each of these headers takes time.

inline constexpr std::string_view standard_file = "lanescope-std";

/// Empty: the texts mention nothing that cuda::std has.
std::string standard_text(const Texts& texts);

// NVRTC has no C library. Names that users of nvcc take for granted (uint, uint32_t, <cstdint>, assert) get a
// few typedefs here, so that a file that nvcc takes needs no change. Headers of host libraries are replaced
// by the part that device code uses: the types of complex numbers, cub without its launches, else nothing.

struct HostHeaders {
  std::vector<const char*> names, texts;
};
const HostHeaders& host_headers();

inline constexpr const char* types_header = "lanescope-types";  ///< included before everything else

// Forms of GNU C++ that nvcc takes from its host compiler and NVRTC does not, written as C++ has them.
//
//   ({ int t = f(x); t + 1; })       ([&](){ int t = f(x); return  t + 1; }())
//   __typeof__(x) y = x;             decltype  (x) y = x;
//   return (float2){a, b};           return  float2 {a, b};
//
//   struct S { static const float pi = 3.14f; };     struct S { static constexpr float pi = 3.14f; };
//
// Lines stay; columns after a changed form move. And designators in braces (`{.line = 3}`), which NVRTC takes as C++20.

/// One pass over the text; comments and literals stay as they are. A block that ends with no expression stays, too.
std::string without_gnu_forms(std::string_view text);

/// Replaces the forms in all texts; false: there are none.
bool replace_gnu_forms(Texts& texts);

/// Floating-point constants of classes that errors name get `constexpr`; false: there are none.
bool make_class_constants(Texts& texts, const Diagnostics& errors, const source::Source& source);

/// Whether an error stands at a designator: `.name =`.
bool is_at_designator(const Diagnostic& error, const source::Source& source);

// Mathematical functions that are called with numbers of several types. With nvcc they are templates of the host
// compiler's library, which compute in double wherever the arguments are not all float; NVRTC has functions of its own
// for a float and an int, which compute in float, and calls other mixtures ambiguous. Results of both with CUDA
// 13.0, for the types from bool to unsigned long long, float and double:
//
//   call                                              nvcc                                        NVRTC
//   pow(x, y), not both float                         double, by pow(double, double)              float, powers of an int, or refused
//   atan2, fdim, fma, fmax, fmin, fmod, hypot,        refused in device code; double with         float
//     nextafter, remainder: float with integers       --expt-relaxed-constexpr
//   the same, other mixtures; sqrt(1), sin(1), ...    the same                                    double with integers, or refused
//   min, max, abs                                     what NVRTC takes, too                       the same
//
// So a text that calls one of the first two kinds is compiled with macros of their names, which lead to
// functions of this file that compute as nvcc does. Calls of the second kind get a warning. Macros keep lines
// and columns. Calls that only NVRTC refuses, such as sqrt(1) with the option, stay refused.

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

/// The remedy of an error that calls a function ambiguous; "" for another error.
std::string remedy_of_ambiguous(std::string_view message);

// Kernels among the `.entry` lines of a PTX text.

std::vector<std::string> entries_of(std::string_view ptx);

/// The entries of the kernels called `name` in the source: extern "C", mangled, or inside a namespace. Of overloaded
/// kernels those with so many parameters.
std::vector<std::string> entries_called(std::string_view ptx, std::string_view name, std::size_t parameters);
/// The only one of them; "" when there is none or more than one.
std::string find_entry(std::string_view ptx, std::string_view name, std::size_t parameters);

}  // namespace lanescope::compile
