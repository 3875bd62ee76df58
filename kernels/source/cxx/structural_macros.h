#pragma once
// Structural macros: without them it is unknown where a function begins and which brace closes it.
//
//   #define DEVICE __device__ __forceinline__      a qualifier of functions
//   #define KERNEL(name) extern "C" __global__ void name
//   #define NAMESPACE_BEGIN namespace a {          brackets that do not pair up in its body
//   #define LOOP(i, n) for (int i = threadIdx.x; i < (n); i += blockDim.x)      the statement after it belongs to it
//   #define EXPORT                                 nothing at all
//
// Only these are fully expanded; a reader of tokens gets the words of the body, each at the place of the macro's use.
// All other macros stay as they are written.

#include <cstdint>
#include <span>

#include "kernels/source/cxx/lexer.h"
#include "kernels/source/cxx/macro_table.h"

namespace lanescope::source {

inline constexpr std::size_t most_brought = 400'000;  ///< tokens that macros bring into one text; further uses stay

/// `known`: macros of headers, for the whole text; its own definitions count from their lines on.
Lexed lex(std::string_view text, const MacroTable& known);

// Several files as one text of tokens: each is cut on its own, so that nothing in one of them (a bracket without partner,
// a comment without end) reaches into the next, and lines are unit lines (kernels/base/source_lines.h).

/// One file in the text of all.
struct TextPart {
  std::uint32_t begin = 0, end = 0;  ///< offsets
  int first_line = 1;                ///< unit line
};

/// Tokens, comments and directives of all parts, in their order; offsets are those of `text`. `known`: macros of headers.
Lexed lex(std::string_view text, std::span<const TextPart> parts, const MacroTable& known);

}  // namespace lanescope::source
