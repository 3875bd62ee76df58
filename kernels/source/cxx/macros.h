#pragma once
// `#define` and `#include` lines. Conditionals are not evaluated: every definition counts as one.

#include <cstdint>
#include <string_view>
#include <vector>

#include "kernels/source/cxx/lexer.h"

namespace lanescope::source {

struct Macro {
  std::string_view name, body;  ///< body: the text after the name
  bool like_function = false;   ///< `#define F(x) ...`; its body begins with the parameters
};

/// In text order, and after them those of the compiler's options that the text does not define itself.
std::vector<Macro> macros(const Lexed& lexed);

/// "define" of `#  define N 4`, and "N 4" after it.
struct DirectiveText {
  std::string_view word, rest;
};
DirectiveText directive_text(const Lexed& lexed, const Directive& directive);

struct Include {
  std::string_view written;  ///< `"a.h"` or `<a.h>`, with its delimiters
  std::string_view name;     ///< without them
  bool angle = false;
  std::uint32_t offset = 0;  ///< of the directive
  int line = 0;
};

/// In text order, under any conditions around them. A name that is no literal is left out.
std::vector<Include> includes(const Lexed& lexed);

/// The same of one line of text; an empty name where it is no #include.
Include include_on(std::string_view line);

}  // namespace lanescope::source
