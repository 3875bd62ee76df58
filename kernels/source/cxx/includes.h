#pragma once
// The `#include` lines of a text.

#include <cstdint>
#include <string_view>
#include <vector>

#include "kernels/source/cxx/lexer.h"

namespace lanescope::source {

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
