#pragma once
// One declaration of local variables: `const uint x0 = a[i], x1, *p;`.

#include <string>
#include <vector>

#include "kernels/source/cxx/lexer.h"

namespace lanescope::source {

struct Declarator {
  int name = 0;  ///< token
  bool pointer = false, reference = false, array = false;
  bool initialised = false;
  int initial_first = 0, initial_last = -1;  ///< tokens of the initialiser
};

struct Declaration {
  std::string type;
  bool in_registers = true;             ///< not __shared__, static, extern, constexpr, typedef
  std::vector<Declarator> declarators;  ///< empty: the tokens are no declaration of variables
};

/// Reads tokens [first, last], without the closing `;`.
Declaration read_declaration(const Lexed& lexed, int first, int last);

/// After the template arguments that open at `open` (a `<`); `open` itself when these are none.
int skip_template_arguments(const Lexed& lexed, int open, int last);

}  // namespace lanescope::source
