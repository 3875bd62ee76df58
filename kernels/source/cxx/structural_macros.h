#pragma once
// Macros that decide what a text is: without them it is unknown where a function begins and which brace closes it.
//
//   #define DEVICE __device__ __forceinline__      a qualifier of functions
//   #define KERNEL(name) extern "C" __global__ void name
//   #define NAMESPACE_BEGIN namespace a {          brackets that do not pair up in its body
//   #define LOOP(i, n) for (int i = threadIdx.x; i < (n); i += blockDim.x)      the statement after it belongs to it
//   #define EXPORT                                 nothing at all
//
// Only these are replaced, by all that they mean; a reader of tokens sees the words of the body, each at the place of
// the macro's use. All other macros stay as they are written.

#include "kernels/source/cxx/lexer.h"
#include "kernels/source/cxx/macro_table.h"

namespace lanescope::source {

inline constexpr std::size_t most_brought = 400'000;  ///< tokens that macros bring into one text; further uses stay

/// `known`: macros of headers, for the whole text; its own definitions count from their lines on.
Lexed lex(std::string_view text, const MacroTable& known);

}  // namespace lanescope::source
