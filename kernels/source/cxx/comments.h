#pragma once
// Comments line by line.

#include <cstdint>
#include <string_view>
#include <vector>

#include "kernels/source/cxx/lexer.h"

namespace lanescope::source {

/// One line of a comment without its markers.
struct CommentLine {
  std::string_view text;
  std::uint32_t offset = 0;  ///< of `text` in the file
  int line = 0, column = 0;  ///< of `text`
  int group = 0;             ///< lines of one group have no code between them
  int comment = 0;           ///< index in Lexed::comments
};

std::vector<CommentLine> comment_lines(const Lexed& lexed);

/// Whether code is before the comment on its line.
bool after_code(const Lexed& lexed, const CommentLine& line);

}  // namespace lanescope::source
