#pragma once
// Several files as one text of tokens: each is cut on its own, so that nothing in one of them (a bracket without partner,
// a comment without end) reaches into the next, and lines are unit lines (kernels/base/source_lines.h).

#include <cstdint>
#include <span>

#include "kernels/source/cxx/lexer.h"
#include "kernels/source/cxx/macro_table.h"

namespace lanescope::source {

/// One file in the text of all.
struct TextPart {
  std::uint32_t begin = 0, end = 0;  ///< offsets
  int first_line = 1;                ///< unit line
};

/// Tokens, comments and directives of all parts, in their order; offsets are those of `text`. `known`: macros of headers.
Lexed lex(std::string_view text, std::span<const TextPart> parts, const MacroTable& known);

}  // namespace lanescope::source
