#pragma once
// Where the launch header of a file is, and comments that nearly are one.
//
// The header is the first comment before all code that has a line `[lanescope]`. A comment with `lanescope`,
// `[launch]`, `[[launch]]` or `[buffers]` on a line of its own, or a header below the first code, is not read, although
// its author may expect that, so it is reported, with the correct form. It is an error if it has values; else a
// warning.

#include <optional>
#include <string>

#include "kernels/source/cxx/lexer.h"

namespace lanescope::source {

/// Lines of a comment; 0, 0 where there is none.
struct HeaderPlace {
  int first_line = 0, last_line = 0;
};

struct HeaderComment {
  std::string toml;  ///< same lines and columns as the file, everything else blank
  std::string title;
  HeaderPlace where;
};

struct HeaderSearch {
  std::optional<HeaderComment> header;
  Diagnostics mistakes;  ///< errors and warnings; file name left empty
};

HeaderSearch find_header(const Lexed& lexed);

}  // namespace lanescope::source
