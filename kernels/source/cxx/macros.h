#pragma once
// `#define` lines. Conditionals are not evaluated: every definition counts as one.

#include <string_view>
#include <vector>

#include "kernels/source/cxx/lexer.h"

namespace lanescope::source {

struct Macro {
  std::string_view name, body;  ///< body: what follows the name
  bool like_function = false;   ///< `#define F(x) ...`; its body begins with the parameters
};

/// In text order, and after them those of the compiler's options that the text does not define itself.
std::vector<Macro> macros(const Lexed& lexed);

/// "define" of `#  define N 4`, and "N 4" after it.
struct DirectiveText {
  std::string_view word, rest;
};
DirectiveText directive_text(const Lexed& lexed, const Directive& directive);

}  // namespace lanescope::source
